package observers

import (
	"context"
	"fmt"
	"maps"

	"postern/fixtures/channel"
	"postern/observers/canary"
)

// Lookout looks at one thing of the host's that is there at all times: it reads
// it with its pilot in it before and after, and in between without. What the
// thing is, and how a pilot gets into it, is up to whoever makes it.
//
// It serves at sinks that are looked at while the container lives, and at those
// that keep what arrived: the latter are read when it collects.
type Lookout struct {
	sink   channel.Sink
	pilots Pilots
	book   *ledger
	place  spot
	lasts  bool // what arrives is still there at the end
	where  whereabouts
}

// whereabouts names the container that is looked at.
type whereabouts struct {
	container string // full ID
	pid       int    // of its first process in the host's numbering; 0 where there is none
}

// spot is what a Lookout looks at.
type spot struct {
	// pilot puts a text there, reads, and takes the text away again.
	pilot func(w whereabouts, text string) (glance, error)
	// read looks; ctx bounds one that waits for more.
	read func(ctx context.Context, w whereabouts) (glance, error)
	// tidy takes away what the agent left on the host; may be nil.
	tidy func() error
}

// glance is what one look saw. It holds no bytes.
type glance struct {
	seen  map[channel.ID]int
	units int
	bytes int64
	drops int
}

// see searches one unit.
func (g *glance) see(w *canary.Watch, b []byte) {
	g.add(tally(w.Scan(b)))
	g.units++
	g.bytes += int64(len(b))
}

func (g *glance) add(seen map[channel.ID]int) {
	if g.seen == nil {
		g.seen = map[channel.ID]int{}
	}
	for id, n := range seen {
		g.seen[id] += n
	}
}

var (
	_ Living   = (*Lookout)(nil)
	_ Attached = (*Lookout)(nil)
)

func newLookout(sink channel.Sink, pilots Pilots, lasts bool, at spot) *Lookout {
	return &Lookout{sink: sink, pilots: pilots, book: newLedger(), place: at, lasts: lasts}
}

// Sink implements Observer.
func (o *Lookout) Sink() channel.Sink { return o.sink }

// Attach implements Attached.
func (o *Lookout) Attach(container string) { o.where = whereabouts{container: container} }

// Enter implements Living.
func (o *Lookout) Enter(container string, pid int) { o.where = whereabouts{container, pid} }

// Pilot implements Observer.
func (o *Lookout) Pilot(_ context.Context, phase channel.ID) error {
	text, err := o.pilots.text(phase)
	if err != nil {
		return err
	}
	o.book.pilot(phase, 1)
	g, err := o.place.pilot(o.where, text)
	o.book.lost(g.drops)
	if g.seen[phase] > 0 {
		o.book.found(map[channel.ID]int{phase: 1})
	}
	return err
}

// Look implements Living.
func (o *Lookout) Look(ctx context.Context) error {
	g, err := o.place.read(ctx, o.where)
	o.book.found(withoutPilots(maps.Clone(g.seen)))
	o.book.count(g.units, g.bytes)
	o.book.lost(g.drops)
	return err
}

// Collect implements Observer.
func (o *Lookout) Collect(ctx context.Context) (Report, error) {
	var err error
	if o.lasts {
		if err = o.Look(ctx); err != nil {
			err = fmt.Errorf("looking once more: %w", err)
		}
	}
	return o.book.report(o.sink), err
}

// Close implements Observer.
func (o *Lookout) Close() error {
	if o.place.tidy == nil {
		return nil
	}
	return o.place.tidy()
}
