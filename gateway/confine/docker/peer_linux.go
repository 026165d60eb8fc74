package docker

import (
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// peer is the name of the process that listens at the other end: the one that
// called listen(2), see SO_PEERCRED in unix(7). A process outside our PID
// namespace has no number and is an error.
func peer(conn net.Conn) (string, error) {
	local, ok := conn.(*net.UnixConn)
	if !ok {
		return "", errors.New("not a unix socket")
	}
	raw, err := local.SyscallConn()
	if err != nil {
		return "", err
	}
	var cred *unix.Ucred
	var sockErr error
	if err := raw.Control(func(fd uintptr) {
		cred, sockErr = unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED)
	}); err != nil {
		return "", err
	}
	if sockErr != nil {
		return "", fmt.Errorf("reading the peer's credentials: %w", sockErr)
	}
	if cred.Pid <= 0 {
		return "", errors.New("the process that listens is in another PID namespace")
	}
	name, err := os.ReadFile("/proc/" + strconv.Itoa(int(cred.Pid)) + "/comm")
	if err != nil {
		return "", fmt.Errorf("reading the name of the process that listens: %w", err)
	}
	return strings.TrimSuffix(string(name), "\n"), nil
}
