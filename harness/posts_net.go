package harness

import (
	"postern/fixtures/channel"
	"postern/observers"
	"postern/observers/canary"
)

// net starts the observers of the net channels.
func (o *opening) net() {
	o.loopback()
	o.segment()
	o.beyond()
	o.sockets()
}

// loopback starts those on the host's own loopback.
func (o *opening) loopback() {
	for _, network := range []struct {
		name     string
		sink     channel.Sink
		channels []channel.ID
	}{
		{"tcp4", channel.SinkTCP4, []channel.ID{channel.NetTCP4, channel.NetTCP4Child, channel.NetTCP4Grandchild}},
		{"tcp6", channel.SinkTCP6, []channel.ID{channel.NetTCP6}},
	} {
		tcp := open(o, network.sink, func(w *canary.Watch, p observers.Pilots) (*observers.TCP, error) {
			return observers.NewTCP(network.name, w, p)
		})
		if o.err == nil {
			o.at(tcp.Addr(), network.channels...)
		}
	}
	for _, network := range []struct {
		name     string
		sink     channel.Sink
		channels []channel.ID
	}{
		{"udp4", channel.SinkUDP4, []channel.ID{channel.NetUDP4}},
		{"udp6", channel.SinkUDP6, []channel.ID{channel.NetUDP6}},
	} {
		udp := open(o, network.sink, func(w *canary.Watch, p observers.Pilots) (*observers.UDP, error) {
			return observers.NewUDP(network.name, w, p)
		})
		if o.err == nil {
			o.at(udp.Addr(), network.channels...)
		}
	}
}
