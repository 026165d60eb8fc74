package watchdog

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"postern/gateway/confine"
)

// celled starts a process in a cgroup of its own name, as a cell's is.
func celled(t *testing.T) scene {
	t.Helper()
	at := confine.CgroupMount("pids")
	if at == "" {
		at = confine.CgroupMount("")
	}
	id := fmt.Sprintf("%064x", time.Now().UnixNano())
	dir := filepath.Join(at, id)
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Skipf("no cgroup can be made here: %v", err)
	}
	cmd := exec.Command(program0()[0], "patient")
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		stdin.Close()
		cmd.Wait()
		if err := os.Remove(dir); err != nil {
			t.Error(err)
		}
	})
	if err := os.WriteFile(filepath.Join(dir, "cgroup.procs"), []byte(strconv.Itoa(cmd.Process.Pid)), 0); err != nil {
		t.Fatal(err)
	}
	return scene{container: id, pid: cmd.Process.Pid, pidfd: pidfdOf(t, cmd.Process.Pid)}
}

// Without an Engine the first process is struck all the same, and seen to end.
func TestAWatchdogWithoutAnEngine(t *testing.T) {
	s := celled(t)
	l, err := Arm(t.Context(), s.options())
	if err != nil {
		t.Fatal(err)
	}
	if !l.Pidfd {
		t.Error("it is armed without a hold on the process")
	}
	l.init.release()                  // our own hold: it alone is to strike
	l.process.Signal(syscall.SIGTERM) // for itself
	if !gone(t, s.pidfd, patience) {
		t.Error("the process lives on")
	}
	<-l.exited
	if l.code != ExitStopped {
		t.Errorf("exit code %d, want %d", l.code, ExitStopped)
	}
	if l.Disarm(t.Context()) == nil {
		t.Error("a lease that was lost ended well")
	}
}

// Disarmed, it leaves the process alone.
func TestAWatchdogWithoutAnEngineLeaves(t *testing.T) {
	s := celled(t)
	l, err := Arm(t.Context(), s.options())
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Disarm(t.Context()); err != nil {
		t.Error(err)
	}
	if gone(t, s.pidfd, 0) {
		t.Error("the process was struck")
	}
}

// Where it could not strike, or would strike another's process, it is not armed.
func TestAWatchdogWithoutAnEngineNeedsAHold(t *testing.T) {
	s := celled(t)
	o := s.options()
	o.Weak.NoPidfd = true
	if l, err := Arm(t.Context(), o); err == nil {
		l.Disarm(t.Context())
		t.Error("it is armed without a pidfd")
	}
	o = s.options()
	o.Container = strings.Repeat("0", 64)
	if l, err := Arm(t.Context(), o); err == nil {
		l.Disarm(t.Context())
		t.Error("it is armed for a process in another cgroup")
	}
}
