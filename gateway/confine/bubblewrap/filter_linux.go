package bubblewrap

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	seccomp "github.com/elastic/go-seccomp-bpf"
	"github.com/elastic/go-seccomp-bpf/arch"
	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"

	"postern/gateway/confine/calls"
)

// Beyond calls.Plain a tool server locks files, watches them, keeps programs in
// memory and asks for the names of network interfaces. It does none of what the
// other groups of confine.Deny name.
const serverCalls = `
flock fcntl mincore memfd_create inotify_init inotify_init1 inotify_add_watch inotify_rm_watch
preadv2 personality get_mempolicy modify_ldt
`

// unknown are answered as by a kernel that does not have them, so that a C
// library falls back to a call whose arguments can be seen.
const unknown = "clone3 fchmodat2 io_uring_setup"

// cloneNamespaces are the flags of clone(2) that make a namespace.
const cloneNamespaces = 0x7E020000

// Filter is the program that the kernel runs at each system call, in the form
// of seccomp(2). It allows what it names; calls of other architectures, by which
// other numbers do the same, are refused.
func Filter() ([]byte, error) {
	machine, err := arch.GetInfo("")
	if err != nil {
		return nil, fmt.Errorf("finding the machine's system calls: %w", err)
	}
	has := func(names string) []string {
		return slices.DeleteFunc(strings.Fields(names), func(n string) bool { _, ok := machine.SyscallNames[n]; return !ok })
	}
	policy := seccomp.Policy{
		DefaultAction: seccomp.ActionErrno, // EPERM
		Syscalls: []seccomp.SyscallGroup{
			{Action: seccomp.ActionAllow, Names: has(calls.Plain + serverCalls), NamesWithCondtions: sockets()},
			{Action: seccomp.ActionErrno | seccomp.Action(unix.ENOSYS), Names: has(unknown)},
		},
	}
	program, err := policy.Assemble()
	if err != nil {
		return nil, fmt.Errorf("writing the filter of system calls: %w", err)
	}
	return binaryOf(program)
}

// sockets are local, of the network, and those by which interfaces are listed.
func sockets() []seccomp.NameWithConditions {
	when := func(call string, is ...seccomp.Condition) seccomp.NameWithConditions {
		return seccomp.NameWithConditions{Name: call, Conditions: is}
	}
	equal := func(argument uint32, value uint64) seccomp.Condition {
		return seccomp.Condition{Argument: argument, Operation: seccomp.Equal, Value: value}
	}
	return []seccomp.NameWithConditions{
		when("socket", equal(0, unix.AF_UNIX)), when("socket", equal(0, unix.AF_INET)), when("socket", equal(0, unix.AF_INET6)),
		when("socket", equal(0, unix.AF_NETLINK), equal(2, unix.NETLINK_ROUTE)),
		when("socketpair", equal(0, unix.AF_UNIX)),
		when("clone", seccomp.Condition{Argument: 0, Operation: seccomp.BitsNotSet, Value: cloneNamespaces}),
	}
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
