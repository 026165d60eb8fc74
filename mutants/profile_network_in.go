package mutants

import (
	"postern/fixtures/channel"
	"postern/gateway"
	"postern/gateway/confine"
)

// networkWaysIn lists the mutants of ports and links, which lead nowhere
// without a network.
func networkWaysIn() []Mutant {
	publish := func(c *gateway.Config, s Site) {
		c.Profile.Ports.Publish = []string{"127.0.0.1::" + s.Net.Published + "/tcp"}
	}
	publishAll := func(c *gateway.Config, s Site) {
		c.Profile.Ports.Expose = []string{s.Net.Published + "/tcp"}
		c.Profile.Ports.All = true
	}
	link := func(c *gateway.Config, s Site) { c.Profile.Links = []string{s.Net.Peer + ":" + PeerName} }
	return []Mutant{
		{
			ID:      "profile/ports-published",
			Why:     "a port is published",
			Weakens: confine.PortsNone,
			Needs:   []Need{NeedBridge},
			Apply:   publish,
		},
		{
			ID:      "profile/ports-fixed",
			Why:     "a port is published at a port of the host that is chosen beforehand",
			Weakens: confine.PortsNone,
			Needs:   []Need{NeedBridge},
			Apply: func(c *gateway.Config, s Site) {
				c.Profile.Ports.Publish = []string{"127.0.0.1:" + s.Net.Published + ":" + s.Net.Published + "/tcp"}
			},
		},
		{
			ID:      "profile/ports-published-bridge",
			Why:     "a port is published, and there is a bridge to it",
			Weakens: confine.PortsNone,
			With:    []confine.Control{confine.NetworkNone},
			Needs:   []Need{NeedBridge},
			Opens:   overBridge(channel.NetListenPublished),
			Apply:   onBridge(publish),
		},
		{
			ID:      "profile/ports-exposed",
			Why:     "a port is said to be open",
			Weakens: confine.PortsNone,
			Needs:   []Need{NeedBridge},
			Apply:   func(c *gateway.Config, s Site) { c.Profile.Ports.Expose = []string{s.Net.Published + "/tcp"} },
		},
		{
			ID:      "profile/ports-all",
			Why:     "every port that is said to be open is published",
			Weakens: confine.PortsNone,
			Needs:   []Need{NeedBridge},
			Apply:   publishAll,
		},
		{
			ID:      "profile/ports-all-bridge",
			Why:     "every port that is said to be open is published, and there is a bridge to it",
			Weakens: confine.PortsNone,
			With:    []confine.Control{confine.NetworkNone},
			Needs:   []Need{NeedBridge},
			Opens:   overBridge(channel.NetListenPublished),
			Apply:   onBridge(publishAll),
		},
		{
			ID:      "profile/links-peer",
			Why:     "the container is linked to another one",
			Weakens: confine.LinksNone,
			Needs:   []Need{NeedBridgePeer},
			Apply:   link,
		},
		{
			ID:      "profile/links-peer-bridge",
			Why:     "the container is linked to another one, and both are on the Engine's bridge",
			Weakens: confine.LinksNone,
			With:    []confine.Control{confine.NetworkNone},
			Also:    []confine.Control{confine.EnvNone}, // the Engine tells it of the other there, too
			Needs:   []Need{NeedBridgePeer},
			Opens:   overBridge(beside()...),
			Apply:   onBridge(link),
		},
	}
}

// onBridge weakens the network as well.
func onBridge(apply func(*gateway.Config, Site)) func(*gateway.Config, Site) {
	return func(c *gateway.Config, s Site) {
		c.Profile.Network = "bridge"
		apply(c, s)
	}
}
