package mutants

import (
	"strings"

	"postern/fixtures/channel"
	"postern/fixtures/policy"
	"postern/gateway"
	"postern/gateway/sensitivity"
	"postern/mutants/ceilings"
)

// rules lists the generated mutants of the reference's ceilings with which an
// ordinary session shows it: the agent delivers what it holds, is answered, and
// publishes. All others, and those of what else decides, need a call of their own:
// harness/level2 drives them.
func rules() []Mutant {
	c := policy.Reference()
	answer := c.Catalogue[0].Response
	delivers := ceilings.Trace{Initial: c.Initial, Sink: policy.VaultSink}
	publishes := ceilings.Trace{Initial: c.Initial, Seen: []sensitivity.Label{answer}, Sink: policy.PublicSink}
	var out []Mutant
	for _, m := range ceilings.Mutants(c.Lattice, c.Ceilings) {
		r := m.Of(c.Lattice, c.Ceilings)
		written := r.Weak == sensitivity.Weakness{} && r.Otherwise == ""
		if !written || !r.Admits(delivers) || !r.Admits(publishes) {
			continue
		}
		_, where, _ := strings.Cut(m.ID, "/")
		out = append(out, Mutant{
			ID: "ceiling/" + strings.ReplaceAll(where, "/", "-"), Why: m.Why, Weakens: gateway.CeilingPublicTool,
			Opens: []channel.ID{channel.ToolPublic},
			Apply: func(c *gateway.Config, _ Site) {
				r := m.Of(c.Lattice, c.Ceilings)
				c.Lattice, c.Ceilings = r.Lattice, r.Ceilings
			},
		})
	}
	return out
}
