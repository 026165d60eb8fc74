package observers

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"

	"postern/fixtures/channel"
	"postern/observers/canary"
)

// Collector is a log server on loopback: where one of the Engine's log drivers
// sends a container's output to, or the gateway its spans. It answers no more than
// the sender needs.
type Collector struct {
	sink   channel.Sink
	kind   kind
	pilots Pilots
	book   *ledger
	box    *mailbox // of those that take datagrams, or nil
	door   *door    // of those that take connections, or nil
	http   *http.Server
}

var _ Observer = (*Collector)(nil)

// kind is how the log servers differ.
type kind struct {
	datagrams bool
	http      bool
	pack      func(text string) []byte                                     // a message like the driver's
	unpack    func(*canary.Watch, *ledger) func([]byte) map[channel.ID]int // what lies deeper in a datagram; may be nil
}

// kinds lists the log servers. Connections are searched as they come: the
// drivers write text into them, whatever stands around it.
func kinds() map[channel.Sink]kind {
	return map[channel.Sink]kind{
		channel.SinkSyslogUDP: {datagrams: true, pack: syslogLine},
		channel.SinkSyslogTCP: {pack: syslogLine},
		channel.SinkGELFUDP:   {datagrams: true, pack: gelfDatagram, unpack: gelfUnpack},
		channel.SinkGELFTCP:   {pack: gelfLine},
		channel.SinkFluentd:   {pack: fluentdMessage},
		channel.SinkSplunk:    {http: true, pack: splunkRequest},
		channel.SinkSpans:     {http: true, pack: spansRequest},
	}
}

// NewCollector listens for the log driver of a sink on a free port of 127.0.0.1.
func NewCollector(sink channel.Sink, watch *canary.Watch, pilots Pilots) (*Collector, error) {
	k, ok := kinds()[sink]
	if !ok {
		return nil, fmt.Errorf("starting a log server: none is for %q", sink)
	}
	o := &Collector{sink: sink, kind: k, pilots: pilots, book: newLedger()}
	if err := o.listen(watch); err != nil {
		return nil, fmt.Errorf("starting the %s log server: %w", sink, err)
	}
	return o, nil
}

func (o *Collector) listen(watch *canary.Watch) (err error) {
	if o.kind.datagrams {
		var more func(letter) map[channel.ID]int
		if o.kind.unpack != nil {
			unpack := o.kind.unpack(watch, o.book)
			more = func(l letter) map[channel.ID]int { return unpack(l.body) }
		}
		if o.box, err = newMailbox("udp4", "127.0.0.1:0", watch, o.book, more); err != nil {
			return err
		}
		go o.receive()
		return nil
	}
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return err
	}
	o.door = newDoor(l, watch, o.book)
	if o.kind.http {
		o.http = &http.Server{Handler: http.HandlerFunc(accept)}
		o.http.SetKeepAlivesEnabled(false) // a connection must end to be counted
		go o.http.Serve(o.door)
		return nil
	}
	go o.serve()
	return nil
}

// accept answers as a log server that took everything: the door searches a
// request to its end when the connection is closed.
func accept(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) }

func (o *Collector) receive() {
	buf := make([]byte, maxDatagram+1)
	for {
		if _, _, err := o.box.ReadFrom(buf); err != nil {
			return
		}
	}
}

func (o *Collector) serve() {
	for {
		c, err := o.door.Accept()
		if err != nil {
			return
		}
		go c.Close() // reads to the end
	}
}

// Addr is where it listens, host:port.
func (o *Collector) Addr() string {
	if o.box != nil {
		return o.box.LocalAddr().String()
	}
	return o.door.Addr().String()
}

func (o *Collector) network() string {
	if o.box != nil {
		return "udp4"
	}
	return "tcp4"
}

// Sink implements Observer.
func (o *Collector) Sink() channel.Sink { return o.sink }

// Pilot implements Observer: one message in the driver's form.
func (o *Collector) Pilot(ctx context.Context, phase channel.ID) error {
	text, err := o.pilots.text(phase)
	if err != nil {
		return err
	}
	message := o.kind.pack(text)
	if message == nil {
		return errors.New("packing a log server's pilot failed")
	}
	o.book.pilot(phase, 1)
	if err := sendTo(ctx, o.network(), o.Addr(), message); err != nil {
		return fmt.Errorf("sending the %s pilot: %w", o.sink, err)
	}
	o.book.await(ctx, phase)
	return nil
}

// Collect implements Observer. The Engine closes its connections when the
// container has stopped.
func (o *Collector) Collect(ctx context.Context) (Report, error) {
	if o.box != nil {
		err := o.box.settle(ctx)
		o.box.Close()
		return o.book.report(o.sink), err
	}
	err := o.door.settle(ctx, func(ctx context.Context) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "tcp4", o.Addr())
	})
	return o.book.report(o.sink), err
}

// Close implements Observer.
func (o *Collector) Close() error {
	if o.box != nil {
		o.box.Close()
		return nil
	}
	o.door.Listener.Close()
	o.door.cut()
	if o.http != nil {
		o.http.Close() // what it held is cut already
	}
	return nil
}
