package observers

import (
	"context"
	"fmt"
	"net"

	"postern/fixtures/channel"
	"postern/observers/canary"
)

const (
	lengthBase   = 1  // the length of a datagram that says 0
	lifetimeBase = 64 // the lifetime of one that says 0, that of most systems
	maxWord      = 16 // bytes of a datagram whose source port is part of a row

	outlinePilots = 4 // readings, each with a pilot
)

// Outline listens on loopback for datagrams, searches them, and reads all that
// is not in them: for each sender the row of their lengths, types of service
// and lifetimes, and for each word the ports that it was sent from.
type Outline struct {
	watch   *canary.Watch
	pilots  Pilots
	book    *ledger
	box     *mailbox
	senders *flows[sender, rows]
	words   *flows[string, portRow]
}

var _ Observer = (*Outline)(nil)

// NewOutline binds a free port of 127.0.0.1.
func NewOutline(watch *canary.Watch, pilots Pilots) (*Outline, error) {
	o := &Outline{watch: watch, pilots: pilots, book: newLedger(), senders: newFlows[sender, rows](), words: newFlows[string, portRow]()}
	var err error
	if o.box, err = newMailbox("udp4", "127.0.0.1:0", watch, o.book, o.opened); err != nil {
		return nil, fmt.Errorf("starting the outline observer: %w", err)
	}
	if err := tellHeaders(o.box.UDPConn); err != nil {
		o.box.Close()
		return nil, fmt.Errorf("starting the outline observer: asking for headers: %w", err)
	}
	go (&UDP{box: o.box}).serve()
	return o, nil
}

// rows is what the datagrams of one sender were like.
type rows struct {
	lengths, services, lifetimes latest
}

// portRow are the source ports of one word: their low byte, by the four bits
// above it.
type portRow struct {
	low  [canary.Size]byte
	have uint16
}

// put takes one port and reports whether all are there.
func (p *portRow) put(port uint16) bool {
	i := port >> 8 & 15
	p.low[i] = byte(port)
	p.have |= 1 << i
	return p.have == 1<<canary.Size-1
}

func (o *Outline) opened(l letter) map[channel.ID]int {
	h := headersOf(l.oob)
	var seen map[channel.ID]int
	room := o.senders.with(sender{"udp", l.from}, func(s *rows) { seen = s.read(o.watch, len(l.body), h) })
	if len(l.body) > 0 && len(l.body) <= maxWord {
		whole := false
		room = o.words.with(string(l.body), func(p *portRow) {
			if whole = p.put(l.from.Port()); whole {
				seen = together(seen, tally(o.watch.Scan(p.low[:])))
			}
		}) && room
		if whole {
			o.words.forget(string(l.body))
		}
	}
	if !room {
		o.book.lost(1)
	}
	return seen
}

// datagramHeaders are what the kernel tells of the header of a datagram; -1 is unknown.
type datagramHeaders struct{ service, lifetime int }

func (s *rows) read(w *canary.Watch, length int, h datagramHeaders) map[channel.ID]int {
	var seen []map[channel.ID]int
	if n := length - lengthBase; n >= 0 && n < 16 {
		seen = append(seen, s.lengths.nibble(w, byte(n)))
	}
	if n := h.lifetime - lifetimeBase; n >= 0 && n < 16 {
		seen = append(seen, s.lifetimes.nibble(w, byte(n)))
	}
	if h.service >= 0 {
		seen = append(seen, s.services.push(w, byte(h.service)))
	}
	return together(seen...)
}

// Addr is where it listens, host:port.
func (o *Outline) Addr() string { return o.box.LocalAddr().String() }

// Sink implements Observer.
func (o *Outline) Sink() channel.Sink { return channel.SinkOutline }

// Pilot implements Observer: the pilot as the outline of datagrams, in every
// reading.
func (o *Outline) Pilot(ctx context.Context, phase channel.ID) error {
	raw, err := o.pilots.bytes(phase)
	if err != nil {
		return err
	}
	o.book.pilot(phase, outlinePilots)
	if err := o.shaped(ctx, raw); err != nil {
		return fmt.Errorf("sending the outline pilot: %w", err)
	}
	if err := o.fromPorts(raw, string(phase)); err != nil {
		return fmt.Errorf("sending the outline pilot from ports: %w", err)
	}
	o.book.await(ctx, phase)
	return nil
}

// shaped sends 32 datagrams: half a byte as the length and the lifetime of
// each, and a whole one as the type of service of each in the second half.
func (o *Outline) shaped(ctx context.Context, raw []byte) error {
	c, err := new(net.Dialer).DialContext(ctx, "udp4", o.Addr())
	if err != nil {
		return err
	}
	defer c.Close()
	for i := range 2 * len(raw) {
		n := int(raw[i/2] >> (4 * (1 - i%2)) & 15)
		service := 0
		if i >= len(raw) {
			service = int(raw[i-len(raw)])
		}
		if err := setHeaders(c.(*net.UDPConn), datagramHeaders{service, lifetimeBase + n}); err != nil {
			return err
		}
		if _, err := c.Write(make([]byte, lengthBase+n)); err != nil {
			return err
		}
	}
	return nil
}

// fromPorts sends one word from the ports that a text makes up.
func (o *Outline) fromPorts(raw []byte, phase string) error {
	to := o.box.LocalAddr().(*net.UDPAddr)
	for i, b := range raw {
		if err := sayFrom(i<<8|int(b), to, []byte(phase)); err != nil {
			return err
		}
	}
	return nil
}

// sayFrom sends from a free port with these low bits.
func sayFrom(low int, to *net.UDPAddr, word []byte) error {
	var failed error
	for high := 15; high > 0; high-- {
		c, err := net.DialUDP("udp4", &net.UDPAddr{IP: to.IP, Port: high<<12 | low}, to)
		if failed = err; err != nil {
			continue
		}
		defer c.Close()
		_, err = c.Write(word)
		return err
	}
	return failed
}

// Collect implements Observer.
func (o *Outline) Collect(ctx context.Context) (Report, error) {
	err := o.box.settle(ctx)
	o.box.Close()
	return o.book.report(channel.SinkOutline), err
}

// Close implements Observer.
func (o *Outline) Close() error {
	o.box.Close()
	return nil
}
