package mutants

import (
	"postern/fixtures/channel"
	"postern/gateway"
)

// ceilings lists the mutants of the sensitivity ceilings on sinks.
func ceilings() []Mutant {
	return []Mutant{
		{
			ID:      "ceiling/public-raised",
			Why:     "the public sink accepts data as sensitive as the agent holds",
			Weakens: gateway.CeilingPublicTool,
			Opens:   []channel.ID{channel.ToolPublic},
			Apply:   func(c *gateway.Config, _ Site) { c.Ceilings["public"] = c.Initial },
		},
	}
}
