package observers

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"postern/fixtures/channel"
	"postern/observers/canary"
)

// Kept reads, at the end, a place that keeps what arrives. Its pilots are put
// there as anybody else's would be, and are found among the rest.
type Kept struct {
	sink   channel.Sink
	pilots Pilots
	book   *ledger
	put    func(phase channel.ID, text string) error
	read   func() (glance, error)
}

var _ Observer = (*Kept)(nil)

// NewTree reads what is in a directory, which is there already.
func NewTree(sink channel.Sink, dir string, watch *canary.Watch, pilots Pilots) *Kept {
	return &Kept{
		sink: sink, pilots: pilots, book: newLedger(),
		put: func(phase channel.ID, text string) error {
			return withoutPath(os.WriteFile(filepath.Join(dir, string(phase)), []byte(text), 0o600))
		},
		read: func() (g glance, err error) {
			d, err := searchDirectory(dir, watch, maxLogs, nil)
			if errors.Is(err, errTooLong) {
				g.drops, err = 1, nil
			}
			g.add(d.seen)
			g.units, g.bytes = d.files, d.bytes
			return g, err
		},
	}
}

// Sink implements Observer.
func (o *Kept) Sink() channel.Sink { return o.sink }

// Pilot implements Observer. It is heard when the place is read.
func (o *Kept) Pilot(_ context.Context, phase channel.ID) error {
	text, err := o.pilots.text(phase)
	if err != nil {
		return err
	}
	o.book.pilot(phase, 1)
	if err := o.put(phase, text); err != nil {
		return fmt.Errorf("putting the %s pilot in its place: %w", o.sink, err)
	}
	return nil
}

// Collect implements Observer.
func (o *Kept) Collect(context.Context) (Report, error) {
	g, err := o.read()
	if err != nil {
		err = fmt.Errorf("reading %s: %w", o.sink, err)
	}
	o.book.count(g.units, g.bytes)
	o.book.lost(g.drops)
	o.book.found(g.seen)
	return o.book.report(o.sink), err
}

// Close implements Observer.
func (o *Kept) Close() error { return nil }
