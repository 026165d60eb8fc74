package harness

import (
	"fmt"
	"net"
	"net/netip"
	"strconv"

	"postern/fixtures/channel"
	"postern/mutants"
	"postern/observers"
	"postern/observers/canary"
)

// Groups that every system on a link may be a member of.
const (
	groupMDNS  = "224.0.0.251:5353"     // RFC 6762
	groupLLMNR = "224.0.0.252:5355"     // RFC 4795
	groupSSDP  = "239.255.255.250:1900" // UPnP Device Architecture
	portDHCP   = "67"                   // RFC 2131
)

// The ports at which agents listen lie outside the range from which systems
// give ports away by themselves.
const (
	firstPort = 20000
	portsUsed = 12000
)

// port is one of the ports at which the trial's agent listens.
func (t *trial) port(n int) int { return firstPort + (2*t.uid+n)%portsUsed }

// segment starts the observers of the link that a container would be on.
func (o *opening) segment() {
	if o.err != nil {
		return
	}
	ground, err := o.trial.ground()
	if err != nil {
		o.err = err
		return
	}
	own := ground.gateway.Addr()
	o.gateway(own)
	o.groups(own)
	all := openUDP(o, observers.Place{Sink: channel.SinkBroadcast, Network: "udp4", Address: anyPort(ground.broadcast().String())})
	o.at(all, channel.NetBroadcast)
	open(o, channel.SinkFrames, func(w *canary.Watch, p observers.Pilots) (*observers.Frames, error) {
		return observers.NewFrames(ground.link, ground.port, w, p)
	})
	o.at(net.JoinHostPort(ground.broadcast().String(), portDHCP), channel.NetDHCP)
	o.at(own.String(), channel.NetICMP)
}

// gateway starts those at the host's own address on that link.
func (o *opening) gateway(own netip.Addr) {
	at := own.String()
	tcp := openTCP(o, observers.Gateway(channel.SinkGatewayTCP, "tcp4", at))
	o.at(tcp, channel.NetGatewayTCP4)
	o.at(named(mutants.GatewayName, tcp), channel.NetGatewayNamed)
	o.at(openUDP(o, observers.Gateway(channel.SinkGatewayUDP, "udp4", at)), channel.NetGatewayUDP4)
	shape := open(o, channel.SinkShape, func(w *canary.Watch, p observers.Pilots) (*observers.Shape, error) {
		return observers.NewShape(observers.Gateway(channel.SinkShape, "udp4", at), w, p)
	})
	if o.err == nil {
		o.at(shape.Addr(), channel.NetSourcePort, channel.NetLength)
	}
}

func (o *opening) groups(own netip.Addr) {
	var joined []netip.AddrPort
	for _, g := range []struct {
		at string
		id channel.ID
	}{{groupMDNS, channel.NetMDNS}, {groupLLMNR, channel.NetLLMNR}, {groupSSDP, channel.NetSSDP}} {
		joined = append(joined, netip.MustParseAddrPort(g.at))
		o.at(g.at, g.id)
	}
	open(o, channel.SinkMulticast, func(w *canary.Watch, p observers.Pilots) (*observers.Groups, error) {
		return observers.NewGroups(own, joined, w, p)
	})
}

// beyond starts the observers of network namespaces other than the host's.
func (o *opening) beyond() {
	if o.err != nil {
		return
	}
	out := &o.trial.lab.outskirts
	if o.err = out.ready(); o.err != nil {
		return
	}
	anywhere := anyPort("0.0.0.0")
	heard := openTCP(o, observers.Place{Sink: channel.SinkNeighbour, Network: "tcp4", Address: anywhere, Namespace: namespacePath(out.neighbour)})
	neighbour := out.address.String()
	if a := o.trial.around.neighbour; a.IsValid() {
		neighbour = a.String()
	}
	o.at(named(neighbour, heard), channel.NetNeighbour)
	o.peer(neighbour)
}

// peer starts those of another container. Without one they listen where
// nothing leads to, and what stands for its address is a neighbour that refuses.
func (o *opening) peer(address string) {
	place := namespacePath(o.trial.lab.outskirts.nowhere)
	if o.trial.around.peer != "" {
		place = o.trial.around.peer
	}
	if a := o.trial.site.Net.PeerAddress; a != "" {
		address = a
	}
	tcp := openTCP(o, observers.Place{Sink: channel.SinkPeer, Network: "tcp4", Address: anyPort("0.0.0.0"), Namespace: place})
	o.at(named(address, tcp), channel.NetPeerTCP4)
	o.at(named(mutants.PeerName, tcp), channel.NetPeerNamed)
	o.at(named("127.0.0.1", tcp), channel.NetPeerLoopback)
	abstract := "@postern-peer-" + strconv.Itoa(o.trial.uid)
	openTCP(o, observers.Place{Sink: channel.SinkPeerAbstract, Network: "unix", Address: abstract, Namespace: place})
	o.at(abstract, channel.NetPeerAbstract)
}

// sockets starts the observers of sockets that are no network's, and of those
// that the agent waits at.
func (o *opening) sockets() {
	abstract := fmt.Sprintf("@postern-%d", o.trial.uid)
	openTCP(o, observers.Place{Sink: channel.SinkAbstract, Network: "unix", Address: abstract})
	o.at(abstract, channel.NetAbstract)
	o.at(strconv.Itoa(o.trial.port(0)), channel.NetListenTCP4, channel.NetListenUDP4)
	o.at(strconv.Itoa(o.trial.port(1)), channel.NetListenPublished)
	o.at(o.trial.lab.outskirts.link, channel.NetLinkAlias)
	if !o.ordinary() {
		return
	}
	enter(o, channel.SinkSocketNames, func(w *canary.Watch, p observers.Pilots) (*observers.SocketNames, error) {
		return observers.NewSocketNames(w, p), nil
	})
	enter(o, channel.SinkInbound, func(w *canary.Watch, p observers.Pilots) (*observers.Inbound, error) {
		return observers.NewInbound(o.trial.api, o.trial.port(0), o.trial.port(1), w, p), nil
	})
	enter(o, channel.SinkLinks, func(w *canary.Watch, p observers.Pilots) (*observers.Links, error) {
		return observers.NewLinks(o.trial.lab.outskirts.link, &o.trial.lab.outskirts.aliases, w, p), nil
	})
}

// openTCP and openUDP start an observer at a place and say where it listens.
func openTCP(o *opening, at observers.Place) string {
	made := open(o, at.Sink, func(w *canary.Watch, p observers.Pilots) (*observers.TCP, error) {
		return observers.NewTCPAt(at, w, p)
	})
	if o.err != nil {
		return ""
	}
	return made.Addr()
}

func openUDP(o *opening, at observers.Place) string {
	made := open(o, at.Sink, func(w *canary.Watch, p observers.Pilots) (*observers.UDP, error) {
		return observers.NewUDPAt(at, w, p)
	})
	if o.err != nil {
		return ""
	}
	return made.Addr()
}

func anyPort(host string) string { return net.JoinHostPort(host, "0") }

// named is the port of an address under another host.
func named(host, address string) string {
	_, port, _ := net.SplitHostPort(address)
	return net.JoinHostPort(host, port)
}
