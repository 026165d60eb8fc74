package mutants

import (
	"slices"

	"postern/fixtures/channel"
	"postern/gateway"
	"postern/gateway/confine"
)

// network lists the mutants of the network of the sandbox profile.
func network() []Mutant {
	return slices.Concat(networkModes(), networkWaysIn(), networkNames(), networkPrivileges())
}

func networkModes() []Mutant {
	return []Mutant{
		{
			ID:      "profile/network-host",
			Why:     "the container shares the host's network instead of having none",
			Weakens: confine.NetworkNone,
			Also:    []confine.Control{confine.UTSPrivate}, // the Engine gives it the host's name as well
			Opens:   onHost(),
			Apply:   func(c *gateway.Config, _ Site) { c.Profile.Network = "host" },
		},
		{
			ID:      "profile/network-bridge",
			Why:     "the container joins the Engine's own bridge",
			Weakens: confine.NetworkNone,
			Opens:   overBridge(),
			Apply:   func(c *gateway.Config, _ Site) { c.Profile.Network = "bridge" },
		},
		{
			ID:      "profile/network-omitted",
			Why:     "no network is asked for, and the Engine chooses its bridge",
			Weakens: confine.NetworkNone,
			Opens:   overBridge(),
			Apply:   func(c *gateway.Config, _ Site) { c.Profile.Network = "" },
		},
		{
			ID:      "profile/network-default",
			Why:     "the network called default is the Engine's own bridge",
			Weakens: confine.NetworkNone,
			Opens:   overBridge(),
			Apply:   func(c *gateway.Config, _ Site) { c.Profile.Network = "default" },
		},
		{
			ID:      "profile/network-custom",
			Why:     "the container joins a network that a user made, with another container in it",
			Weakens: confine.NetworkNone,
			Needs:   []Need{NeedNetwork, NeedNetPeer},
			Opens:   overBridge(beside()...),
			Apply:   func(c *gateway.Config, s Site) { c.Profile.Network = s.Net.Network },
		},
		{
			ID:      "profile/network-internal",
			Why:     "the container joins a network without a way out, with another container in it",
			Weakens: confine.NetworkNone,
			Needs:   []Need{NeedInternal, NeedNetPeer},
			Opens:   slices.Concat(segment(), beside(), []channel.ID{channel.NetICMP}),
			Apply:   func(c *gateway.Config, s Site) { c.Profile.Network = s.Net.Network },
		},
		{
			ID:      "profile/network-peer",
			Why:     "the container shares the network of another one, which has none itself",
			Weakens: confine.NetworkNone,
			Also:    []confine.Control{confine.HostnameDefault}, // the Engine gives it the other's name as well
			Needs:   []Need{NeedNetPeer},
			Opens:   []channel.ID{channel.NetPeerAbstract, channel.NetPeerLoopback},
			Apply:   func(c *gateway.Config, s Site) { c.Profile.Network = "container:" + s.Net.Peer },
		},
		{
			ID:      "profile/networks-joined",
			Why:     "the container joins a network that a user made besides its own, which is none",
			Weakens: confine.NetworksNone,
			Also:    []confine.Control{confine.NetworkNone}, // and so it has addresses
			Needs:   []Need{NeedNetwork, NeedNetPeer},
			Opens:   overBridge(beside()...),
			Apply:   func(c *gateway.Config, s Site) { c.Profile.Networks = []string{s.Net.Network} },
		},
		{
			ID:      "profile/network-macvlan",
			Why:     "the container joins a link of the host's by an interface of its own, with another container on it",
			Weakens: confine.NetworkNone,
			Needs:   []Need{NeedMacvlan, NeedNetPeer},
			Opens:   append(beside(), channel.NetNeighbour),
			Apply:   func(c *gateway.Config, s Site) { c.Profile.Network = s.Net.Network },
		},
	}
}
