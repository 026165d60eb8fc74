package watchdog

import (
	"os/signal"
	"slices"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// fault is done to a bridge and its watchdog once they are armed.
type fault struct {
	name string
	do   func(standIn)
	lost bool // the bridge lives on and is told
}

func kill(pid int, s unix.Signal) { unix.Kill(pid, s) }

// faults leaves out the hang-up where this process ignores it, as under nohup:
// so do its children then, and nothing is hurt.
func faults() []fault {
	all := allFaults()
	if signal.Ignored(unix.SIGHUP) {
		all = slices.DeleteFunc(all, func(f fault) bool { return f.name == hangUp })
	}
	return all
}

const hangUp = "process group hung up on"

func allFaults() []fault {
	return []fault{
		{"bridge killed", func(b standIn) { kill(b.pid, unix.SIGKILL) }, false},
		{"bridge paused", func(b standIn) { kill(b.pid, unix.SIGSTOP) }, false},
		{"bridge terminated", func(b standIn) { kill(b.pid, unix.SIGTERM) }, false},
		{"process group killed", func(b standIn) { kill(-b.pid, unix.SIGKILL) }, false},
		{hangUp, func(b standIn) { kill(-b.pid, unix.SIGHUP) }, false},
		{"watchdog killed", func(b standIn) { kill(b.watchdog, unix.SIGKILL) }, true},
		{"watchdog paused", func(b standIn) { kill(b.watchdog, unix.SIGSTOP) }, true},
		{"watchdog terminated", func(b standIn) { kill(b.watchdog, unix.SIGTERM) }, true},
		{"watchdog paused, then its bridge killed", func(b standIn) {
			kill(b.watchdog, unix.SIGSTOP)
			kill(b.pid, unix.SIGKILL)
			kill(b.watchdog, unix.SIGCONT)
		}, false},
	}
}

// suffer does a fault and wants the first process dead, and everyone else who
// knows about the container as well.
func suffer(t *testing.T, s scene, f fault) {
	t.Helper()
	b := startBridge(t, task{Options: s.options()})
	if gone(t, s.pidfd, 0) {
		t.Fatal("it is dead before the fault")
	}
	f.do(b)
	if !gone(t, s.pidfd, patience) {
		t.Fatal("the container outlives the fault")
	}
	if !f.lost {
		if !gone(t, b.dogfd, patience) {
			t.Error("the watchdog does not exit")
		}
		return
	}
	if r := b.next(t); r.Said != "lost" {
		t.Errorf("the bridge has %s", r.Said)
	}
	if r := b.disarm(t); r.Said != "disarmed" || r.Clean {
		t.Errorf("the bridge has %s, clean: %v", r.Said, r.Clean)
	}
	if !gone(t, b.dogfd, patience) {
		t.Error("the watchdog is not ended with its lease")
	}
}

func TestAFaultEndsTheContainer(t *testing.T) {
	for _, f := range faults() {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			suffer(t, fakeScene(t), f)
		})
	}
}

// slow timing puts the next pulse and the end of the lease far away.
func slow() Timing {
	return Timing{Heartbeat: 8 * time.Second, Ack: 9 * time.Second, Lease: 10 * time.Second}
}

func TestDeathIsSeenBeforeTheNextPulse(t *testing.T) {
	for _, f := range faults() {
		if f.name != "bridge killed" && f.name != "watchdog killed" {
			continue
		}
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			s := fakeScene(t)
			o := s.options()
			o.Timing = slow()
			b := startBridge(t, task{Options: o})
			f.do(b)
			if !gone(t, s.pidfd, slow().Heartbeat/2) {
				t.Error("it takes a pulse or a lease")
			}
		})
	}
}

// survivals are the faults that a weakened watchdog lets a container survive,
// in timings where the strict one does not take long.
func survivals() []struct {
	name   string
	fault  string
	timing Timing
	weak   Weakness
	fail   int // kills that the Engine refuses first
} {
	return []struct {
		name   string
		fault  string
		timing Timing
		weak   Weakness
		fail   int
	}{
		{"no check of answers", "watchdog paused", Timing{Heartbeat: 50 * time.Millisecond, Ack: 600 * time.Millisecond, Lease: 10 * time.Second}, Weakness{NoAckCheck: true}, 0},
		{"no deadline", "bridge paused", Timing{Heartbeat: 50 * time.Millisecond, Ack: 600 * time.Millisecond, Lease: 700 * time.Millisecond}, Weakness{NoDeadline: true}, 0},
		{"in the bridge's group", "process group killed", Timing{}, Weakness{SameGroup: true}, 0},
		{"a single try", "bridge killed", Timing{}, Weakness{SingleTry: true}, 2},
	}
}

func faultNamed(t *testing.T, name string) fault {
	for _, f := range faults() {
		if f.name == name {
			return f
		}
	}
	t.Fatalf("no fault is called %q", name)
	return fault{}
}

func TestAWeakWatchdogLetsTheContainerLive(t *testing.T) {
	for _, c := range survivals() {
		for _, weak := range []bool{false, true} {
			name := c.name
			if !weak {
				name += ", strict"
			}
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				s := fakeScene(t)
				s.fake.fail = c.fail
				o := s.options()
				o.Timing = c.timing
				within := patience
				if weak {
					o.Weak = c.weak
					o.Weak.NoPidfd = true
					within = 2 * time.Second // three times what the strict one takes
				}
				b := startBridge(t, task{Options: o})
				faultNamed(t, c.fault).do(b)
				if dead := gone(t, s.pidfd, within); dead == weak {
					t.Errorf("dead: %v", dead)
				}
			})
		}
	}
}

// What is not meant for the watchdog leaves the lease as it is.
func TestAHangUpIsNotForTheWatchdog(t *testing.T) {
	s := fakeScene(t)
	b := startBridge(t, task{Options: s.options()})
	for _, sig := range []unix.Signal{unix.SIGHUP, unix.SIGINT, unix.SIGQUIT, unix.SIGTSTP} {
		kill(b.watchdog, sig)
	}
	if r := b.disarm(t); r.Said != "disarmed" || !r.Clean {
		t.Errorf("the bridge has %s, clean: %v", r.Said, r.Clean)
	}
	if gone(t, s.pidfd, 0) || s.fake.killed() != 0 {
		t.Error("the container was touched")
	}
}
