package watchdog

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

func armed0(t testing.TB, s scene, timing Timing) *Lease {
	t.Helper()
	o := s.options()
	o.Timing = timing
	l, err := Arm(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Disarm(context.WithoutCancel(t.Context())) })
	return l
}

func lost(l *Lease, within time.Duration) bool {
	select {
	case <-l.Lost():
		return true
	case <-time.After(within):
	}
	select {
	case <-l.Lost():
		return true
	default:
		return false
	}
}

// descriptors counts pipe ends and pidfds of ours. Sockets are the fake
// Engine's, which closes them when it gets round to it.
func descriptors(t testing.TB) (n int) {
	t.Helper()
	for _, link := range links(t, os.Getpid()) {
		if strings.HasPrefix(link, "pipe:") || strings.Contains(link, "pidfd") {
			n++
		}
	}
	return n
}

func TestDisarmLeavesTheContainerAlone(t *testing.T) {
	s := fakeScene(t)
	armed0(t, s, Timing{}).Disarm(t.Context()) // what Go opens once is open now
	before := descriptors(t)
	l := armed0(t, s, Timing{Heartbeat: time.Millisecond})
	if l.Pidfd {
		t.Error("a pidfd is claimed")
	}
	if err := l.Strike(); !errors.Is(err, errNoPidfd) {
		t.Errorf("striking without a pidfd: %v", err)
	}
	if lost(l, l.timing.Lease+l.timing.Heartbeat) || s.fake.killed() != 0 {
		t.Error("heartbeats do not keep the lease")
	}
	for range 2 {
		if err := l.Disarm(t.Context()); err != nil {
			t.Error(err)
		}
	}
	if lost(l, 0) || gone(t, s.pidfd, 0) || s.fake.killed() != 0 {
		t.Error("the container was touched")
	}
	if err := unix.Kill(l.PID(), 0); err != unix.ESRCH {
		t.Errorf("the program is not reaped: %v", err)
	}
	if after := descriptors(t); after != before {
		t.Errorf("%d descriptors before, %d after", before, after)
	}
}

func TestALostLeaseIsNeverACleanEnd(t *testing.T) {
	for name, end := range map[string]func(testing.TB, int){
		"killed": func(_ testing.TB, pid int) { unix.Kill(pid, unix.SIGKILL) },
		"paused": pauseProcess,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := armed0(t, fakeScene(t), slow()) // no heartbeat finds it out
			end(t, l.PID())
			if err := l.Disarm(t.Context()); !errors.Is(err, ErrLost) {
				t.Errorf("%v", err)
			}
			if !lost(l, 0) {
				t.Error("nobody is told")
			}
			if err := unix.Kill(l.PID(), 0); err != unix.ESRCH {
				t.Errorf("the program is not reaped: %v", err)
			}
		})
	}
}

// running looks for an impostor among our children.
func running(t testing.TB, how string) bool {
	t.Helper()
	lines, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range lines {
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(name)))
		line, err := os.ReadFile(name)
		if err == nil && strings.HasPrefix(string(line), "/proc/self/exe\x00impostor\x00"+how+"\x00") && parentOf(pid) == os.Getpid() {
			return true
		}
	}
	return false
}

// parentOf is 0 for a process that has ended.
func parentOf(pid int) int {
	stat, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, rest, _ := strings.Cut(string(stat), ") ")
	var state string
	var parent int
	fmt.Sscan(rest, &state, &parent)
	return parent
}

// pauseProcess stops a process, and returns when every thread of it has stopped.
func pauseProcess(t testing.TB, pid int) {
	t.Helper()
	unix.Kill(pid, unix.SIGSTOP)
	threads := fmt.Sprintf("/proc/%d/task/*/stat", pid)
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(time.Millisecond) {
		names, err := filepath.Glob(threads)
		if err != nil {
			t.Fatal(err)
		}
		stopped := 0
		for _, name := range names {
			if stat, err := os.ReadFile(name); err == nil && strings.Contains(string(stat), ") T ") {
				stopped++
			}
		}
		if len(names) > 0 && stopped == len(names) {
			return
		}
	}
	t.Fatal("the process does not stop")
}

