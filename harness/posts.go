package harness

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"golang.org/x/sync/errgroup"

	"postern/fixtures/channel"
	"postern/observers"
	"postern/observers/canary"
)

// posts are the observers of one trial.
type posts struct {
	listeners []observers.Observer     // wait for what arrives
	attached  []observers.Attached     // look into the container
	living    []observers.Living       // look at the container's processes
	addresses map[channel.ID]string    // where probes send to
	tool      *observers.Tool          // among the listeners: where the tool server records its calls
	terminal  *observers.Pipe          // the terminal of a gateway, which ends with it; nil where there is none
	inside    func(func() error) error // starts a gateway in the session whose keyring is observed
	deaf      channel.Sink             // whose observer hears nothing, in the self-check
}

// waiting is the context in which an observer waits for its pilots.
func (p posts) waiting(ctx context.Context, o observers.Observer) context.Context {
	if o.Sink() == p.deaf {
		return observers.InVain(ctx)
	}
	return ctx
}

// listen sets up an observer at every sink, family by family. Those that need
// a container are for the trials that lead an ordinary session.
func (t *trial) listen() (posts, error) {
	o := &opening{trial: t, posts: posts{addresses: map[channel.ID]string{}, deaf: t.spec.Deaf}}
	if t.spec.Scene != nil && t.spec.Scene.Guarded {
		o.guard()
		o.tool()
		return o.opened()
	}
	o.net()
	o.protocols()
	o.dns()
	o.files()
	o.processes()
	o.kernel()
	o.logs()
	o.resources()
	o.beside()
	o.hardened()
	o.tool()
	if o.trial.spec.Scene != nil && o.trial.spec.Scene.Watched {
		attach(o, channel.SinkHost, func(*canary.Watch, observers.Pilots) (*observers.Host, error) {
			return observers.NewHost(t.api), nil
		})
	}
	return o.opened()
}

func (o *opening) opened() (posts, error) {
	if o.err != nil {
		return posts{}, errors.Join(o.err, o.posts.close())
	}
	return o.posts, nil
}

// opening opens observers until one fails.
type opening struct {
	trial *trial
	posts posts
	err   error
}

// ordinary reports whether the trial's container is there to be looked into.
func (o *opening) ordinary() bool { return o.trial.spec.Scene == nil }

// lacks reports whether nothing is to be seen at a sink without an Engine.
func (o *opening) lacks(sink channel.Sink) bool {
	return o.trial.cells != nil && slices.Contains(engineSinks(), sink)
}

// at says where the probes of some channels send to.
func (o *opening) at(address string, channels ...channel.ID) {
	for _, id := range channels {
		o.posts.addresses[id] = address
	}
}

func (o *opening) tool() {
	o.posts.tool = open(o, channel.SinkTool, func(w *canary.Watch, p observers.Pilots) (*observers.Tool, error) {
		return observers.NewTool(o.trial.dir, w, p)
	})
}

type maker[O any] func(*canary.Watch, observers.Pilots) (O, error)

// open starts an observer that waits for what arrives.
func open[O observers.Observer](o *opening, sink channel.Sink, make maker[O]) (made O) {
	if made = started(o, sink, make); o.err == nil {
		o.posts.listeners = append(o.posts.listeners, made)
	}
	return made
}

// attach starts an observer that looks into the container.
func attach[O observers.Attached](o *opening, sink channel.Sink, make maker[O]) (made O) {
	if o.lacks(sink) {
		return made
	}
	if made = started(o, sink, make); o.err == nil {
		o.posts.attached = append(o.posts.attached, made)
	}
	return made
}

// enter starts an observer that looks at the container's processes.
func enter[O observers.Living](o *opening, sink channel.Sink, make maker[O]) (made O) {
	if o.lacks(sink) {
		return made
	}
	if made = started(o, sink, make); o.err == nil {
		o.posts.living = append(o.posts.living, made)
	}
	return made
}

func started[O any](o *opening, sink channel.Sink, make maker[O]) (made O) {
	if o.err == nil {
		made, o.err = make(o.trial.ears(sink), o.trial.canaries.pilots(sink))
	}
	return made
}

// ears is what the observer at a sink listens for: the trial's canaries, or,
// where the self-check makes it deaf, those of no trial.
func (t *trial) ears(sink channel.Sink) *canary.Watch {
	if sink == t.spec.Deaf {
		return t.deafened
	}
	return t.canaries.watch
}

// pilots sends the pilots of a phase through all of the given observers.
func (p posts) pilots(ctx context.Context, phase channel.ID, through []observers.Observer) error {
	group, ctx := errgroup.WithContext(ctx)
	for _, o := range through {
		group.Go(func() error {
			if err := o.Pilot(p.waiting(ctx, o), phase); err != nil {
				return fmt.Errorf("piloting %s: %w", o.Sink(), err)
			}
			return nil
		})
	}
	return group.Wait()
}

// look has all observers of living processes look at once.
func (p posts) look(ctx context.Context) error {
	group, ctx := errgroup.WithContext(ctx)
	for _, o := range p.living {
		group.Go(func() error {
			if err := o.Look(ctx); err != nil {
				return fmt.Errorf("looking at %s: %w", o.Sink(), err)
			}
			return nil
		})
	}
	return group.Wait()
}

func (p posts) close() error {
	if p.terminal != nil {
		defer p.terminal.Close()
	}
	return errors.Join(closeAll(p.listeners), closeAll(p.attached), closeAll(p.living))
}

func closeAll[O observers.Observer](all []O) error {
	var errs []error
	for _, o := range all {
		errs = append(errs, o.Close())
	}
	return errors.Join(errs...)
}

// asObservers is a list of observers as what all of them are.
func asObservers[O observers.Observer](kind []O) []observers.Observer {
	var all []observers.Observer
	for _, o := range kind {
		all = append(all, o)
	}
	return all
}
