package mutants

import (
	"slices"

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
			Opens:   slices.Concat(hostNetwork(), hostProtocols(), hostNames(), hostEntry()),
			Apply:   func(c *gateway.Config, _ Site) { c.Profile.Network = "host" },
		},
	}
}
