package level2

import (
	"fmt"
	"slices"

	"postern/gateway"
	"postern/gateway/policy"
	"postern/gateway/sensitivity"
)

// witness is one call, and the two subjects that decide it.
type witness struct {
	direction        Direction
	place            Place
	stop             Code // how the call ends that is stopped
	asks             question
	opened           bool
	original, mutant subject
}

// subject is a gateway: what its operator wrote down, and what its code does.
type subject struct {
	config gateway.Config
	weak   gateway.Weakness
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
	before  string            // the tool that is called first, without the canary; "" is none
	seen    sensitivity.Label // of what that answers
	around  around

	operation string // what the agent calls the tool by; "" is its alias
}

// around is what befalls a gateway between its opening and the call.
type around struct {
	server  string // what its tool server does: POSTERN_MODE
	revoked bool   // the operator revokes the tool
	lost    bool   // its audit log takes no row any more
	broken  bool   // the disk of its audit log fails: the kernel says so to whoever waits for it
	again   bool   // its agent leaves, and comes back to one beside it
	client  string // how an MCP client introduces itself that calls in the place of an agent; "" is none
	carried bool   // whoever calls it brings the canary, as baggage and as a trace's state
}

// apart reports whether nobody leads this in a container.
func (a around) apart() bool { return a.again || a.broken || a.client != "" }

// put gives a configuration the tool and the session of a question. One without
// a sink is about the tools as they are.
func (q question) put(c gateway.Config) gateway.Config {
	c = c.Clone()
	c.Initial = q.initial
	if q.sink == "" {
		return c
	}
	if i := find(c, q.before); i >= 0 {
		c.Catalogue[i].Response = q.seen
	}
	i := find(c, q.tool)
	c.Catalogue[i].Groups, c.Catalogue[i].Sink, c.Catalogue[i].Response = q.groups, q.sink, q.answer
	return c
}

func find(c gateway.Config, tool string) int {
	return slices.IndexFunc(c.Catalogue, func(t gateway.Tool) bool { return t.Name == tool })
}

// request is what the gateway asks its policies in a session of a label.
func (q question) request(l sensitivity.Lattice, label sensitivity.Label) policy.Request {
	return policy.Request{Tool: q.tool, Groups: q.groups, Sink: q.sink, Sensitivity: l.Rank(label)}
}

// of asks about a tool as the configuration has it.
func of(c gateway.Config, t gateway.Tool) question {
	return question{tool: t.Name, groups: t.Groups, sink: t.Sink, initial: c.Initial, answer: t.Response}
}

// key tells subjects and questions apart.
func (s subject) key(q question) string {
	c := q.put(s.config)
	return fmt.Sprintf("%q %q %q %q %q %q %v %q", c.Aliases, c.Catalogue, c.Policy, c.Lattice, c.Ceilings, c.Initial, s.weak, fmt.Sprint(q))
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
	c.Policy.Policies = []byte(permitAll)
	return c
}

const permitAll = `@id("all") permit (principal, action, resource);`

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
