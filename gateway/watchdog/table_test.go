package watchdog

import (
	"path/filepath"
	"testing"
	"time"
)

func goodOptions() Options {
	return Options{Command: []string{"/proc/self/exe", "watchdog"}, Socket: "/run/engine", Container: container64(), PID: 4242}
}

func container64() string { return "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef" }

func TestOptions(t *testing.T) {
	for _, c := range []struct {
		name string
		do   func(*Options)
		ok   bool
	}{
		{"defaults", func(*Options) {}, true},
		{"no command", func(o *Options) { o.Command = nil }, false},
		{"a command to be searched for", func(o *Options) { o.Command = []string{"postern"} }, false},
		{"a socket that depends on the directory", func(o *Options) { o.Socket = "engine" }, false},
		{"a container's name", func(o *Options) { o.Container = "agent" }, false},
		{"half an id", func(o *Options) { o.Container = o.Container[:32] }, false},
		{"a path for an id", func(o *Options) { o.Container = "/" + o.Container[1:] }, false},
		{"no process", func(o *Options) { o.PID = 0 }, false},
		{"the init of the host", func(o *Options) { o.PID = 1 }, false},
		{"a group of processes", func(o *Options) { o.PID = -4242 }, false},
		{"a lease too long", func(o *Options) { o.Timing.Lease = maxLease + 1 }, false},
		{"a lease no longer than an answer", func(o *Options) { o.Timing.Ack, o.Timing.Lease = time.Second, time.Second }, false},
		{"an answer within a heartbeat", func(o *Options) { o.Timing.Heartbeat = time.Second }, false},
		{"time that runs backwards", func(o *Options) { o.Timing.Heartbeat = -1 }, false},
		{"a try without end", func(o *Options) { o.Timing.StopTry = maxStopTry + 1 }, false},
		{"negative tries", func(o *Options) { o.Timing.Tries = -1 }, false},
		{"tries without end", func(o *Options) { o.Timing.Tries = maxTries + 1 }, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := goodOptions()
			c.do(&o)
			if _, err := o.complete(); (err == nil) != c.ok {
				t.Errorf("%v", err)
			}
		})
	}
}

func TestTheProgramReadsWhatItIsTold(t *testing.T) {
	for _, weak := range []Weakness{{}, {NoDeadline: true}, {NoPidfd: true}, {SingleTry: true}, {NoAckCheck: true, SameGroup: true}} {
		o := goodOptions()
		o.Weak = weak
		o, err := o.complete()
		if err != nil {
			t.Fatal(err)
		}
		got, err := parse(o.arguments())
		if err != nil {
			t.Fatal(err)
		}
		tries := 3
		if weak.SingleTry {
			tries = 1
		}
		want := order{
			socket: o.Socket, container: o.Container, noDeadline: weak.NoDeadline, noPidfd: weak.NoPidfd,
			timing: Timing{Lease: 2 * time.Second, StopTry: 5 * time.Second, Tries: tries},
		}
		if got != want {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
	for _, args := range [][]string{nil, {"-container", container64()}, {"-help"}, {"-lease", "1h"}} {
		if _, err := parse(args); err == nil {
			t.Errorf("%q pass", args)
		}
	}
	o, _ := goodOptions().complete()
	for _, more := range [][]string{{"more"}, {"-lease", "0s"}, {"-lease", "1h"}, {"-tries", "0"}, {"-socket", "here"}, {"-container", "x"}} {
		if _, err := parse(append(o.arguments(), more...)); err == nil {
			t.Errorf("%q pass", more)
		}
	}
}

func TestControlsAreNamedOnce(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range Controls() {
		if ok, _ := filepath.Match("watchdog.?*", string(c.ID)); !ok || c.Title == "" || seen[string(c.ID)] {
			t.Errorf("%+v", c)
		}
		seen[string(c.ID)] = true
	}
	if len(seen) != 4 {
		t.Errorf("%d controls", len(seen))
	}
}
