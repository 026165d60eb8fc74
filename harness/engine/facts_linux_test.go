package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"postern/fixtures/plan"
)

// fact is what happens to a container, and what the Engine makes of it, when
// something happens to dockerd. None depends on who started containerd.
type fact struct {
	fault       string
	liveRestore bool
	agent       plan.Mode
	lives       bool   // after the fault, before the recovery
	answers     bool   // the Engine, meanwhile
	then        string // what the Engine says after Restart, or Resume
	exit        int    // and the exit code that it gives
}

// Measured with Engine 20.10.24 and containerd 1.6.20. An agent that reads its
// stdin does not end when dockerd does: the shim keeps stdin open.
func facts() []fact {
	const exited, running = "exited", "running"
	const onTerm, onKill = 2, 128 + int(unix.SIGKILL) // a Go program's end by SIGTERM as first process of a PID namespace
	return []fact{
		{"stop", false, awaits, false, false, exited, onTerm},
		{"stop", false, plan.ModeLinger, false, false, exited, onKill}, // after its stop time
		{"kill", false, awaits, true, false, exited, onTerm},           // the restarted Engine stops it
		{"kill", false, plan.ModeLinger, true, false, exited, onKill},
		{"pause", false, awaits, true, false, running, 0},
		{"pause", false, plan.ModeLinger, true, false, running, 0},
		{"stop", true, awaits, true, false, running, 0},
		{"stop", true, plan.ModeLinger, true, false, running, 0},
		{"kill", true, awaits, true, false, running, 0},
		{"kill", true, plan.ModeLinger, true, false, running, 0},
		{"pause", true, awaits, true, false, running, 0},
		{"pause", true, plan.ModeLinger, true, false, running, 0},
	}
}

// variants are the ways to run an Engine that matter to a container.
func variants(t *testing.T, run func(t *testing.T, o Options)) {
	for _, o := range []Options{{}, {LiveRestore: true}, {Separate: true}, {LiveRestore: true, Separate: true}} {
		if _, err := os.Lstat(hostContainerd); err == nil && !o.Separate {
			continue // it would be separate, and is below
		}
		t.Run(fmt.Sprintf("live-restore=%v,separate=%v", o.LiveRestore, o.Separate), func(t *testing.T) {
			t.Parallel()
			run(t, o)
		})
	}
}

// The survivor of a fault must be seen alive for so long.
const stays = 300 * time.Millisecond

func TestWhatHoldsWhenDockerdFails(t *testing.T) {
	variants(t, func(t *testing.T, o Options) {
		e := started(t, o)
		api := apiOf(t, e.Socket())
		image := agentImage(t, api)
		for _, want := range facts() {
			if want.liveRestore != o.LiveRestore {
				continue
			}
			a := running(t, api, image, want.agent)
			before := e.PID()
			took := inflict(t, e, want.fault)
			got := want
			got.lives = !a.diesWithin(stays)
			got.answers = answers(t, e)
			runtime := containerdLives(t, e)
			back := recovered(t, e, want.fault)
			state := a.state()
			got.then, got.exit = state.Status, state.ExitCode
			if got != want {
				t.Errorf("got  %+v\nwant %+v", got, want)
			}
			// A containerd that dockerd started goes with it.
			if want := want.fault == "pause" || o.Separate; runtime != want {
				t.Errorf("%s: containerd runs: %v, want %v", got.fault, runtime, want)
			}
			if (e.PID() == before) != (want.fault == "pause") {
				t.Errorf("%s: dockerd was replaced: %v", got.fault, e.PID() != before)
			}
			if state.Running && state.Pid != a.pid {
				t.Errorf("%s: another process runs in the container", got.fault)
			}
			t.Logf("%-5s %-11s took %4d ms, container lives %-5v, back in %4d ms: %s %d", got.fault, got.agent, took.Milliseconds(), got.lives, back.Milliseconds(), got.then, got.exit)
			a.remove()
		}
	})
}

// A container is killed by its first process's pidfd without any Engine, and
// the Engine knows it afterwards.
func TestPidfdKillsWithoutAnEngine(t *testing.T) {
	variants(t, func(t *testing.T, o Options) {
		e := started(t, o)
		api := apiOf(t, e.Socket())
		image := agentImage(t, api)
		for _, fault := range []string{"kill", "pause"} {
			a := running(t, api, image, plan.ModeLinger)
			inflict(t, e, fault)
			began := time.Now()
			if err := unix.PidfdSendSignal(a.fd, unix.SIGKILL, nil, 0); err != nil {
				t.Fatal(err)
			}
			if !a.diesWithin(5 * time.Second) {
				t.Errorf("%s: the container outlives SIGKILL", fault)
			}
			took := time.Since(began)
			recovered(t, e, fault)
			if state := a.awaitExit(); state.ExitCode != 128+int(unix.SIGKILL) {
				t.Errorf("%s: the Engine says %s %d", fault, state.Status, state.ExitCode)
			}
			t.Logf("%-5s container dead after %.1f ms", fault, took.Seconds()*1000)
		}
	})
}

func inflict(t *testing.T, e *Private, fault string) time.Duration {
	t.Helper()
	began := time.Now()
	var err error
	switch fault {
	case "stop":
		err = e.Stop(t.Context())
	case "kill":
		err = e.Kill()
	case "pause":
		err = e.Pause()
	}
	if err != nil {
		t.Fatal(err)
	}
	return time.Since(began)
}

func recovered(t *testing.T, e *Private, fault string) time.Duration {
	t.Helper()
	began := time.Now()
	err := e.Resume()
	if fault != "pause" {
		if !errors.Is(err, os.ErrProcessDone) {
			t.Errorf("%s: resuming what is gone: %v", fault, err)
		}
		err = e.Restart(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	return time.Since(began)
}

// answers gives the Engine a short while.
func answers(t *testing.T, e *Private) bool {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	_, err := apiOf(t, e.Socket()).Ping(ctx)
	return err == nil
}
