package level2

import (
	"slices"

	"postern/gateway"
	"postern/gateway/frame"
	"postern/gateway/policy"
	"postern/gateway/sensitivity"
)

// witness is one call, and the two configurations that decide it.
type witness struct {
	direction        Direction
	place            Place
	asks             question
	opened           bool
	original, mutant gateway.Config
	weak             frame.Weakness // of the mutant's decoder
}

// question is what the gateway asks its layers about one call: everything that
// the configuration around the call lays down, and the agent's line.
type question struct {
	tool    string
	groups  []string
	sink    string
	initial sensitivity.Label // of the session
	answer  sensitivity.Label // of what the tool answers
	line    string            // what the agent writes; "" is a plain call
}

// put gives a configuration the tool and the session of a question.
func (q question) put(c gateway.Config) gateway.Config {
	c = c.Clone()
	c.Initial = q.initial
	i := slices.IndexFunc(c.Catalogue, func(t gateway.Tool) bool { return t.Name == q.tool })
	c.Catalogue[i].Groups, c.Catalogue[i].Sink, c.Catalogue[i].Response = q.groups, q.sink, q.answer
	return c
}

// request is what the gateway asks its policies.
func (q question) request(l sensitivity.Lattice) policy.Request {
	return policy.Request{Tool: q.tool, Groups: q.groups, Sink: q.sink, Sensitivity: l.Rank(q.initial)}
}

// openCeiling lets everything through to a sink.
func openCeiling(c gateway.Config, sink string) gateway.Config {
	c = c.Clone()
	if c.Ceilings == nil {
		c.Ceilings = sensitivity.Ceilings{}
	}
	c.Ceilings[sink] = c.Lattice[len(c.Lattice)-1]
	return c
}

// openPolicy lets every call through that the schema knows.
func openPolicy(c gateway.Config) gateway.Config {
	c = c.Clone()
	c.Policy.Policies = []byte(`@id("all") permit (principal, action, resource);`)
	return c
}

// operation is what an agent calls a tool by.
func operation(c gateway.Config, tool string) string {
	var all []string
	for name, alias := range c.Aliases {
		if alias == tool {
			all = append(all, name)
		}
	}
	if len(all) == 0 {
		return ""
	}
	return slices.Min(all)
}

// chosen keeps the first witness of each direction, and one with nothing opened
// rather than another.
type chosen map[Direction]witness

func (c chosen) offer(w witness) {
	if have, ok := c[w.direction]; !ok || have.opened && !w.opened {
		c[w.direction] = w
	}
}

// done reports whether no other witness could be better.
func (c chosen) done() bool {
	return len(c) == 2 && !c[Widens].opened && !c[Narrows].opened
}

func (c chosen) list() []witness {
	var out []witness
	for _, d := range []Direction{Widens, Narrows} {
		if w, ok := c[d]; ok {
			out = append(out, w)
		}
	}
	return out
}

// direction is how a decision changes; "" if it does not.
func direction(before, after bool) Direction {
	switch {
	case after && !before:
		return Widens
	case before && !after:
		return Narrows
	}
	return ""
}
