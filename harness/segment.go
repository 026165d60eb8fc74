package harness

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"sync"

	"github.com/docker/docker/api/types/network"

	"postern/observers"
)

// segment is the bridge that a container would be on: the Engine's own, or
// one that the trial is furnished with.
type segment struct {
	link    string       // the host's interface
	gateway netip.Prefix // the host's address on it, with the length of the network
	port    *observers.Port
	unplug  func() error
}

// around is the network around a trial's subject, where it is not the usual one.
type around struct {
	segment   segment
	neighbour netip.Addr // where the neighbour is reached
	peer      string     // the network namespace of the other container
}

// bridgeName is the option that says what the bridge of a network is called.
const bridgeName = "com.docker.network.bridge.name"

// segmentOf is the bridge of one of the Engine's networks, with a port of ours.
func (l *lab) segmentOf(ctx context.Context, id string) (segment, error) {
	s, err := l.bridgeOf(ctx, id)
	if err != nil {
		return segment{}, err
	}
	if err := l.outskirts.ready(); err != nil {
		return segment{}, err
	}
	s.port, s.unplug, err = l.outskirts.plug(s.link)
	return s, err
}

func (l *lab) bridgeOf(ctx context.Context, id string) (segment, error) {
	n, err := l.api.NetworkInspect(ctx, id, network.InspectOptions{})
	if err != nil {
		return segment{}, fmt.Errorf("looking at a network: %w", err)
	}
	name := n.Options[bridgeName]
	if name == "" {
		name = "br-" + n.ID[:min(12, len(n.ID))] // as the Engine's bridge driver has it
	}
	on, err := net.InterfaceByName(name)
	if err != nil {
		return segment{}, fmt.Errorf("finding the bridge of a network: %w", err)
	}
	all, err := on.Addrs()
	if err != nil {
		return segment{}, fmt.Errorf("reading the addresses of a bridge: %w", err)
	}
	for _, a := range all {
		if p, err := netip.ParsePrefix(a.String()); err == nil && p.Addr().Is4() {
			return segment{link: name, gateway: p}, nil
		}
	}
	return segment{}, errors.New("the bridge of a network has no IPv4 address")
}

// ground is the segment of this trial.
func (t *trial) ground() (segment, error) {
	if t.around.segment.link != "" {
		return t.around.segment, nil
	}
	return t.lab.ground()
}

// ownBridge is the segment of the Engine's own bridge, looked for once.
type ownBridge struct {
	once   sync.Once
	found  segment
	failed error
}

// ground is the segment of all trials that are not furnished with another one.
func (l *lab) ground() (segment, error) {
	l.bridge.once.Do(func() { l.bridge.found, l.bridge.failed = l.segmentOf(context.Background(), "bridge") })
	return l.bridge.found, l.bridge.failed
}

// broadcast is the address of all on the segment.
func (s segment) broadcast() netip.Addr {
	a := s.gateway.Masked().Addr().As4()
	for i := s.gateway.Bits(); i < 32; i++ {
		a[i/8] |= 1 << (7 - i%8)
	}
	return netip.AddrFrom4(a)
}
