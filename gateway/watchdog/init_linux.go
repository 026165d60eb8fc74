package watchdog

import (
	"errors"
	"fmt"
	"os"
	"path"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// initProcess is a hold on a container's first process: a pidfd, which never
// comes to mean another process (pidfd_open(2)).
type initProcess struct {
	mu sync.Mutex
	fd int // -1 where there is none (any more)
}

var errNoPidfd = errors.New("no pidfd is held")

// holdInit takes hold of a process and then makes sure that it is in a cgroup
// of the container's. While the pidfd still reaches it, its number means
// nobody else, so what was read under that number was about it. Where the host
// permits no pidfd, the hold is empty and nothing was made sure of.
func holdInit(pid int, container string) (*initProcess, reason) {
	fd, err := unix.PidfdOpen(pid, 0)
	switch {
	case notPermitted(err):
		return &initProcess{fd: -1}, noReason
	case err != nil:
		return nil, initGone
	}
	cgroup, readErr := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/cgroup")
	err = unix.PidfdSendSignal(fd, 0, nil, 0)
	why := noReason
	switch {
	case notPermitted(err):
		unix.Close(fd)
		return &initProcess{fd: -1}, noReason
	case err != nil || readErr != nil:
		why = initGone
	case !inContainer(string(cgroup), container):
		why = otherContainer
	}
	if why != noReason {
		unix.Close(fd)
		return nil, why
	}
	return &initProcess{fd: fd}, noReason
}

// notPermitted tells a kernel without the call, and a filter or a rule
// against it, from a process that is not there.
func notPermitted(err error) bool {
	return errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.EPERM)
}

// inContainer wants a hierarchy that ends in a cgroup named after the
// container, as cgroupfs or as systemd has it, see cgroups(7).
func inContainer(cgroup, container string) bool {
	for line := range strings.Lines(cgroup) {
		parts := strings.SplitN(strings.TrimSuffix(line, "\n"), ":", 3)
		if len(parts) != 3 {
			return false
		}
		switch path.Base(parts[2]) {
		case container, "docker-" + container + ".scope": // the first is a cell's, too
			return true
		}
	}
	return false
}

func (p *initProcess) held() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.fd >= 0
}

// strike kills the process, and with it every other of its PID namespace
// (pid_namespaces(7)). One that is dead already is no error.
func (p *initProcess) strike() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.fd < 0 {
		return errNoPidfd
	}
	if err := unix.PidfdSendSignal(p.fd, unix.SIGKILL, nil, 0); err != nil && !errors.Is(err, unix.ESRCH) {
		return fmt.Errorf("killing the container's first process: %w", err)
	}
	return nil
}

// gone waits, as long as an Engine would be given, until the process has ended,
// which its pidfd tells, and strikes again before each try.
func (p *initProcess) gone(t Timing) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for range t.Tries {
		unix.PidfdSendSignal(p.fd, unix.SIGKILL, nil, 0)
		if ended(p.fd, t.StopTry) {
			return true
		}
	}
	return false
}

// ended waits until the process of a pidfd has ended (pidfd_open(2)).
func ended(pidfd int, within time.Duration) bool {
	for end := time.Now().Add(within); ; {
		waits := []unix.PollFd{{Fd: int32(pidfd), Events: unix.POLLIN}}
		n, err := unix.Poll(waits, max(0, int(time.Until(end).Milliseconds())))
		if !errors.Is(err, unix.EINTR) {
			return err == nil && n == 1 && waits[0].Revents&unix.POLLIN != 0
		}
	}
}

func (p *initProcess) release() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.fd >= 0 {
		unix.Close(p.fd)
		p.fd = -1
	}
}
