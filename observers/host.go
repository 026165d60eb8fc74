package observers

import (
	"context"
	"errors"
	"fmt"

	"github.com/containerd/errdefs"
	"github.com/docker/docker/client"

	"postern/fixtures/channel"
)

// Host asks the Engine whether the container runs. What it watches for is no
// canary but the container itself, which holds all of them.
//
// Its pilots are the container too: before, it must be seen to be there; after,
// the Engine must give an answer about that very id, which may be that it has
// been removed.
type Host struct {
	engine *client.Client
	book   *ledger
	id     string
}

var _ Observer = (*Host)(nil)

// NewHost prepares the observer; Attach names its container.
func NewHost(engine *client.Client) *Host { return &Host{engine: engine, book: newLedger()} }

// Attach names the container by its full ID. Call it before the first Pilot.
func (o *Host) Attach(id string) { o.id = id }

// Sink implements Observer.
func (o *Host) Sink() channel.Sink { return channel.SinkHost }

// Pilot implements Observer.
func (o *Host) Pilot(ctx context.Context, phase channel.ID) error {
	if phase != channel.PilotBefore && phase != channel.PilotAfter {
		return fmt.Errorf("%q is no phase of a trial", phase)
	}
	o.book.pilot(phase, 1)
	found, _, err := o.look(ctx)
	if err != nil {
		return err
	}
	if found || phase == channel.PilotAfter {
		o.book.found(map[channel.ID]int{phase: 1})
	}
	return nil
}

// Collect implements Observer.
func (o *Host) Collect(ctx context.Context) (Report, error) {
	_, running, err := o.look(ctx)
	if err == nil {
		o.book.count(1, 0)
	}
	if running {
		o.book.found(map[channel.ID]int{channel.HostRunning: 1})
	}
	return o.book.report(channel.SinkHost), err
}

// look tells a container that does not run, or is gone, from one that could
// not be looked at. A paused or restarting one counts as running.
func (o *Host) look(ctx context.Context) (found, running bool, err error) {
	if !fullID.MatchString(o.id) {
		return false, false, errors.New("no container is attached by its full ID")
	}
	c, err := o.engine.ContainerInspect(ctx, o.id)
	if errdefs.IsNotFound(err) {
		return false, false, nil
	}
	if err != nil {
		return false, false, fmt.Errorf("looking whether the container runs: %w", err)
	}
	if c.ContainerJSONBase == nil || c.State == nil {
		return false, false, errors.New("looking whether the container runs: the Engine did not say")
	}
	return true, c.State.Running || c.State.Paused || c.State.Restarting, nil
}

// Close implements Observer.
func (o *Host) Close() error { return nil }
