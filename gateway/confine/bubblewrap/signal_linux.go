package bubblewrap

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// sandboxOf reads what bwrap tells of a sandbox it has made: the number of its
// first process. It is 0 where bwrap made none.
func sandboxOf(info *os.File) int {
	var told struct {
		Child int `json:"child-pid"`
	}
	if json.NewDecoder(info).Decode(&told) != nil {
		return 0
	}
	return told.Child
}

// Signal sends the server itself a signal. One that has ended receives nothing;
// one that is about to start receives it when it has.
func (p *Process) Signal(sig syscall.Signal) error {
	for {
		server := serverIn(p.first)
		if server < 0 {
			select {
			case <-p.gone:
				return nil
			case <-time.After(time.Millisecond):
				continue
			}
		}
		err := unix.PidfdSendSignal(server, sig, nil, 0)
		unix.Close(server)
		if err != nil && !errors.Is(err, unix.ESRCH) {
			return fmt.Errorf("sending the server a signal: %w", err)
		}
		return nil
	}
}

// serverIn opens the second process of a sandbox, which is the server: the first
// only waits for it. It is negative where there is none.
func serverIn(first int) int {
	children, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", first, first))
	for _, child := range strings.Fields(string(children)) {
		pid, _ := strconv.Atoi(child)
		fd, err := unix.PidfdOpen(pid, 0)
		if err != nil {
			continue
		}
		// Looked at while the descriptor holds the number.
		if second(pid) {
			return fd
		}
		unix.Close(fd)
	}
	return -1
}

// second reports whether a process is the second of its own namespace.
func second(pid int) bool {
	status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	for line := range strings.Lines(string(status)) {
		if numbers, ok := strings.CutPrefix(line, "NSpid:"); ok {
			f := strings.Fields(numbers)
			return len(f) > 1 && f[len(f)-1] == "2"
		}
	}
	return false
}
