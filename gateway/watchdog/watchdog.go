// Package watchdog makes sure that a container does not outlive the process
// that guards it. A second process, in a process session of its own, kills the
// container when the first is gone or says nothing for the length of a lease;
// and the first learns at once when the second is gone.
//
// Arm starts that process and returns once it has a hold on the container. It
// promises that the program gets two pipe ends and no other descriptor, no
// environment, and in its arguments the container's id, the Engine's socket
// and timings: nothing of what the container was given. The pipes are held by
// nobody else, so that either side's death is an end of file to the other.
//
// The program kills the container's first process by a pidfd, where the host
// permits one, and then always asks the Engine, in several tries, until the
// Engine says that the container does not run. It asks with a small client of
// its own, over whatever listens on the socket: unlike package docker it does
// not look who that is. Whoever arms it has looked; all that it ever asks is
// about this one container; and a false answer can be put in front of it to
// test it.
//
// Where no Engine made the sandbox, as with bubblewrap, the pidfd is all there is
// to strike with: without one it is not armed, and it waits until the process is
// gone, with which every other of its PID namespace is.
//
// All waits are Go timers, which run on CLOCK_MONOTONIC. A step of the wall
// clock does not touch them, and they stand still while the host is suspended
// (clock_gettime(2)), for both sides alike: what was left of a lease is left
// after waking up.
//
// It does not cover the death of both processes at once, nor of the one before
// Arm: what then still runs is found by the sweep. And it knows one container
// by one id: it removes nothing.
package watchdog

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"
)

// Options say what to watch, and how.
type Options struct {
	Command   []string // the program and what makes it call Main: {"/proc/self/exe", "watchdog"}
	Socket    string   // the Engine's unix socket, an absolute path; empty where none has a hand in it
	Container string   // its full id
	PID       int      // its first process, as the Engine said, in the host's numbering
	Timing    Timing
	Weak      Weakness
}

// Timing bounds every wait. A zero field takes the default.
type Timing struct {
	Heartbeat time.Duration // from one heartbeat to the next: 250 ms
	// Ack is how long the program may be silent, 1 s. It counts from the
	// heartbeat before: each has Ack less Heartbeat to be written and
	// answered, so that a program which stops just after an answer is not
	// given longer than one that stops just before it.
	Ack     time.Duration
	Lease   time.Duration // how long the program waits for a heartbeat: 2 s
	StopTry time.Duration // the bound on one try of stopping through the Engine: 5 s
	Tries   int           // how often it tries: 3
}

// Weakness takes controls away, for the tests that must see the difference.
// The zero value is strict.
type Weakness struct {
	NoAckCheck bool // a missing answer does not lose the lease
	NoDeadline bool // a missing heartbeat does not end it; the end of the pipe still does
	SameGroup  bool // the program stays in the process group of whoever arms it
	SingleTry  bool // one try of stopping through the Engine
	// NoPidfd is a host that permits none, to both sides. It is no control:
	// what it takes away is speed, and what hides the tries.
	NoPidfd bool
}

// ErrLost is what Disarm returns where the lease was lost before.
var ErrLost = errors.New("the watchdog's lease was lost")

// strictest bounds on what may be asked for: a lease of an hour is none.
const (
	maxLease   = 10 * time.Second
	maxStopTry = 30 * time.Second
	maxTries   = 10
)

// complete fills in defaults and refuses what cannot work.
func (o Options) complete() (Options, error) {
	o.Timing = o.Timing.complete()
	if len(o.Command) == 0 || !filepath.IsAbs(o.Command[0]) {
		return o, errors.New("arming the watchdog: the program must be named by an absolute path")
	}
	if o.PID <= 1 {
		return o, errors.New("arming the watchdog: no first process to watch")
	}
	if o.Socket == "" && o.Weak.NoPidfd {
		return o, errors.New("arming the watchdog: without an Engine and a pidfd there is nothing to strike with")
	}
	if err := aim(o.Socket, o.Container); err != nil {
		return o, fmt.Errorf("arming the watchdog: %w", err)
	}
	if err := o.Timing.validate(); err != nil {
		return o, fmt.Errorf("arming the watchdog: %w", err)
	}
	if o.Weak.SingleTry {
		o.Timing.Tries = 1
	}
	return o, nil
}

// aim refuses a target that could be mistaken: a name or the beginning of an
// id may mean another container tomorrow.
func aim(socket, container string) error {
	if socket != "" && !filepath.IsAbs(socket) {
		return errors.New("the Engine's socket must be an absolute path")
	}
	if len(container) != 64 || strings.Trim(container, "0123456789abcdef") != "" {
		return errors.New("the container must be named by its full id")
	}
	return nil
}

func (t Timing) complete() Timing {
	for _, d := range []struct {
		field *time.Duration
		value time.Duration
	}{
		{&t.Heartbeat, 250 * time.Millisecond},
		{&t.Ack, time.Second},
		{&t.Lease, 2 * time.Second},
		{&t.StopTry, 5 * time.Second},
	} {
		if *d.field == 0 {
			*d.field = d.value
		}
	}
	if t.Tries == 0 {
		t.Tries = 3
	}
	return t
}

// validate wants heartbeats closer than answers are late, and both well
// within the lease.
func (t Timing) validate() error {
	if t.Heartbeat <= 0 || t.Ack <= t.Heartbeat || t.Lease <= t.Ack || t.Lease > maxLease {
		return fmt.Errorf("timing must rise from heartbeat over acknowledgment to lease, at most %v", maxLease)
	}
	return t.validateStop()
}

func (t Timing) validateStop() error {
	if t.StopTry <= 0 || t.StopTry > maxStopTry || t.Tries < 1 || t.Tries > maxTries {
		return fmt.Errorf("at most %d tries of at most %v, and at least one", maxTries, maxStopTry)
	}
	return nil
}
