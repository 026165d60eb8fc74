package observers

import (
	"context"
	"fmt"
	"net"

	"postern/fixtures/channel"
	"postern/observers/canary"
)

// Protocol listens on loopback for connections in one protocol. It searches
// their bytes, and what only a reader of the protocol finds in them.
type Protocol struct {
	sink   channel.Sink
	pilots Pilots
	book   *ledger
	door   *door
	inline bool                    // urgent bytes are kept among the others
	hear   func(n int, c net.Conn) // reads the n-th connection; may be nil
	say    func(ctx context.Context, address, text string) error
}

var _ Observer = (*Protocol)(nil)

// listen starts the observer, once it knows how to hear and to say its pilots.
func (o *Protocol) listen(watch *canary.Watch, pilots Pilots) (*Protocol, error) {
	var config net.ListenConfig
	if o.inline {
		config.Control = urgentToo
	}
	l, err := config.Listen(context.Background(), "tcp4", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("starting the %s observer: %w", o.sink, err)
	}
	o.pilots, o.door = pilots, newDoor(l, watch, o.book)
	go o.serve()
	return o, nil
}

func (o *Protocol) serve() {
	for n := 0; ; n++ {
		c, err := o.door.Accept()
		if err != nil {
			return
		}
		go func() {
			defer c.Close() // reads to the end
			if o.hear != nil {
				o.hear(n, c)
			}
		}()
	}
}

// Addr is where it listens, host:port.
func (o *Protocol) Addr() string { return o.door.Addr().String() }

// Sink implements Observer.
func (o *Protocol) Sink() channel.Sink { return o.sink }

// Pilot implements Observer: the pilot in the protocol, to its own address.
func (o *Protocol) Pilot(ctx context.Context, phase channel.ID) error {
	text, err := o.pilots.text(phase)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, pilotPatience)
	defer cancel()
	o.book.pilot(phase, 1)
	if err := o.say(ctx, o.Addr(), text); err != nil {
		return fmt.Errorf("sending the %s pilot: %w", o.sink, err)
	}
	o.book.await(ctx, phase)
	return nil
}

// Collect implements Observer.
func (o *Protocol) Collect(ctx context.Context) (Report, error) {
	err := o.door.settle(ctx, func(ctx context.Context) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "tcp4", o.Addr())
	})
	return o.book.report(o.sink), err
}

// Close implements Observer.
func (o *Protocol) Close() error {
	o.door.Listener.Close()
	o.door.cut()
	return nil
}
