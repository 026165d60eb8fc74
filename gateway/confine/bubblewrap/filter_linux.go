package bubblewrap

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"

	"postern/gateway/confine/calls"
)

// Filter is the program that the kernel runs at each system call, in the form
// of seccomp(2). Sockets are local, of the network, and those by which interfaces
// are listed.
func Filter() ([]byte, error) {
	policy, err := calls.Policy("",
		calls.When("socket", calls.Equal(0, unix.AF_UNIX)), calls.When("socket", calls.Equal(0, unix.AF_INET)), calls.When("socket", calls.Equal(0, unix.AF_INET6)),
		calls.When("socket", calls.Equal(0, unix.AF_NETLINK), calls.Equal(2, unix.NETLINK_ROUTE)),
		calls.When("socketpair", calls.Equal(0, unix.AF_UNIX)),
	)
	if err != nil {
		return nil, err
	}
	program, err := policy.Assemble()
	if err != nil {
		return nil, fmt.Errorf("writing the filter of system calls: %w", err)
	}
	return binaryOf(program)
}

// binaryOf lays the program out as struct sock_filter, see <linux/filter.h>.
func binaryOf(program []bpf.Instruction) ([]byte, error) {
	raw, err := bpf.Assemble(program)
	if err != nil {
		return nil, fmt.Errorf("assembling the filter of system calls: %w", err)
	}
	var out bytes.Buffer
	for _, i := range raw {
		binary.Write(&out, binary.NativeEndian, unix.SockFilter{Code: i.Op, Jt: i.Jt, Jf: i.Jf, K: i.K})
	}
	return out.Bytes(), nil
}
