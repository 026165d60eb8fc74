package observers

import (
	"context"

	"postern/fixtures/channel"
	"postern/observers/canary"
)

// Replies reads what agents are sent: whoever leads their sessions hands it over,
// a reply at a time.
type Replies struct {
	watch  *canary.Watch
	pilots Pilots
	book   *ledger
}

var _ Observer = (*Replies)(nil)

// NewReplies makes an observer of replies.
func NewReplies(watch *canary.Watch, pilots Pilots) *Replies {
	return &Replies{watch: watch, pilots: pilots, book: newLedger()}
}

// Take reads one reply.
func (o *Replies) Take(reply string) {
	o.book.read(int64(len(reply)), tally(o.watch.Scan([]byte(reply))))
}

// Sink implements Observer.
func (o *Replies) Sink() channel.Sink { return channel.SinkAgent }

// Pilot implements Observer.
func (o *Replies) Pilot(_ context.Context, phase channel.ID) error {
	text, err := o.pilots.text(phase)
	if err != nil {
		return err
	}
	o.book.pilot(phase, 1)
	o.Take(text)
	return nil
}

// Collect implements Observer.
func (o *Replies) Collect(context.Context) (Report, error) {
	return o.book.report(channel.SinkAgent), nil
}

// Close implements Observer. There is nothing to close.
func (o *Replies) Close() error { return nil }
