package observers

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"

	"postern/fixtures/channel"
	"postern/observers/canary"
)

// Groups is a member of some multicast groups on one link, and searches what
// is sent to them.
type Groups struct {
	pilots Pilots
	book   *ledger
	boxes  []*mailbox
}

var _ Observer = (*Groups)(nil)

// NewGroups joins groups ("224.0.0.251:5353") on the link on which this host
// has the address own. Other members keep what they have: all hear everything.
func NewGroups(own netip.Addr, groups []netip.AddrPort, watch *canary.Watch, pilots Pilots) (*Groups, error) {
	o := &Groups{pilots: pilots, book: newLedger()}
	for _, g := range groups {
		box, err := member(own, g, watch, o.book)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("starting the multicast observer: %w", err), o.Close())
		}
		o.boxes = append(o.boxes, box)
		go (&UDP{box: box}).serve()
	}
	return o, nil
}

func member(own netip.Addr, group netip.AddrPort, watch *canary.Watch, book *ledger) (*mailbox, error) {
	c, err := join(own, group)
	if err != nil {
		return nil, err
	}
	box, err := mailboxOf(c, watch, book)
	if err != nil {
		return nil, err
	}
	// A source address chooses the link: without, it would be the way out.
	box.reach = func() (*net.UDPConn, error) {
		return net.DialUDP("udp4", net.UDPAddrFromAddrPort(netip.AddrPortFrom(own, 0)), net.UDPAddrFromAddrPort(group))
	}
	return box, nil
}

// Sink implements Observer.
func (o *Groups) Sink() channel.Sink { return channel.SinkMulticast }

// Pilot implements Observer: one datagram to each group.
func (o *Groups) Pilot(ctx context.Context, phase channel.ID) error {
	text, err := o.pilots.text(phase)
	if err != nil {
		return err
	}
	o.book.pilot(phase, len(o.boxes))
	for _, box := range o.boxes {
		if err := box.tell(text); err != nil {
			return fmt.Errorf("sending a multicast pilot: %w", err)
		}
	}
	o.book.await(ctx, phase)
	return nil
}

func (m *mailbox) tell(text string) error {
	c, err := m.reach()
	if err != nil {
		return err
	}
	defer c.Close()
	_, err = c.Write([]byte(text))
	return err
}

// Collect implements Observer.
func (o *Groups) Collect(ctx context.Context) (Report, error) {
	var errs []error
	for _, box := range o.boxes {
		errs = append(errs, box.settle(ctx))
		box.Close()
	}
	return o.book.report(channel.SinkMulticast), errors.Join(errs...)
}

// Close implements Observer.
func (o *Groups) Close() error {
	for _, box := range o.boxes {
		box.Close()
	}
	return nil
}
