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

// told is what bwrap says of a sandbox, one object after another: the number of
// its first process when it is made, and the exit code of a server that ran.
type told struct {
	Child *int `json:"child-pid"`
	Exit  *int `json:"exit-code"`
}

// sandboxOf is the first process of a sandbox, and 0 where there is none.
func sandboxOf(d *json.Decoder) int {
	var t told
	if d.Decode(&t) != nil || t.Child == nil {
		return 0
	}
	return *t.Child
}

// ranIn reads to the end whether the server ran.
func ranIn(d *json.Decoder) bool {
	ran := false
	for {
		var t told
		if d.Decode(&t) != nil {
			return ran
		}
		ran = ran || t.Exit != nil
	}
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
