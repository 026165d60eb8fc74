package level2

import (
	"slices"

	"postern/gateway"
	"postern/gateway/policy"
)

// codeMutant is a weakness of the gateway's own code, and a call that shows it.
// Several with one id are witnesses of one mutant.
//
// In the line, DO stands for the operation of the witness's tool and CANARY for
// its text; LONG for more than an argument may have, and FILL for as many blanks
// as make the line a byte longer than the limit.
type codeMutant struct {
	id, why string
	layer   Layer
	weak    gateway.Weakness
	line    string
	place   Place // AtTool where empty
	stop    Code  // how the call ends that is stopped; at places of the gateway's exhaust, how it ends in any case
	narrows bool

	// beside is taken away in the original too: a check that stops the same call.
	beside gateway.Weakness

	// set changes what both gateways have in common. The call is that of a tool
	// that may receive it.
	set func(c *gateway.Config, q *question)
}

// codeMutants lists all mutants of the code, but for those of labels.
func codeMutants() []codeMutant {
	return slices.Concat(callMutants(), frameMutants(), catalogueMutants(), argumentMutants(), decisionMutants(), answerMutants(), asideMutants(), auditMutants(), telemetryMutants())
}

// codePlans are the mutants of the code on a subject's own configuration.
func codePlans(c gateway.Config) []planned {
	permitted, ok := permitted(c)
	var out []planned
	for _, m := range codeMutants() {
		i := slices.IndexFunc(out, func(p planned) bool { return p.row.Mutant == m.id })
		if i < 0 {
			i = len(out)
			out = append(out, planned{row: Row{Mutant: m.id, Layer: m.layer, Operator: m.id, Why: m.why, Status: Killed}})
		}
		if !ok {
			out[i].row.Status, out[i].row.Reason = NotApplicable, Unasked
			continue
		}
		out[i].witnesses = append(out[i].witnesses, m.witness(c, permitted))
	}
	return out
}

func (m codeMutant) witness(c gateway.Config, q question) witness {
	c = c.Clone()
	q.line = m.line
	if m.set != nil {
		m.set(&c, &q)
	}
	w := witness{
		direction: Widens, place: AtTool, stop: m.stop, asks: q, opened: m.beside != gateway.Weakness{},
		original: subject{c, m.beside}, mutant: subject{c, both(m.weak, m.beside)},
	}
	if m.place != "" {
		w.place = m.place
	}
	if m.narrows {
		w.direction = Narrows
	}
	return w
}

// both is a weakness beside those of the policies' engine, of the arguments, of
// answers or of telemetry that are there already.
func both(a, b gateway.Weakness) gateway.Weakness {
	a.ArgumentsUncounted = a.ArgumentsUncounted || b.ArgumentsUncounted
	a.ArgumentsUnnamed = a.ArgumentsUnnamed || b.ArgumentsUnnamed
	a.Policy.RequestUnchecked = a.Policy.RequestUnchecked || b.Policy.RequestUnchecked
	a.Policy.EntitiesUnchecked = a.Policy.EntitiesUnchecked || b.Policy.EntitiesUnchecked
	a.Policy.ErrorsIgnored = a.Policy.ErrorsIgnored || b.Policy.ErrorsIgnored
	a.Tools.Structured = a.Tools.Structured || b.Tools.Structured
	a.Telemetry.Unfiltered = a.Telemetry.Unfiltered || b.Telemetry.Unfiltered
	a.Telemetry.Unredacted = a.Telemetry.Unredacted || b.Telemetry.Unredacted
	a.Telemetry.SpanArguments = a.Telemetry.SpanArguments || b.Telemetry.SpanArguments
	a.Telemetry.LogArguments = a.Telemetry.LogArguments || b.Telemetry.LogArguments
	return a
}

// permitted is the first tool that may receive what the agent holds at the start.
func permitted(c gateway.Config) (question, bool) {
	policies, err := policy.Compile(c.Policy)
	for _, t := range c.Catalogue {
		q := of(c, t)
		if err == nil && operation(c, t.Name) != "" && c.Ceilings.Admits(c.Lattice, t.Sink, c.Initial) && policies.Decide(q.request(c.Lattice, c.Initial)).Permitted {
			return q, true
		}
	}
	return question{}, false
}

// edit changes the tool of a question in the catalogue.
func edit(c *gateway.Config, q *question, change func(*gateway.Tool)) {
	if i := find(*c, q.tool); i >= 0 {
		change(&c.Catalogue[i])
	}
}
