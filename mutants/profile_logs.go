package mutants

import (
	"postern/fixtures/channel"
	"postern/gateway"
	"postern/gateway/confine"
)

// logs lists the mutants of where the Engine keeps output and what it runs and tells by itself.
func logs() []Mutant {
	return []Mutant{
		{
			ID:      "profile/log-json-file",
			Why:     "the json-file driver keeps what the agent writes, frames included",
			Weakens: confine.LogNone,
			Opens:   []channel.ID{channel.LogStderr, channel.LogStdout},
			Apply:   func(c *gateway.Config, _ Site) { c.Profile.Log.Driver = "json-file" },
		},
	}
}
