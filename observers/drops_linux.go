package observers

import (
	"encoding/binary"
	"errors"
	"net"

	"golang.org/x/sys/unix"
)

// countDrops asks for the kernel's count of datagrams lost at this socket
// (SO_RXQ_OVFL, socket(7)), and for a large buffer.
func countDrops(c *net.UDPConn, buffer int) error {
	raw, err := c.SyscallConn()
	if err != nil {
		return err
	}
	var failed error
	err = raw.Control(func(fd uintptr) {
		failed = unix.SetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_RXQ_OVFL, 1)
		// Root may go beyond net.core.rmem_max; others get what that allows.
		if unix.SetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_RCVBUFFORCE, buffer) != nil {
			failed = errors.Join(failed, unix.SetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_RCVBUF, buffer))
		}
	})
	return errors.Join(err, failed)
}

// dropCount finds the running count in a message's control data. It is absent
// while it is zero.
func dropCount(oob []byte) (uint32, bool) {
	if len(oob) == 0 {
		return 0, false
	}
	messages, err := unix.ParseSocketControlMessage(oob)
	if err != nil {
		return 0, false
	}
	for _, m := range messages {
		if m.Header.Level == unix.SOL_SOCKET && m.Header.Type == unix.SO_RXQ_OVFL && len(m.Data) >= 4 {
			return binary.NativeEndian.Uint32(m.Data), true
		}
	}
	return 0, false
}
