package observers

import (
	"context"
	"fmt"
	"net"

	"postern/fixtures/channel"
	"postern/observers/canary"
	"postern/observers/netns"
)

// Place is where an observer listens.
type Place struct {
	Sink      channel.Sink
	Network   string // "tcp4", "tcp6", "udp4", "udp6", "unix"
	Address   string // host:port, or "@name" of an abstract unix socket
	Namespace string // path of a network namespace, such as /proc/1/ns/net; empty is this one
	From      string // where the observer's own calls come from; empty leaves it to the kernel
}

// Gateway is a free port of this host's address on a bridge of the Engine's,
// whose firewall rules give calls from that address another one. Calls from
// loopback they leave alone.
func Gateway(sink channel.Sink, network, own string) Place {
	return Place{Sink: sink, Network: network, Address: net.JoinHostPort(own, "0"), From: "127.0.0.1"}
}

// loopback is a free port of this host's loopback.
func loopback(network string) (Place, error) {
	p, ok := map[string]Place{
		"tcp4": {Address: "127.0.0.1:0", Sink: channel.SinkTCP4}, "tcp6": {Address: "[::1]:0", Sink: channel.SinkTCP6},
		"udp4": {Address: "127.0.0.1:0", Sink: channel.SinkUDP4}, "udp6": {Address: "[::1]:0", Sink: channel.SinkUDP6},
	}[network]
	if !ok {
		return Place{}, fmt.Errorf("starting an observer: there is none for network %q", network)
	}
	p.Network = network
	return p, nil
}

// listen opens a stream listener there.
func (p Place) listen() (l net.Listener, err error) {
	err = netns.Inside(p.Namespace, func() error {
		l, err = net.Listen(p.Network, p.Address)
		return err
	})
	return l, err
}

// dial reaches address from there: a literal one, which is dialled by the
// calling thread, whose namespace counts. A unix socket gets a name, to be
// known by.
func (p Place) dial(ctx context.Context, address string) (c net.Conn, err error) {
	var d net.Dialer
	switch {
	case p.Network == "unix":
		d.LocalAddr = &net.UnixAddr{Name: address + ".fence", Net: "unix"}
	case p.From != "":
		d.LocalAddr = &net.TCPAddr{IP: net.ParseIP(p.From)}
	}
	err = netns.Inside(p.Namespace, func() error {
		c, err = d.DialContext(ctx, p.Network, address)
		return err
	})
	return c, err
}

// mailbox opens a datagram socket there, in this namespace.
func (p Place) mailbox(watch *canary.Watch, book *ledger) (*mailbox, error) {
	box, err := newMailbox(p.Network, p.Address, watch, book, nil)
	if err == nil && p.From != "" {
		box.reach = func() (*net.UDPConn, error) {
			return net.DialUDP(p.Network, &net.UDPAddr{IP: net.ParseIP(p.From)}, box.LocalAddr().(*net.UDPAddr))
		}
	}
	return box, err
}
