package observers

import (
	"context"
	"fmt"
	"net"

	"postern/fixtures/channel"
	"postern/observers/canary"
	"postern/observers/netns"
)

// TCP listens for streams and searches whole connections. It hears unix
// sockets, too.
type TCP struct {
	place  Place
	pilots Pilots
	book   *ledger
	door   *door
}

var _ Observer = (*TCP)(nil)

// NewTCP listens on a free port of 127.0.0.1 ("tcp4") or ::1 ("tcp6").
func NewTCP(network string, watch *canary.Watch, pilots Pilots) (*TCP, error) {
	place, err := loopback(network)
	if err != nil {
		return nil, err
	}
	return NewTCPAt(place, watch, pilots)
}

// NewTCPAt listens at a place.
func NewTCPAt(place Place, watch *canary.Watch, pilots Pilots) (*TCP, error) {
	l, err := place.listen()
	if err != nil {
		return nil, fmt.Errorf("starting the %s observer: %w", place.Sink, err)
	}
	book := newLedger()
	o := &TCP{place: place, pilots: pilots, book: book, door: newDoor(l, watch, book)}
	go o.serve()
	return o, nil
}

func (o *TCP) serve() {
	for {
		c, err := o.door.Accept()
		if err != nil {
			return
		}
		go c.Close() // reads to the end
	}
}

// Addr is where it listens, host:port.
func (o *TCP) Addr() string { return o.door.Addr().String() }

// Sink implements Observer.
func (o *TCP) Sink() channel.Sink { return o.place.Sink }

// Pilot implements Observer: one connection to its own address.
func (o *TCP) Pilot(ctx context.Context, phase channel.ID) error {
	text, err := o.pilots.text(phase)
	if err != nil {
		return err
	}
	o.book.pilot(phase, 1)
	err = netns.Inside(o.place.Namespace, func() error { return sendTo(ctx, o.place.Network, o.Addr(), []byte(text)) })
	if err != nil {
		return fmt.Errorf("sending the %s pilot: %w", o.place.Sink, err)
	}
	o.book.await(ctx, phase)
	return nil
}

// Collect implements Observer.
func (o *TCP) Collect(ctx context.Context) (Report, error) {
	err := o.door.settle(ctx, func(ctx context.Context) (net.Conn, error) { return o.place.dial(ctx, o.Addr()) })
	return o.book.report(o.place.Sink), err
}

// Close implements Observer.
func (o *TCP) Close() error {
	o.door.Listener.Close()
	o.door.cut()
	return nil
}

// sendTo sends messages from one socket, and waits for nothing.
func sendTo(ctx context.Context, network, address string, messages ...[]byte) error {
	c, err := new(net.Dialer).DialContext(ctx, network, address)
	if err != nil {
		return err
	}
	defer c.Close()
	if deadline, ok := ctx.Deadline(); ok {
		c.SetDeadline(deadline)
	}
	for _, b := range messages {
		if _, err := c.Write(b); err != nil {
			return err
		}
	}
	return endOf(c)
}

// endOf says that nothing more comes. It is for before Close, which resets a
// connection if an answer is waiting.
func endOf(c net.Conn) error {
	if c, ok := c.(interface{ CloseWrite() error }); ok {
		return c.CloseWrite()
	}
	return nil
}
