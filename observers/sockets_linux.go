package observers

import (
	"errors"
	"net"
	"net/netip"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// join binds the group's own address, so that nothing else is heard, and joins
// it on the link where this host has the address own.
func join(own netip.Addr, group netip.AddrPort) (*net.UDPConn, error) {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, 0)
	if err != nil {
		return nil, os.NewSyscallError("socket", err)
	}
	f := os.NewFile(uintptr(fd), "multicast")
	defer f.Close() // the connection has a descriptor of its own
	if err := unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_REUSEADDR, 1); err != nil {
		return nil, os.NewSyscallError("sharing the port", err)
	}
	if err := unix.Bind(fd, &unix.SockaddrInet4{Addr: group.Addr().As4(), Port: int(group.Port())}); err != nil {
		return nil, os.NewSyscallError("bind", err)
	}
	member := &unix.IPMreq{Multiaddr: group.Addr().As4(), Interface: own.As4()}
	if err := unix.SetsockoptIPMreq(fd, unix.IPPROTO_IP, unix.IP_ADD_MEMBERSHIP, member); err != nil {
		return nil, os.NewSyscallError("joining the group", err)
	}
	c, err := net.FilePacketConn(f)
	if err != nil {
		return nil, err
	}
	return c.(*net.UDPConn), nil
}

// sendFrom sends one byte from that port, which others may use as well.
func sendFrom(from netip.AddrPort, to *net.UDPAddr) error {
	shared := func(_, _ string, c syscall.RawConn) (err error) {
		failed := c.Control(func(fd uintptr) { err = unix.SetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_REUSEADDR, 1) })
		return errors.Join(err, failed)
	}
	d := net.Dialer{LocalAddr: net.UDPAddrFromAddrPort(from), Control: shared}
	c, err := d.Dial("udp4", to.String())
	if err != nil {
		return err
	}
	defer c.Close()
	_, err = c.Write([]byte{0})
	return err
}
