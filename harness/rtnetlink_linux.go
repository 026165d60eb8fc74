package harness

import (
	"encoding/binary"
	"fmt"
	"net/netip"
	"os"

	"golang.org/x/sys/unix"
)

// rtnl is a request about links and addresses to the kernel (rtnetlink(7)), of
// the network namespace of the thread that sends it.
type rtnl struct{ b []byte }

func request(kind, flags uint16, header []byte) *rtnl {
	b := make([]byte, unix.SizeofNlMsghdr)
	binary.NativeEndian.PutUint16(b[4:], kind)
	binary.NativeEndian.PutUint16(b[6:], flags|unix.NLM_F_REQUEST|unix.NLM_F_ACK)
	return &rtnl{append(b, header...)}
}

// link is a request about the link with that index.
func link(kind, flags uint16, index int, set uint32) *rtnl {
	return request(kind, flags, linkHeader(index, set))
}

// linkHeader is a struct ifinfomsg.
func linkHeader(index int, set uint32) []byte {
	h := make([]byte, unix.SizeofIfInfomsg)
	binary.NativeEndian.PutUint32(h[4:], uint32(index))
	binary.NativeEndian.PutUint32(h[8:], set)
	binary.NativeEndian.PutUint32(h[12:], set) // the flags that are meant
	return h
}

// address is a request about an IPv4 address of a link.
func address(kind uint16, index int, own netip.Prefix) *rtnl {
	h := make([]byte, unix.SizeofIfAddrmsg) // struct ifaddrmsg
	h[0], h[1] = unix.AF_INET, byte(own.Bits())
	binary.NativeEndian.PutUint32(h[4:], uint32(index))
	var flags uint16
	if kind == unix.RTM_NEWADDR {
		flags = unix.NLM_F_CREATE | unix.NLM_F_EXCL
	}
	r := request(kind, flags, h)
	a := own.Addr().As4()
	r.add(unix.IFA_LOCAL, a[:])
	r.add(unix.IFA_ADDRESS, a[:])
	return r
}

// add appends an attribute, padded to four bytes.
func (r *rtnl) add(kind uint16, value []byte) { r.b = append(r.b, attribute(kind, value)...) }

func attribute(kind uint16, value []byte) []byte {
	b := make([]byte, 4, (4+len(value)+3)&^3)
	binary.NativeEndian.PutUint16(b, uint16(4+len(value)))
	binary.NativeEndian.PutUint16(b[2:], kind)
	b = append(b, value...)
	return b[:cap(b)]
}

// do sends the request and reads what the kernel says of it.
func (r *rtnl) do() error {
	fd, err := unix.Socket(unix.AF_NETLINK, unix.SOCK_RAW|unix.SOCK_CLOEXEC, unix.NETLINK_ROUTE)
	if err != nil {
		return os.NewSyscallError("socket", err)
	}
	defer unix.Close(fd)
	binary.NativeEndian.PutUint32(r.b, uint32(len(r.b)))
	if err := unix.Sendto(fd, r.b, 0, &unix.SockaddrNetlink{Family: unix.AF_NETLINK}); err != nil {
		return os.NewSyscallError("sendto", err)
	}
	answer := make([]byte, 4096)
	n, _, err := unix.Recvfrom(fd, answer, 0)
	if err != nil {
		return os.NewSyscallError("recvfrom", err)
	}
	if n < unix.SizeofNlMsghdr+4 || binary.NativeEndian.Uint16(answer[4:]) != unix.NLMSG_ERROR {
		return fmt.Errorf("the kernel's answer has %d bytes and is none", n)
	}
	if code := int32(binary.NativeEndian.Uint32(answer[unix.SizeofNlMsghdr:])); code != 0 {
		return unix.Errno(-code)
	}
	return nil
}
