package mutants

import (
	"postern/fixtures"
	"postern/fixtures/channel"
	"postern/gateway"
	"postern/gateway/confine"
)

// engine lists the mutants of what the Engine does with a container by itself.
func engine() []Mutant {
	return []Mutant{
		{
			ID:      "profile/healthcheck",
			Why:     "the Engine runs a health command, to which the agent hands its canary, and keeps the output",
			Weakens: confine.HealthcheckNone,
			Opens:   []channel.ID{channel.EngineHealth, channel.EngineKept},
			Apply: func(c *gateway.Config, _ Site) {
				c.Profile.Healthcheck = []string{"CMD", fixtures.AgentPath, "health"}
			},
		},
		restart("always"),
		restart("unless-stopped"),
		{
			ID:      "profile/restart-on-failure",
			Why:     "the Engine would start the container again if its agent failed, which this one does not",
			Weakens: confine.RestartNone,
			Apply:   func(c *gateway.Config, _ Site) { c.Profile.Restart = "on-failure" },
		},
		{
			ID:      "profile/autoremove",
			Why:     "the Engine takes the container away when it exits, before it can be looked into",
			Weakens: confine.AutoremoveOff,
			Removed: true,
			Opens:   []channel.ID{channel.EngineEvidence},
			Apply:   func(c *gateway.Config, _ Site) { c.Profile.AutoRemove = true },
		},
	}
}

func restart(policy string) Mutant {
	return Mutant{
		ID:      "profile/restart-" + policy,
		Why:     "the Engine starts the container again when its agent has ended, as the policy " + policy + " says",
		Weakens: confine.RestartNone,
		Opens:   []channel.ID{channel.EngineRestarted},
		Apply:   func(c *gateway.Config, _ Site) { c.Profile.Restart = policy },
	}
}
