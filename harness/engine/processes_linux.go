package engine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// endAll kills the processes of the Engine in h and of its containers, looking
// again until none is left: one may have started another before it died.
func endAll(ctx context.Context, h home, ids, groups []string) error {
	for {
		found, err := processes(h, ids)
		for _, fd := range found {
			if err == nil {
				err = kill(fd)
			}
		}
		thaw(groups)
		for _, fd := range found {
			if err == nil {
				err = awaitEnd(ctx, fd)
			}
			unix.Close(fd)
		}
		if err != nil || len(found) == 0 {
			return err
		}
	}
}

// processes gives a pidfd for each living process of the Engine.
func processes(h home, ids []string) (found []int, err error) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil, err
	}
	for _, entry := range entries {
		pid, err := strconv.Atoi(entry.Name())
		if err != nil || pid == os.Getpid() {
			continue
		}
		fd, err := open(pid, h, ids)
		if err != nil {
			return found, err
		}
		if fd >= 0 {
			found = append(found, fd)
		}
	}
	return found, nil
}

// open gives a pidfd of a living process of the Engine, or -1. Whose it is, is
// asked after the pidfd was opened: a number that is used again cannot have
// another process killed.
func open(pid int, h home, ids []string) (int, error) {
	fd, err := unix.PidfdOpen(pid, 0)
	if errors.Is(err, unix.ESRCH) {
		return -1, nil
	}
	if err != nil {
		return -1, fmt.Errorf("opening a process: %w", err)
	}
	ours, err := belongs(pid, h, ids)
	dead, pollErr := ended(fd, 0)
	if ours && !dead {
		return fd, nil
	}
	unix.Close(fd)
	if err = errors.Join(err, pollErr); err != nil && !dead {
		return -1, fmt.Errorf("looking at a process: %w", err)
	}
	return -1, nil
}

// awaitProcess waits until that process of the Engine is dead.
func awaitProcess(ctx context.Context, pid int, h home) error {
	fd, err := open(pid, h, nil)
	if err != nil || fd < 0 {
		return err
	}
	defer unix.Close(fd)
	return awaitEnd(ctx, fd)
}

func kill(fd int) error {
	if err := unix.PidfdSendSignal(fd, unix.SIGKILL, nil, 0); !errors.Is(err, unix.ESRCH) {
		return err
	}
	return nil
}

// belongs tells the daemons by their mark, and what runs in a container by its
// cgroup. What has ended meanwhile does not belong, nor does what has more
// capabilities than this process (ptrace(2), access mode checking): no child
// of ours gets there.
func belongs(pid int, h home, ids []string) (bool, error) {
	environ, err := procFile(pid, "environ")
	if err != nil {
		return false, err
	}
	for _, entry := range bytes.Split(environ, []byte{0}) {
		if string(entry) == mark+"="+string(h) {
			return true, nil
		}
	}
	cgroup, err := procFile(pid, "cgroup")
	for _, id := range ids {
		if strings.Contains(string(cgroup), id) {
			return true, err
		}
	}
	return false, err
}

func procFile(pid int, name string) ([]byte, error) {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/%s", pid, name))
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, unix.ESRCH) || errors.Is(err, fs.ErrPermission) {
		return nil, nil
	}
	return b, err
}

// awaitEnd waits until the process of a pidfd is dead, reaped or not.
func awaitEnd(ctx context.Context, fd int) error {
	for {
		if dead, err := ended(fd, 20*time.Millisecond); dead || err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
}

// ended polls a pidfd, pidfd_open(2), for so long.
func ended(fd int, wait time.Duration) (bool, error) {
	n, err := unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, int(wait.Milliseconds()))
	if errors.Is(err, unix.EINTR) {
		return false, nil
	}
	return n > 0, err
}

// thaw lets frozen processes take their SIGKILL: in the first version of
// cgroups they do not while a container is paused. Best effort: one that stays
// frozen is found by the wait.
func thaw(groups []string) {
	for _, group := range groups {
		for file, word := range map[string]string{"freezer.state": "THAWED", "cgroup.freeze": "0"} {
			path := filepath.Join(group, file)
			if _, err := os.Stat(path); err == nil {
				os.WriteFile(path, []byte(word), 0)
			}
		}
	}
}
