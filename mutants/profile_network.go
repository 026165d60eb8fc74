package mutants

import (
	"slices"

	"postern/fixtures/channel"
	"postern/gateway"
	"postern/gateway/confine"
)

// network lists the mutants of the network of the sandbox profile.
func network() []Mutant {
	return []Mutant{
		{
			ID:      "profile/network-host",
			Why:     "the container shares the host's network instead of having none",
			Weakens: confine.NetworkNone,
			Also:    []confine.Control{confine.UTSPrivate}, // the Engine gives it the host's name as well
			Opens:   slices.Concat(hostNetwork(), hostProtocols(), hostNames()),
			Apply:   func(c *gateway.Config, _ Site) { c.Profile.Network = "host" },
		},
	}
}

// hostNetwork lists what the host's network opens of the net family.
func hostNetwork() []channel.ID {
	return []channel.ID{
		channel.NetTCP4, channel.NetTCP6, channel.NetTCP4Child, channel.NetUDP4, channel.NetUDP6,
	}
}
