package harness

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/docker/docker/api/types/container"

	"postern/fixtures/channel"
	"postern/fixtures/plan"
	"postern/fixtures/policy"
	"postern/gateway"
	"postern/reports"
)

// hurt leads a session in a bridge process of its own, injects a fault once the
// tool sink has seen the permitted canary, and watches the container's first
// process from here until it ends or the bound is over.
func (t *trial) hurt(ctx context.Context, f fault) (err error) {
	if f.Private {
		if err := t.ownEngine(ctx); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, t.leaveEngine()) }()
	}
	socket, closeProxy, err := t.engineSocket(f)
	if err != nil {
		return err
	}
	defer closeProxy()
	v, err := t.startVictim(ctx, f, socket)
	if err != nil {
		return err
	}
	defer v.end()
	id, init, err := t.delivered(ctx, v)
	if err != nil {
		return errors.Join(err, t.clear(id, v))
	}
	defer release(init)
	err = t.strike(ctx, f, v, init)
	return errors.Join(err, t.clear(id, v))
}

func (t *trial) startVictim(ctx context.Context, f fault, proxy string) (*victim, error) {
	config, err := t.enrolled(ctx)
	if err != nil {
		return nil, err
	}
	if f.Apply != nil {
		f.Apply(&config)
	}
	initial, err := t.canaries.initialFrame(plan.Plan{Mode: cmp.Or(f.Mode, plan.ModeLinger)}, t.posts.addresses)
	if err != nil {
		return nil, err
	}
	return startBridge(t.binaries.Gateway, gateway.Order{Socket: t.engine.Socket(), Proxy: proxy, Config: config, Initial: initial, Labels: t.labels(t.canaries)})
}

// delivered waits until the agent holds plaintext and has used the permitted
// tool, and takes hold of its container.
func (t *trial) delivered(ctx context.Context, v *victim) (id string, init int, err error) {
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for t.posts.tool.Records()[policy.PermittedTool] == 0 {
		select {
		case <-tick.C:
		case <-v.told:
			return v.state().Container, -1, errors.New("the bridge ended before the permitted call")
		case <-ctx.Done():
			return v.state().Container, -1, ctx.Err()
		}
	}
	id = v.state().Container
	t.row.Attempts = append(t.row.Attempts, reports.Attempt{Channel: string(channel.ToolPermitted)})
	state, err := t.engine.State(ctx, id)
	if err != nil {
		return id, -1, err
	}
	if init, err = hold(state.PID); err != nil {
		return id, -1, err
	}
	for _, o := range t.posts.attached {
		o.Attach(id)
	}
	return id, init, t.posts.pilots(ctx, channel.PilotBefore, asObservers(t.posts.attached))
}

// strike injects the fault and records what became of the container.
func (t *trial) strike(ctx context.Context, f fault, v *victim, init int) error {
	type end struct {
		after time.Duration
		err   error
	}
	ended := make(chan end, 1)
	began := time.Now()
	go func() {
		after, err := death(ctx, init, began, f.bound())
		ended <- end{after, err}
	}()
	err := f.Inject(ctx, t, v)
	dead := <-ended
	if err := errors.Join(err, dead.err); err != nil {
		return fmt.Errorf("injecting a fault: %w", err)
	}
	t.row.StoppedUS = dead.after.Microseconds()
	if f.Return != nil {
		if err := f.Return(ctx, t); err != nil {
			return fmt.Errorf("bringing the Engine back: %w", err)
		}
	}
	if dead.after > 0 {
		ended := cmp.Or(v.outcome(cleanupPatience(f)), bridgeGone)
		if ended == f.Or {
			ended = f.Outcome
		}
		t.row.Outcome = string(ended)
		t.settle(ctx, v.state().Container)
	} else {
		t.row.Outcome = string(bridgeGone) // it is killed by clear
	}
	return t.look(ctx)
}

// settle gives the Engine time to notice what the pidfd has told: it says
// "running" for some milliseconds after the first process has died.
func (t *trial) settle(ctx context.Context, id string) {
	ctx, cancel := context.WithTimeout(ctx, faultBound)
	defer cancel()
	until(ctx, func() bool {
		state, err := t.engine.State(ctx, id)
		return err != nil || !state.Running // what went wrong shows when it is looked at
	})
}

// cleanupPatience is how long a bridge that survives its fault may take to end
// by itself; a killed or paused one is not waited for.
func cleanupPatience(f fault) time.Duration {
	if f.Outcome == bridgeGone {
		return 0
	}
	return 2 * faultBound
}

// look asks the host observer, while nobody but the fault has touched anything.
func (t *trial) look(ctx context.Context) error {
	all := asObservers(t.posts.attached)
	if err := t.posts.pilots(ctx, channel.PilotAfter, all); err != nil {
		return err
	}
	if err := t.collect(ctx, all); err != nil {
		return err
	}
	t.row.Container = reports.Exited
	for _, o := range t.row.Observations {
		if o.Channel == string(channel.HostRunning) {
			t.row.Container = reports.Running
		}
	}
	return nil
}

// clear ends whatever the fault and a weakened subject left alive.
func (t *trial) clear(id string, v *victim) error {
	v.end()
	if w, err := v.watchdog(); err == nil {
		w.Kill() // a paused one cannot end by itself
		w.Release()
	}
	if id == "" {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), trialBound)
	defer cancel()
	err := t.api.ContainerRemove(ctx, id, container.RemoveOptions{Force: true, RemoveVolumes: true})
	if err != nil && !gone(err) {
		return fmt.Errorf("removing a container after a fault: %w", err)
	}
	return nil
}
