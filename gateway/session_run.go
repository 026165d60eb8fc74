package gateway

import (
	"context"
	"errors"

	"postern/gateway/bridge"
	"postern/gateway/confine"
	"postern/gateway/frame"
	"postern/gateway/watchdog"
)

// run is a session whose container and gateway exist.
type run struct {
	Session
	gateway *Gateway
	result  *Result
	box     Box
	pid     int             // of the container's first process
	lease   *watchdog.Lease // nil where supervision is off
	stopped bool            // the backend said that the container does not run
}

// lead takes the container from created to stopped.
func (r *run) lead(ctx context.Context, host []confine.Refusal) error {
	id := r.result.Container
	created, err := r.box.AdmitCreated(ctx)
	if err != nil {
		return err
	}
	if !r.admit(ctx, append(host, created...)) {
		return nil
	}
	if r.Created != nil {
		if err := r.Created(ctx, id); err != nil {
			return err
		}
	}
	attached, err := r.box.Attach(ctx)
	if err != nil {
		return err
	}
	defer attached.Close()
	if err := r.box.Start(ctx); err != nil {
		return err
	}
	var started []confine.Refusal
	if r.pid, started, err = r.box.AdmitStarted(ctx); err != nil {
		return err
	}
	if !r.admit(ctx, started) {
		return nil
	}
	if r.Session.Started != nil {
		if err := r.Session.Started(ctx, id, r.pid); err != nil {
			return err
		}
	}
	if err := r.watched(ctx, attached); err != nil {
		return err
	}
	if err := r.compareAgain(ctx); err != nil {
		return err
	}
	if r.Stopped != nil {
		return r.Stopped(context.WithoutCancel(ctx), id)
	}
	return nil
}

// admit records refusals and says whether the session may go on.
func (r *run) admit(ctx context.Context, refusals []confine.Refusal) bool {
	r.result.Refusals = confine.Merge(r.result.Refusals, refusals)
	if len(refusals) == 0 || r.Waive != nil && r.Waive(ctx, refusals) {
		return true
	}
	r.result.Outcome = bridge.AdmissionRefused
	return false
}

// watched leads the exchange under the watchdog's eyes, which stay open until
// the container was seen to have stopped.
func (r *run) watched(ctx context.Context, attached bridge.Stream) (err error) {
	if r.Admitted != nil {
		r.Admitted(r.gateway)
	}
	if !r.Config.Watch.Off {
		if r.lease, err = r.arm(ctx); err != nil {
			return err
		}
	}
	err = r.exchange(ctx, attached)
	switch {
	case r.lease == nil:
	case r.stopped:
		err = errors.Join(err, r.disarm(ctx))
	default:
		r.lease.Abandon()
	}
	return err
}

func (r *run) arm(ctx context.Context) (*watchdog.Lease, error) {
	lease, err := watchdog.Arm(ctx, watchdog.Options{
		Command: r.Watchdog, Socket: r.box.Socket(), Container: r.box.ID(), PID: r.pid,
		Timing: r.Config.Watch.Timing, Weak: r.Config.Watch.Weak,
	})
	if err == nil && r.Armed != nil {
		r.Armed(lease)
	}
	return lease, err
}

// disarm ends the watch. A lease that was lost is the session's outcome.
func (r *run) disarm(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), cleanupBound)
	defer cancel()
	err := r.lease.Disarm(ctx)
	if errors.Is(err, watchdog.ErrLost) {
		r.result.Outcome = bridge.WatchdogLost
		return nil
	}
	return err
}

// exchange hands over the plaintext, serves the agent, and stops it. It ends
// when the lease is lost.
func (r *run) exchange(ctx context.Context, attached bridge.Stream) error {
	serving, cancel := context.WithCancel(ctx)
	defer cancel()
	if r.lease != nil {
		go func() {
			select {
			case <-r.lease.Lost():
				cancel()
			case <-serving.Done():
			}
		}()
	}
	exit := r.awaitExit(serving)
	attached.Reported, attached.Weak = r.Reported, r.Weakened.Frames
	r.result.Exchange = bridge.Exchange(serving, attached, r.Initial, r.Config.Limits, r.handle)
	r.result.Outcome = r.result.Exchange.Outcome
	clean, err := r.stop(ctx, exit)
	if err != nil && r.result.Outcome == bridge.Completed {
		r.result.Outcome = bridge.StreamLost // output ended because the backend did
	}
	if err != nil {
		return err
	}
	if r.result.Outcome == bridge.Completed && !clean {
		r.result.Outcome = bridge.Crashed
	}
	return ctx.Err()
}

// handle has the gateway serve a call, and tells of its reply.
func (r *run) handle(ctx context.Context, f frame.Call) bridge.Reply {
	reply := r.gateway.Handle(ctx, f)
	if r.Replied != nil {
		r.Replied(reply)
	}
	return reply
}

// exit is what the backend said of the end of a container's first process.
type exit struct {
	code int
	err  error
}

// awaitExit asks while the container surely runs: of one that the Engine removes
// as soon as it exits, nobody learns the exit code afterwards. The answer is
// for one reader; ctx ends the asking.
func (r *run) awaitExit(ctx context.Context) <-chan exit {
	answer := make(chan exit, 1)
	go func() {
		code, err := r.box.Wait(ctx)
		answer <- exit{code, err}
	}()
	return answer
}

// stop waits for an agent that ended its output to exit by itself, kills any
// other, and reports whether it exited by itself with code 0. One that the
// Engine is about to start again has exited and is killed all the same.
func (r *run) stop(ctx context.Context, answer <-chan exit) (clean bool, err error) {
	if r.result.Outcome == bridge.Completed {
		clean = r.exited(ctx, answer)
		if r.stopped {
			return clean, nil
		}
	}
	if r.lease != nil {
		r.lease.Strike() // a hundred times faster than the Engine, which is asked all the same
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), cleanupBound)
	defer cancel()
	if err := r.box.Kill(ctx); err != nil {
		return false, err
	}
	code, err := r.box.Wait(ctx)
	if err != nil {
		return false, errors.Join(errors.New("the container was killed and not seen to stop"), err)
	}
	r.stopped, r.result.ExitCode = true, int64(code)
	return clean, nil
}

// exited gives the process some time to exit by itself, and looks whether the
// Engine leaves it at that.
func (r *run) exited(ctx context.Context, answer <-chan exit) (clean bool) {
	grace, cancel := context.WithTimeout(ctx, exitGrace)
	defer cancel()
	select {
	case e := <-answer:
		running, err := r.box.Running(grace)
		if e.err == nil && err == nil && !running {
			r.stopped, r.result.ExitCode = true, int64(e.code)
		}
		return e.err == nil && e.code == 0
	case <-grace.Done():
		return false
	}
}
