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

// DNS is a name server, over UDP and TCP on one port, that knows no name.
// Every datagram and every byte of a connection is searched before it is
// parsed, and the names in it once more without the length bytes between their
// labels. What only several messages make up is put together: the numbers in
// those of one sender, and names that say which part of a text they are. Where a
// canary may come in a dress, the names are kept by their sender, and searched
// deeply at the end.
type DNS struct {
	sink   channel.Sink
	watch  *canary.Watch
	pilots Pilots
	book   *ledger
	box    *mailbox
	door   *door
	udp    *dns.Server
	tcp    *dns.Server
	done   chan struct{} // both have ended

	senders *flows[sender, numbers]
	words   *flows[string, parts]
	deep    *deep
}

var _ Observer = (*DNS)(nil)

// NewDNS binds a free port of 127.0.0.1 for both transports.
func NewDNS(watch *canary.Watch, pilots Pilots) (*DNS, error) {
	return startDNS(channel.SinkDNS, "127.0.0.1:0", watch, pilots)
}

// NewResolver binds an address, host:port, for both transports: the server
// that the Engine's own resolver asks.
func NewResolver(address string, watch *canary.Watch, pilots Pilots) (*DNS, error) {
	return startDNS(channel.SinkResolver, address, watch, pilots)
}

func startDNS(sink channel.Sink, address string, watch *canary.Watch, pilots Pilots) (*DNS, error) {
	o := &DNS{sink: sink, watch: watch, pilots: pilots, book: newLedger(), done: make(chan struct{}),
		senders: newFlows[sender, numbers](), words: newFlows[string, parts]()}
	var err error
	if o.deep, err = newDeep(sink, watch, pilots); err != nil {
		return nil, fmt.Errorf("starting the %s observer: %w", sink, err)
	}
	if err := o.bind(address); err != nil {
		return nil, fmt.Errorf("starting the %s observer: %w", sink, err)
	}
	o.udp = &dns.Server{PacketConn: o.box, UDPSize: maxDatagram + 1, Handler: dns.HandlerFunc(unknown)}
	o.tcp = &dns.Server{Listener: o.door, MaxTCPQueries: -1, Handler: dns.HandlerFunc(unknown),
		DecorateReader: func(r dns.Reader) dns.Reader { return &messages{Reader: r, dns: o} }}
	o.serve()
	return o, nil
}

// bind finds a port that is free for both.
func (o *DNS) bind(address string) error {
	var failed error
	for range 16 {
		l, err := net.Listen("tcp4", address)
		if err != nil {
			return err
		}
		o.box, failed = newMailbox("udp4", l.Addr().String(), o.watch, o.book, o.opened)
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
		from := sender{"tcp", c.RemoteAddr().(*net.TCPAddr).AddrPort()}
		r.dns.book.found(beyond(r.dns.readings(from, m), tally(r.dns.watch.Scan(m))))
	}
	return m, err
}

// opened reads a datagram, whose bytes the mailbox has searched already.
func (o *DNS) opened(l letter) map[channel.ID]int {
	return o.readings(sender{"udp", l.from}, l.body)
}

// readings counts the sightings in the names of a message, and in what it
// makes up with others.
func (o *DNS) readings(from sender, m []byte) map[channel.ID]int {
	names := namesIn(m)
	for _, n := range names {
		o.deep.keep(from, n.line())
	}
	var seen map[channel.ID]int
	room := o.senders.with(from, func(n *numbers) { seen = n.read(o.watch, m) })
	for _, n := range names {
		text, ok := whole(o.words, n)
		room = room && ok
		seen = together(seen, o.named(n), tally(o.watch.Scan(text)))
	}
	if !room {
		o.book.lost(1)
	}
	return seen
}

// named is whose canary a name holds, in any of its readings.
func (o *DNS) named(n dnsName) (seen map[channel.ID]int) {
	for _, b := range n.readings() {
		seen = most(seen, tally(o.watch.Scan(b)))
	}
	return seen
}

// Addr is where it listens, host:port, over UDP and TCP.
func (o *DNS) Addr() string { return o.door.Addr().String() }

// Sink implements Observer.
func (o *DNS) Sink() channel.Sink { return o.sink }

// Collect implements Observer.
func (o *DNS) Collect(ctx context.Context) (Report, error) {
	err := errors.Join(o.box.settle(ctx), o.door.settle(ctx, func(ctx context.Context) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "tcp4", o.Addr())
	}))
	o.Close()
	o.deep.together()
	o.deep.hear(ctx, o.book)
	return o.book.report(o.sink), err
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
