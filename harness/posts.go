package harness

import (
	"context"
	"errors"
	"fmt"

	"golang.org/x/sync/errgroup"

	"postern/fixtures"
	"postern/fixtures/channel"
	"postern/observers"
	"postern/observers/canary"
)

// attachable is an observer that looks into the container itself.
type attachable interface {
	observers.Observer
	Attach(container string)
}

// posts are the observers of one trial.
type posts struct {
	listeners []observers.Observer  // wait for what arrives
	attached  []attachable          // look into the container
	addresses map[channel.ID]string // where probes send to
	tool      *observers.Tool       // among the listeners: where the tool server records its calls
}

// listen sets up an observer at every sink.
func (t *trial) listen() (posts, error) {
	o := opening{trial: t}
	tcp := func(network string) func(*canary.Watch, observers.Pilots) (*observers.TCP, error) {
		return func(w *canary.Watch, p observers.Pilots) (*observers.TCP, error) {
			return observers.NewTCP(network, w, p)
		}
	}
	udp := func(network string) func(*canary.Watch, observers.Pilots) (*observers.UDP, error) {
		return func(w *canary.Watch, p observers.Pilots) (*observers.UDP, error) {
			return observers.NewUDP(network, w, p)
		}
	}
	tcp4, tcp6 := open(&o, channel.SinkTCP4, tcp("tcp4")), open(&o, channel.SinkTCP6, tcp("tcp6"))
	udp4, udp6 := open(&o, channel.SinkUDP4, udp("udp4")), open(&o, channel.SinkUDP6, udp("udp6"))
	names := open(&o, channel.SinkDNS, observers.NewDNS)
	tool := open(&o, channel.SinkTool, func(w *canary.Watch, p observers.Pilots) (*observers.Tool, error) {
		return observers.NewTool(t.dir, w, p)
	})
	if o.err != nil {
		return posts{}, errors.Join(o.err, closeAll(o.opened))
	}
	attached, err := t.attachables()
	if err != nil {
		return posts{}, errors.Join(err, closeAll(o.opened))
	}
	p := posts{
		listeners: o.opened,
		attached:  attached,
		tool:      tool,
		addresses: map[channel.ID]string{
			channel.NetTCP4: tcp4.Addr(), channel.NetTCP4Child: tcp4.Addr(), channel.NetTCP6: tcp6.Addr(),
			channel.NetUDP4: udp4.Addr(), channel.NetUDP6: udp6.Addr(),
			channel.DNSLabel: names.Addr(), channel.DNSLabelTCP: names.Addr(),
			channel.FileRoot: fixtures.ScratchDir + "/out",
		},
	}
	return p, nil
}

// attachables are the observers that look into, or after, the trial's container.
func (t *trial) attachables() ([]attachable, error) {
	switch {
	case t.spec.Scene == nil:
		file, err := observers.NewFile(t.api, t.ears(channel.SinkFile))
		return []attachable{file, observers.NewLog(t.api, t.dockerRoot, t.ears(channel.SinkLog))}, err
	case t.spec.Scene.Watched:
		return []attachable{observers.NewHost(t.api)}, nil
	default:
		return nil, nil
	}
}

// opening opens observers until one fails.
type opening struct {
	trial  *trial
	opened []observers.Observer
	err    error
}

func open[O observers.Observer](o *opening, sink channel.Sink, make func(*canary.Watch, observers.Pilots) (O, error)) (made O) {
	if o.err != nil {
		return made
	}
	if made, o.err = make(o.trial.ears(sink), o.trial.canaries.pilots()); o.err == nil {
		o.opened = append(o.opened, made)
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
			if err := o.Pilot(ctx, phase); err != nil {
				return fmt.Errorf("piloting %s: %w", o.Sink(), err)
			}
			return nil
		})
	}
	return group.Wait()
}

func (p posts) close() error {
	return errors.Join(closeAll(p.listeners), closeAll(asObservers(p.attached)))
}

func closeAll(all []observers.Observer) error {
	var errs []error
	for _, o := range all {
		errs = append(errs, o.Close())
	}
	return errors.Join(errs...)
}

func asObservers(attached []attachable) []observers.Observer {
	var all []observers.Observer
	for _, o := range attached {
		all = append(all, o)
	}
	return all
}
