package observers

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"net/netip"

	"postern/fixtures/channel"
	"postern/observers/canary"
)

// How a canary is spelled by what surrounds a datagram's bytes. The agent has
// the same numbers.
const (
	portMark   = 0x4000 // the source port is this, and which byte it is, and the byte
	portBytes  = 16
	lengthMark = 16 // the length is this, and which half byte it is, and the half byte
	lengthHalf = 32
)

// Shape listens for datagrams whose lengths or source ports spell a canary:
// each is put into its place among the others, and all of them are searched.
type Shape struct {
	place   Place
	pilots  Pilots
	watch   *canary.Watch
	book    *ledger
	box     *mailbox
	ports   [portBytes]byte
	lengths [lengthHalf]byte // digits
}

var _ Observer = (*Shape)(nil)

// NewShape binds a place of this namespace.
func NewShape(place Place, watch *canary.Watch, pilots Pilots) (*Shape, error) {
	book := newLedger()
	box, err := place.mailbox(watch, book)
	if err != nil {
		return nil, fmt.Errorf("starting the %s observer: %w", place.Sink, err)
	}
	o := &Shape{place: place, pilots: pilots, watch: watch, book: book, box: box}
	go o.serve()
	return o, nil
}

func (o *Shape) serve() {
	buf := make([]byte, maxDatagram+1)
	for {
		n, from, err := o.box.ReadFrom(buf)
		if err != nil {
			return
		}
		o.take(n, from.(*net.UDPAddr).Port)
	}
}

// take puts what a datagram says into its place. What was found is wiped, so
// that the next datagram does not show it again.
func (o *Shape) take(length, port int) {
	switch half, mark := length-lengthMark, port-portMark; {
	case length == 1 && mark >= 0 && mark>>8 < portBytes:
		o.ports[mark>>8] = byte(mark)
		o.search(o.ports[:])
	case half >= 0 && half>>4 < lengthHalf:
		o.lengths[half>>4] = "0123456789abcdef"[half&15]
		o.search(o.lengths[:])
	}
}

func (o *Shape) search(spelled []byte) {
	if seen := tally(o.watch.Scan(spelled)); len(seen) > 0 {
		o.book.found(seen)
		clear(spelled)
	}
}

// Addr is where it listens, host:port.
func (o *Shape) Addr() string { return o.box.LocalAddr().String() }

// Sink implements Observer.
func (o *Shape) Sink() channel.Sink { return o.place.Sink }

// Pilot implements Observer: it is spelled both ways.
func (o *Shape) Pilot(ctx context.Context, phase channel.ID) error {
	text, err := o.pilots.text(phase)
	if err != nil {
		return err
	}
	o.book.pilot(phase, 2)
	if err := o.spell(text); err != nil {
		return fmt.Errorf("sending the %s pilots: %w", o.place.Sink, err)
	}
	o.book.await(ctx, phase)
	return nil
}

func (o *Shape) spell(text string) error {
	raw, err := hex.DecodeString(text)
	if err != nil || len(raw) != portBytes {
		return errPilot
	}
	to := o.box.LocalAddr().(*net.UDPAddr)
	for i, b := range raw {
		from := netip.AddrPortFrom(netip.MustParseAddr(o.place.From), uint16(portMark|i<<8|int(b)))
		if err := sendFrom(from, to); err != nil {
			return err
		}
	}
	c, err := net.DialUDP("udp4", nil, to)
	if err != nil {
		return err
	}
	defer c.Close()
	for i := range lengthHalf {
		half := raw[i/2] >> (4 - 4*(i%2)) & 15
		if _, err := c.Write(make([]byte, lengthMark+(i<<4|int(half)))); err != nil {
			return err
		}
	}
	return nil
}

// Collect implements Observer.
func (o *Shape) Collect(ctx context.Context) (Report, error) {
	err := o.box.settle(ctx)
	o.box.Close()
	return o.book.report(o.place.Sink), err
}

// Close implements Observer.
func (o *Shape) Close() error {
	o.box.Close()
	return nil
}

var errPilot = errors.New("the pilot is no canary")
