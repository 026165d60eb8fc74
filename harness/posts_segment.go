package harness

import (
	"net"
	"net/netip"

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

// segment starts the observers of the link that a container would be on.
func (o *opening) segment() {
	if o.err != nil {
		return
	}
	if o.trial.cells != nil { // there is no link, and nobody is to be sent anything elsewhere
		o.at(nobodyThere, channel.NetGatewayTCP4, channel.NetGatewayNamed, channel.NetGatewayUDP4, channel.NetSourcePort, channel.NetLength,
			channel.NetMDNS, channel.NetLLMNR, channel.NetSSDP, channel.NetBroadcast, channel.NetDHCP)
		o.at("127.0.0.11", channel.NetICMP)
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
