package observers

import (
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"os"

	filter "golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

// linkTap is a packet socket on one link (packet(7)).
type linkTap struct {
	*os.File
	index int
}

func openTap(link string) (*linkTap, error) {
	on, err := net.InterfaceByName(link)
	if err != nil {
		return nil, fmt.Errorf("finding the link: %w", err)
	}
	// With protocol 0 it hears nothing before it is filtered and bound.
	fd, err := unix.Socket(unix.AF_PACKET, unix.SOCK_RAW|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, 0)
	if err != nil {
		return nil, os.NewSyscallError("socket", err)
	}
	tap := &linkTap{os.NewFile(uintptr(fd), "tap"), on.Index}
	if err := tap.bind(fd); err != nil {
		tap.Close()
		return nil, err
	}
	return tap, nil
}

func (t *linkTap) bind(fd int) error {
	program, err := filter.Assemble(below())
	if err != nil {
		return err
	}
	steps := make([]unix.SockFilter, len(program))
	for i, p := range program {
		steps[i] = unix.SockFilter{Code: p.Op, Jt: p.Jt, Jf: p.Jf, K: p.K}
	}
	if err := unix.SetsockoptSockFprog(fd, unix.SOL_SOCKET, unix.SO_ATTACH_FILTER, &unix.SockFprog{Len: uint16(len(steps)), Filter: &steps[0]}); err != nil {
		return os.NewSyscallError("filtering", err)
	}
	all := &unix.PacketMreq{Ifindex: int32(t.index), Type: unix.PACKET_MR_PROMISC}
	if err := unix.SetsockoptPacketMreq(fd, unix.SOL_PACKET, unix.PACKET_ADD_MEMBERSHIP, all); err != nil {
		return os.NewSyscallError("hearing all frames", err)
	}
	return os.NewSyscallError("bind", unix.Bind(fd, &unix.SockaddrLinklayer{Protocol: ordered(unix.ETH_P_ALL), Ifindex: t.index}))
}

// ordered is a number of 16 bits in the order of the network.
func ordered(n uint16) uint16 {
	return binary.NativeEndian.Uint16(binary.BigEndian.AppendUint16(nil, n))
}

// below lets through what is neither TCP nor UDP, but for requests to a DHCP
// server: of these two the other observers hear all that reaches the host.
func below() []filter.Instruction {
	const etherType, ipProtocol, ipHeader = 12, 14 + 9, 14
	return []filter.Instruction{
		filter.LoadAbsolute{Off: etherType, Size: 2},
		filter.JumpIf{Cond: filter.JumpEqual, Val: unix.ETH_P_ARP, SkipTrue: 11},
		filter.JumpIf{Cond: filter.JumpEqual, Val: frameType, SkipTrue: 10},
		filter.JumpIf{Cond: filter.JumpNotEqual, Val: unix.ETH_P_IP, SkipTrue: 10},
		filter.LoadAbsolute{Off: ipProtocol, Size: 1},
		filter.LoadMemShift{Off: ipHeader},
		filter.JumpIf{Cond: filter.JumpEqual, Val: unix.IPPROTO_ICMP, SkipTrue: 3},
		filter.JumpIf{Cond: filter.JumpNotEqual, Val: unix.IPPROTO_UDP, SkipTrue: 6},
		filter.LoadIndirect{Off: ipHeader + 2, Size: 2},
		filter.JumpIf{Cond: filter.JumpEqual, Val: 67, SkipTrue: 3, SkipFalse: 4}, // DHCP's server port
		filter.LoadIndirect{Off: ipHeader, Size: 1},
		filter.JumpIf{Cond: filter.JumpEqual, Val: 8, SkipTrue: 1, SkipFalse: 2}, // an echo request; its answer says the same
		filter.RetConstant{Val: 0},
		filter.RetConstant{Val: maxDatagram},
		filter.RetConstant{Val: 0},
	}
}

// lost is how many frames the kernel dropped since this was last asked.
func (t *linkTap) lost() (int, error) {
	raw, err := t.SyscallConn()
	if err != nil {
		return 0, err
	}
	var stats *unix.TpacketStats
	failed := raw.Control(func(fd uintptr) {
		stats, err = unix.GetsockoptTpacketStats(int(fd), unix.SOL_PACKET, unix.PACKET_STATISTICS)
	})
	if err := errors.Join(failed, err); err != nil {
		return 0, fmt.Errorf("counting lost frames: %w", err)
	}
	return int(stats.Drops), nil
}

// close does not wait: the kernel takes its time to let go of a packet socket,
// and nobody needs to know when it has.
func (t *linkTap) close() { go t.Close() }
