package observers

import (
	"encoding/binary"
	"errors"
	"net"

	"golang.org/x/sys/unix"
)

// tellHeaders asks for the type of service and the lifetime of every datagram
// (IP_RECVTOS and IP_RECVTTL, ip(7)).
func tellHeaders(c *net.UDPConn) error {
	return setIP(c, map[int]int{unix.IP_RECVTOS: 1, unix.IP_RECVTTL: 1})
}

// setHeaders sets them for what is sent next.
func setHeaders(c *net.UDPConn, h datagramHeaders) error {
	return setIP(c, map[int]int{unix.IP_TOS: h.service, unix.IP_TTL: h.lifetime})
}

func setIP(c *net.UDPConn, options map[int]int) error {
	raw, err := c.SyscallConn()
	if err != nil {
		return err
	}
	var failed error
	err = raw.Control(func(fd uintptr) {
		for name, value := range options {
			failed = errors.Join(failed, unix.SetsockoptInt(int(fd), unix.IPPROTO_IP, name, value))
		}
	})
	return errors.Join(err, failed)
}

// headersOf finds both in a message's control data.
func headersOf(oob []byte) datagramHeaders {
	h := datagramHeaders{-1, -1}
	messages, err := unix.ParseSocketControlMessage(oob)
	if err != nil {
		return h
	}
	for _, m := range messages {
		if m.Header.Level != unix.IPPROTO_IP {
			continue
		}
		switch {
		case m.Header.Type == unix.IP_TOS && len(m.Data) >= 1:
			h.service = int(m.Data[0])
		case m.Header.Type == unix.IP_TTL && len(m.Data) >= 4:
			h.lifetime = int(binary.NativeEndian.Uint32(m.Data))
		}
	}
	return h
}
