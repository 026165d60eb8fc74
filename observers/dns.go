package observers

import (
	"context"
	"errors"
	"fmt"
	"net"
	"time"

	"github.com/miekg/dns"

	"postern/fixtures/channel"
	"postern/observers/canary"
)

// DNS is a name server on loopback, over UDP and TCP on one port, that knows
// no name. Every datagram and every byte of a connection is searched before
// it is parsed, and the names in it once more without the length bytes
// between their labels.
type DNS struct {
	watch  *canary.Watch
	pilots Pilots
	book   *ledger
	box    *mailbox
	door   *door
	udp    *dns.Server
	tcp    *dns.Server
	done   chan struct{} // both have ended
}

var _ Observer = (*DNS)(nil)

// NewDNS binds a free port of 127.0.0.1 for both transports.
func NewDNS(watch *canary.Watch, pilots Pilots) (*DNS, error) {
	o := &DNS{watch: watch, pilots: pilots, book: newLedger(), done: make(chan struct{})}
	if err := o.bind(); err != nil {
		return nil, fmt.Errorf("starting the dns observer: %w", err)
	}
	o.udp = &dns.Server{PacketConn: o.box, UDPSize: maxDatagram + 1, Handler: dns.HandlerFunc(unknown)}
	o.tcp = &dns.Server{Listener: o.door, MaxTCPQueries: -1, Handler: dns.HandlerFunc(unknown),
		DecorateReader: func(r dns.Reader) dns.Reader { return &messages{Reader: r, dns: o} }}
	o.serve()
	return o, nil
}

// bind finds a port that is free for both.
func (o *DNS) bind() error {
	var failed error
	for range 16 {
		l, err := net.Listen("tcp4", "127.0.0.1:0")
		if err != nil {
			return err
		}
		o.box, failed = newMailbox("udp4", l.Addr().String(), o.watch, o.book, o.names)
		if failed == nil {
			o.door = newDoor(l, o.watch, o.book)
			return nil
		}
		l.Close()
	}
	return failed
}

// serve starts both servers and returns once they can be shut down.
func (o *DNS) serve() {
	ended := make(chan struct{}, 2)
	for _, s := range []*dns.Server{o.udp, o.tcp} {
		started := make(chan struct{}, 2)
		s.NotifyStartedFunc = func() { started <- struct{}{} }
		go func() {
			s.ActivateAndServe() // when it fails, the pilots are not heard
			started <- struct{}{}
			ended <- struct{}{}
		}()
		<-started
	}
	go func() {
		<-ended
		<-ended
		close(o.done)
	}()
}

// unknown answers that the name does not exist.
func unknown(w dns.ResponseWriter, q *dns.Msg) {
	w.WriteMsg(new(dns.Msg).SetRcode(q, dns.RcodeNameError))
}

// messages looks at the messages of a TCP connection, whose bytes the door
// has searched already.
type messages struct {
	dns.Reader
	dns *DNS
}

// ReadTCP implements dns.Reader.
func (r *messages) ReadTCP(c net.Conn, timeout time.Duration) ([]byte, error) {
	m, err := r.Reader.ReadTCP(c, timeout)
	if err == nil {
		r.dns.book.found(beyond(r.dns.names(m), tally(r.dns.watch.Scan(m))))
	}
	return m, err
}

// names counts the sightings in the names of a message.
func (o *DNS) names(m []byte) map[channel.ID]int { return tally(o.watch.Scan(joinNames(m))) }

// Addr is where it listens, host:port, over UDP and TCP.
func (o *DNS) Addr() string { return o.door.Addr().String() }

// Sink implements Observer.
func (o *DNS) Sink() channel.Sink { return channel.SinkDNS }

// Pilot implements Observer: one question over each transport.
func (o *DNS) Pilot(ctx context.Context, phase channel.ID) error {
	text, err := o.pilots.text(phase)
	if err != nil {
		return err
	}
	o.book.pilot(phase, 2)
	q := new(dns.Msg).SetQuestion(text+".pilot.postern.test.", dns.TypeA)
	b, err := q.Pack()
	if err != nil {
		return errors.New("packing the dns pilot: it makes no question")
	}
	if err := sendTo(ctx, "udp4", o.Addr(), b); err != nil {
		return fmt.Errorf("sending the dns pilot over UDP: %w", err)
	}
	framed := append([]byte{byte(len(b) >> 8), byte(len(b))}, b...)
	if err := sendTo(ctx, "tcp4", o.Addr(), framed); err != nil {
		return fmt.Errorf("sending the dns pilot over TCP: %w", err)
	}
	o.book.await(ctx, phase)
	return nil
}

// Collect implements Observer.
func (o *DNS) Collect(ctx context.Context) (Report, error) {
	err := errors.Join(o.box.settle(ctx), o.door.settle(ctx, func(ctx context.Context) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "tcp4", o.Addr())
	}))
	o.Close()
	return o.book.report(channel.SinkDNS), err
}

// Close implements Observer.
func (o *DNS) Close() error {
	ctx, cancel := context.WithCancel(context.Background())
	cancel() // ask them to stop, wait below
	o.udp.ShutdownContext(ctx)
	o.tcp.ShutdownContext(ctx)
	o.door.Listener.Close()
	o.box.Close()
	o.door.cut()
	<-o.done
	return nil
}
