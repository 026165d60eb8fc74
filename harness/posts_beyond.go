package harness

import (
	"fmt"
	"strconv"

	"postern/fixtures/channel"
	"postern/mutants"
	"postern/observers"
	"postern/observers/canary"
)

// The ports at which agents listen lie outside the range from which systems
// give ports away by themselves.
const (
	firstPort = 20000
	portsUsed = 12000
)

// port is one of the ports at which the trial's agent listens.
func (t *trial) port(n int) int { return firstPort + (2*t.uid+n)%portsUsed }

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
	name := address // nobody is to ask for a name that there is not: resolvers ask others
	if o.trial.around.peer != "" {
		place, name = o.trial.around.peer, mutants.PeerName
	}
	if a := o.trial.site.Net.PeerAddress; a != "" {
		address = a
	}
	tcp := openTCP(o, observers.Place{Sink: channel.SinkPeerNet, Network: "tcp4", Address: anyPort("0.0.0.0"), Namespace: place})
	o.at(named(address, tcp), channel.NetPeerTCP4)
	o.at(named(name, tcp), channel.NetPeerNamed)
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
