package observers

import (
	"errors"
	"net"
	"syscall"

	"golang.org/x/sys/unix"
)

// urgentToo makes the connections of a listener keep urgent bytes among the
// others (SO_OOBINLINE, socket(7)). Otherwise a reader never sees them.
func urgentToo(_, _ string, socket syscall.RawConn) error {
	var failed error
	err := socket.Control(func(fd uintptr) {
		failed = unix.SetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_OOBINLINE, 1)
	})
	return errors.Join(err, failed)
}

// writeUrgent writes one byte as an urgent one.
func writeUrgent(c *net.TCPConn, b byte) error {
	socket, err := c.SyscallConn()
	if err != nil {
		return err
	}
	var failed error
	err = socket.Write(func(fd uintptr) bool {
		failed = unix.Sendto(int(fd), []byte{b}, unix.MSG_OOB, nil)
		return !errors.Is(failed, unix.EAGAIN)
	})
	return errors.Join(err, failed)
}