// Real programs that do not do what the watchdog does.
func TestAnImpostorIsSeen(t *testing.T) {
	timing := Timing{Heartbeat: 50 * time.Millisecond, Ack: 500 * time.Millisecond, Lease: time.Second, StopTry: 100 * time.Millisecond}
	for _, c := range []struct {
		how  string
		arms bool
	}{
		{"mute", false}, {"dies", false}, {"refuses", false}, {"garbage", false},
		{"full", true}, {"silent", true}, {"wrong", true}, {"other", true}, {"twice", true},
		{"half", true}, {"deaf", true}, {"leaves", true},
	} {
		t.Run(c.how, func(t *testing.T) {
			t.Parallel()
			s := fakeScene(t)
			o := s.options()
			o.Command = []string{"/proc/self/exe", "impostor", c.how}
			o.Timing = timing
			l, err := Arm(t.Context(), o)
			if (err == nil) != c.arms {
				t.Fatalf("arming: %v", err)
			}
			if err != nil {
				if running(t, c.how) {
					t.Error("the program is left behind")
				}
				return
			}
			if !lost(l, patience) {
				t.Error("the lease is kept")
			}
			if err := l.Disarm(t.Context()); !errors.Is(err, ErrLost) {
				t.Errorf("disarming: %v", err)
			}
		})
	}
}

func TestAFarewellIsNotTakenForGranted(t *testing.T) {
	for _, c := range []struct {
		how  string
		lost bool
	}{{"obstinate", true}, {"lingering", false}, {"failing", false}} {
		t.Run(c.how, func(t *testing.T) {
			t.Parallel()
			o := fakeScene(t).options()
			o.Command = []string{"/proc/self/exe", "impostor", c.how}
			l, err := Arm(t.Context(), o)
			if err != nil {
				t.Fatal(err)
			}
			err = l.Disarm(t.Context())
			if err == nil || errors.Is(err, ErrLost) != c.lost || lost(l, 0) != c.lost {
				t.Errorf("%v", err)
			}
			if running(t, c.how) {
				t.Error("the program is left behind")
			}
		})
	}
}

func TestArmEndsWithItsContext(t *testing.T) {
	o := fakeScene(t).options()
	o.Command = []string{"/proc/self/exe", "impostor", "mute"}
	o.Timing.StopTry = maxStopTry
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(10*time.Millisecond, cancel)
	if _, err := Arm(ctx, o); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

func TestWhatTheEngineSaysDecidesAboutArming(t *testing.T) {
	account := func(running string, pid string) string {
		return `{"Id":"` + someContainer() + `","State":{"Running":` + running + `,"Pid":` + pid + `}}`
	}
	for _, c := range []struct{ name, account, want string }{
		{"stopped", account("false", "0"), notRunning.String()},
		{"another process", account("true", "1"), otherProcess.String()},
		{"no state", `{"Id":"` + someContainer() + `"}`, engineSilent.String()},
		{"another container", strings.Replace(account("true", "1"), "0a", "0b", 1), engineSilent.String()},
		{"not JSON", "yes", engineSilent.String()},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := fakeScene(t)
			s.fake.account = c.account
			_, err := Arm(t.Context(), s.options())
			if err == nil || !strings.HasSuffix(err.Error(), c.want) {
				t.Errorf("%v, want %s", err, c.want)
			}
		})
	}
	t.Run("gone", func(t *testing.T) {
		s := fakeScene(t)
		s.fake.container = "another"
		if _, err := Arm(t.Context(), s.options()); err == nil || !strings.HasSuffix(err.Error(), notRunning.String()) {
			t.Errorf("%v", err)
		}
	})
}

// A process that is in no cgroup of the container's is never struck.
func TestAProcessOfNobodysIsNotHeld(t *testing.T) {
	s := fakeScene(t)
	o := s.options()
	o.Weak.NoPidfd = false
	before := descriptors(t)
	if _, err := Arm(t.Context(), o); err == nil || !strings.HasSuffix(err.Error(), otherContainer.String()) {
		t.Errorf("%v", err)
	}
	if gone(t, s.pidfd, 0) {
		t.Error("it was killed")
	}
	if after := descriptors(t); after != before {
		t.Errorf("%d descriptors before, %d after", before, after)
	}
}
