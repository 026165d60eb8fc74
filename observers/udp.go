package observers

import (
	"context"
	"fmt"

	"postern/fixtures/channel"
	"postern/observers/canary"
)

// UDP listens for datagrams and searches every one of them.
type UDP struct {
	place  Place
	pilots Pilots
	book   *ledger
	box    *mailbox
}

var _ Observer = (*UDP)(nil)

// NewUDP binds a free port of 127.0.0.1 ("udp4") or ::1 ("udp6").
func NewUDP(network string, watch *canary.Watch, pilots Pilots) (*UDP, error) {
	place, err := loopback(network)
	if err != nil {
		return nil, err
	}
	return NewUDPAt(place, watch, pilots)
}

// NewUDPAt binds a place of this namespace. An address of a whole network
// hears what is sent to all on it, and nothing else.
func NewUDPAt(place Place, watch *canary.Watch, pilots Pilots) (*UDP, error) {
	book := newLedger()
	box, err := place.mailbox(watch, book)
	if err != nil {
		return nil, fmt.Errorf("starting the %s observer: %w", place.Sink, err)
	}
	o := &UDP{place: place, pilots: pilots, book: book, box: box}
	go o.serve()
	return o, nil
}

func (o *UDP) serve() {
	buf := make([]byte, maxDatagram+1)
	for {
		if _, _, err := o.box.ReadFrom(buf); err != nil {
			return // closed: nobody connected it, so nothing else fails
		}
	}
}

// Addr is where it listens, host:port.
func (o *UDP) Addr() string { return o.box.LocalAddr().String() }

// Sink implements Observer.
func (o *UDP) Sink() channel.Sink { return o.place.Sink }

// Pilot implements Observer: one datagram to its own address.
func (o *UDP) Pilot(ctx context.Context, phase channel.ID) error {
	text, err := o.pilots.text(phase)
	if err != nil {
		return err
	}
	o.book.pilot(phase, 1)
	if err := sendTo(ctx, o.place.Network, o.Addr(), []byte(text)); err != nil {
		return fmt.Errorf("sending the %s pilot: %w", o.place.Sink, err)
	}
	o.book.await(ctx, phase)
	return nil
}

// Collect implements Observer.
func (o *UDP) Collect(ctx context.Context) (Report, error) {
	err := o.box.settle(ctx)
	o.box.Close()
	return o.book.report(o.place.Sink), err
}

// Close implements Observer.
func (o *UDP) Close() error {
	o.box.Close()
	return nil
}
