package mutants

import (
	"postern/fixtures/channel"
	"postern/gateway"
	"postern/gateway/confine"
)

// profile lists the mutants of the sandbox profile.
func profile() []Mutant {
	return []Mutant{
		{
			ID:      "profile/network-host",
			Why:     "the container shares the host's network instead of having none",
			Weakens: confine.NetworkNone,
			Also:    []confine.Control{confine.UTSPrivate}, // the Engine gives it the host's name as well
			Opens: []channel.ID{
				channel.NetTCP4, channel.NetTCP6, channel.NetTCP4Child,
				channel.NetUDP4, channel.NetUDP6,
				channel.DNSLabel, channel.DNSLabelTCP,
			},
			Apply: func(c *gateway.Config) { c.Profile.Network = "host" },
		},
		{
			ID:      "profile/root-writable",
			Why:     "the root filesystem is writable, and the image has a directory that any user may write",
			Weakens: confine.RootReadonly,
			Opens:   []channel.ID{channel.FileRoot},
			Apply:   func(c *gateway.Config) { c.Profile.ReadonlyRoot = false },
		},
		{
			ID:      "profile/log-json-file",
			Why:     "the json-file driver keeps what the agent writes, frames included",
			Weakens: confine.LogNone,
			Opens:   []channel.ID{channel.LogStderr, channel.LogStdout},
			Apply:   func(c *gateway.Config) { c.Profile.Log.Driver = "json-file" },
		},
	}
}
