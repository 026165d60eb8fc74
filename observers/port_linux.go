package observers

import (
	"encoding/binary"
	"fmt"
	"net"
	"os"

	"golang.org/x/sys/unix"

	"postern/observers/netns"
)

// Port is where others send to a link that is captured: a container does, and
// so do the pilots. It may be shared between observers.
type Port struct {
	fd    int
	index int
}

// OpenPort opens the interface with that name in a network namespace.
func OpenPort(namespace, link string) (*Port, error) {
	p := &Port{fd: -1}
	err := netns.Inside(namespace, func() error {
		from, err := net.InterfaceByName(link)
		if err != nil {
			return err
		}
		p.index = from.Index
		p.fd, err = unix.Socket(unix.AF_PACKET, unix.SOCK_RAW|unix.SOCK_CLOEXEC, 0)
		return os.NewSyscallError("socket", err)
	})
	if err != nil {
		return nil, fmt.Errorf("opening a port of a bridge: %w", err)
	}
	return p, nil
}

// send sends a frame of no protocol to all on the link.
func (p *Port) send(b []byte) error {
	frame := []byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2, 0, 0, 0, 0, 2}
	frame = append(binary.BigEndian.AppendUint16(frame, frameType), b...)
	return os.NewSyscallError("sendto", unix.Sendto(p.fd, frame, 0, &unix.SockaddrLinklayer{Ifindex: p.index}))
}

// Close closes it.
func (p *Port) Close() error { return os.NewSyscallError("close", unix.Close(p.fd)) }
