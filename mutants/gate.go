package mutants

import (
	"postern/fixtures/channel"
	"postern/gateway"
	"postern/gateway/gate"
)

// gates lists the mutants of the operator's overlay. Each shows in a scene in
// which the harness is the operator: a tool must then receive what was revoked.
func gates() []Mutant {
	delivered := []channel.ID{channel.ToolRevoked}
	return []Mutant{
		{
			ID:      "gate/no-drain",
			Why:     "a revocation is acknowledged while a call of that tool is under way",
			Weakens: gate.Drain,
			Under:   "cut-over",
			Opens:   delivered,
			Apply:   func(c *gateway.Config, _ Site) { c.Gate.Weakness.NoDrain = true },
		},
		{
			ID:      "gate/queued-pass",
			Why:     "a call queued behind a revocation is judged by the rule before it",
			Weakens: gate.Queue,
			Under:   "cut-over",
			Opens:   delivered,
			Apply:   func(c *gateway.Config, _ Site) { c.Gate.Weakness.QueuedPass = true },
		},
		{
			ID:      "gate/stale-accepted",
			Why:     "an older revision brings a revoked tool back",
			Weakens: gate.Revision,
			Under:   "stale-revision",
			Opens:   delivered,
			Apply:   func(c *gateway.Config, _ Site) { c.Gate.Weakness.StaleAccepted = true },
		},
		{
			ID:      "gate/open-on-invalid",
			Why:     "an invalid update leaves admission open",
			Weakens: gate.CloseOnInvalid,
			Under:   "invalid-update",
			Opens:   delivered,
			Apply:   func(c *gateway.Config, _ Site) { c.Gate.Weakness.OpenOnInvalid = true },
		},
	}
}
