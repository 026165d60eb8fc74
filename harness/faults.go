//go:build unix

package harness

import (
	"cmp"
	"context"
	"syscall"
	"time"

	"postern/fixtures/plan"
	"postern/gateway"
	"postern/gateway/bridge"
)

// faultBound is how long a container may outlive a fault: the lease, and as
// much again as makes sure that it was not about to die.
const faultBound = 3500 * time.Millisecond

// bridgeGone is the outcome of a session whose bridge was killed.
const bridgeGone bridge.Outcome = "bridge-gone"

// fault is one way to hurt the trusted side while the agent holds plaintext.
type fault struct {
	ID      string
	Why     string
	Inject  func(ctx context.Context, t *trial, v *victim) error
	Outcome bridge.Outcome        // how the bridge ends, if nothing is weakened
	Or      bridge.Outcome        // how else it may end, which is recorded as Outcome; empty where there is one way
	Apply   func(*gateway.Config) // what the fault needs of the subject; may be nil
	Proxied bool                  // the watchdog reaches the Engine through one that fails twice
	Mode    plan.Mode             // what the agent does; it lingers where empty
	Bound   time.Duration         // how long the container may outlive it; faultBound where 0

	// Private gives the trial an Engine of its own to hurt, and Return brings
	// that back before anybody looks.
	Private bool
	Return  func(ctx context.Context, t *trial) error
}

func (f fault) bound() time.Duration { return cmp.Or(f.Bound, faultBound) }

// faults lists them. Each is a scene of its own, and the stage on which
// mutants of the supervision show.
func faults() []fault {
	return []fault{
		{ID: "bridge-killed", Why: "SIGKILL of the bridge", Inject: toBridge(syscall.SIGKILL), Outcome: bridgeGone},
		{ID: "bridge-paused", Why: "SIGSTOP of the bridge: the lease runs out", Inject: toBridge(syscall.SIGSTOP), Outcome: bridgeGone},
		{ID: "bridge-terminated", Why: "SIGTERM of the bridge", Inject: toBridge(syscall.SIGTERM), Outcome: bridge.Canceled},
		{ID: "bridge-hung-up", Why: "the bridge's terminal goes away", Inject: toBridge(syscall.SIGHUP), Outcome: bridge.Canceled},
		{ID: "group-killed", Why: "SIGKILL of the bridge's whole process group", Inject: toGroup, Outcome: bridgeGone},
		{ID: "watchdog-killed", Why: "SIGKILL of the watchdog", Inject: toWatchdog(syscall.SIGKILL), Outcome: bridge.WatchdogLost},
		{ID: "watchdog-paused", Why: "SIGSTOP of the watchdog: heartbeats go unanswered", Inject: toWatchdog(syscall.SIGSTOP), Outcome: bridge.WatchdogLost},
		{ID: "watchdog-killed-no-pidfd", Why: "SIGKILL of the watchdog, on a host without pidfds: the bridge stops the container through the Engine",
			Inject: toWatchdog(syscall.SIGKILL), Outcome: bridge.WatchdogLost, Apply: withoutPidfd},
		{ID: "both-killed", Why: "SIGKILL of both at once: the sweep finds the container", Inject: toBoth, Outcome: bridgeGone},
		{ID: "stop-fails-twice", Why: "SIGKILL of the bridge while the Engine fails two stops, on a host without pidfds",
			Inject: toBridge(syscall.SIGKILL), Outcome: bridgeGone, Proxied: true,
			Apply: withoutPidfd},
		{ID: "bridge-out-of-memory", Why: "the kernel kills the bridge for want of memory", Inject: starve, Outcome: bridgeGone},
		{ID: "bridge-killed-forked", Why: "SIGKILL of the bridge of an agent with children", Inject: toBridge(syscall.SIGKILL), Outcome: bridgeGone, Mode: plan.ModeFork},
		{ID: "engine-killed", Why: "SIGKILL of dockerd, and its return", Private: true, Outcome: bridge.StreamLost,
			Inject: func(_ context.Context, t *trial, _ *victim) error { return t.private.Kill() },
			Return: func(ctx context.Context, t *trial) error { return t.private.Restart(ctx) }},
		{ID: "engine-paused", Why: "SIGSTOP of dockerd until the session's time is over", Private: true, Outcome: bridge.SessionTime,
			Bound:  2 * pausedSession,
			Apply:  func(c *gateway.Config) { c.Limits.Session = pausedSession },
			Inject: func(_ context.Context, t *trial, _ *victim) error { return t.private.Pause() },
			Return: func(_ context.Context, t *trial) error { return t.private.Resume() }},
		{ID: "engine-stopped", Why: "SIGTERM of dockerd, which stops its containers itself, and its return", Private: true, Outcome: bridge.StreamLost,
			Or:     bridge.Crashed, // if dockerd still tells the exit code before it goes
			Mode:   plan.ModeStay,
			Inject: func(ctx context.Context, t *trial, _ *victim) error { return t.private.Stop(ctx) },
			Return: func(ctx context.Context, t *trial) error { return t.private.Restart(ctx) }},
	}
}

// withoutPidfd is a host that permits none: an older kernel, or a sandboxed one.
func withoutPidfd(c *gateway.Config) { c.Watch.Weak.NoPidfd = true }

// pausedSession is the session time behind a paused Engine, which says nothing:
// only time can end it.
const pausedSession = 10 * time.Second

func toBridge(s syscall.Signal) func(context.Context, *trial, *victim) error {
	return func(_ context.Context, _ *trial, v *victim) error { return v.signal(s) }
}

func toGroup(_ context.Context, _ *trial, v *victim) error { return v.group() }

func toWatchdog(s syscall.Signal) func(context.Context, *trial, *victim) error {
	return func(_ context.Context, _ *trial, v *victim) error {
		w, err := v.watchdog()
		if err != nil {
			return err
		}
		defer w.Release()
		return w.Signal(s)
	}
}

// toBoth pauses the watchdog first, so that it cannot act on the bridge's
// death, and then does what a timer does on a machine of users: it sweeps.
func toBoth(ctx context.Context, t *trial, v *victim) error {
	if err := toWatchdog(syscall.SIGSTOP)(ctx, t, v); err != nil {
		return err
	}
	if err := v.signal(syscall.SIGKILL); err != nil {
		return err
	}
	if err := toWatchdog(syscall.SIGKILL)(ctx, t, v); err != nil {
		return err
	}
	if err := v.gone(ctx); err != nil { // until then its container has an owner
		return err
	}
	return sweepOne(ctx, t.api, v.state().Container)
}
