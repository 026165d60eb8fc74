package level2

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"

	"postern/gateway"
	"postern/gateway/policy"
	"postern/gateway/sensitivity"
	"postern/mutants/cedar"
	"postern/mutants/ceilings"
)

// wiringPlans are the mutants of what an operator writes down of aliases and
// tools: each alias is taken away and leads to each other tool, and of each tool
// sink, groups, arguments and the label of its answers are others.
func wiringPlans(c gateway.Config, proof *Proof) []planned {
	policies, err := policy.Compile(c.Policy)
	if err != nil {
		return nil // nothing of the subject opens; policyPlans says so
	}
	w := wiring{config: c, policies: policies}
	domain, outcomes := sha256.New(), sha256.New()
	for _, alias := range slices.Sorted(maps.Keys(c.Aliases)) {
		for _, initial := range c.Lattice {
			for _, before := range append([]string{""}, names(c)...) {
				q := question{tool: c.Aliases[alias], operation: alias, initial: initial, before: before}
				w.all = append(w.all, q)
				fmt.Fprintf(domain, "%q %q %q\n", alias, initial, before)
				fmt.Fprintf(outcomes, "%q\n", w.ends(c, q))
			}
		}
	}
	*proof = Proof{Generator: wiringVersion, Size: len(w.all), Domain: hex.EncodeToString(domain.Sum(nil)), Outcomes: hex.EncodeToString(outcomes.Sum(nil))}
	var out []planned
	for _, alias := range slices.Sorted(maps.Keys(c.Aliases)) {
		out = append(out, w.alias(alias)...)
	}
	for i := range c.Catalogue {
		out = append(out, w.tool(i)...)
	}
	return out
}

// wiringVersion is that of the rules by which calls are made.
const wiringVersion = 1

type wiring struct {
	config   gateway.Config
	policies *policy.Engine
	all      []question // each operation, from each label, alone and after a call of each tool
}

func (w wiring) alias(alias string) []planned {
	own := w.config.Aliases[alias]
	dropped := w.config.Clone()
	delete(dropped.Aliases, alias)
	out := []planned{w.compared(Aliases, "dropped", alias, "an operation is none", dropped)}
	for _, t := range w.config.Catalogue {
		if t.Name == own {
			continue
		}
		m := w.config.Clone()
		m.Aliases[alias] = t.Name
		out = append(out, w.compared(Aliases, "leads-to-"+t.Name, alias, "an operation is another tool's", m))
	}
	return out
}

func (w wiring) tool(i int) []planned {
	t := w.config.Catalogue[i]
	change := func(layer Layer, name, why string, edit func(*gateway.Tool)) planned {
		m := w.config.Clone()
		edit(&m.Catalogue[i])
		return w.compared(layer, name, t.Name, why, m)
	}
	var out []planned
	for _, sink := range slices.Sorted(maps.Keys(w.config.Ceilings)) {
		if sink != t.Sink && sink != gateway.AgentSink {
			out = append(out, change(Catalogue, "sink-"+sink, "a tool counts as another's sink", func(t *gateway.Tool) { t.Sink = sink }))
		}
	}
	out = append(out,
		change(Catalogue, "groups-dropped", "a tool is in no group", func(t *gateway.Tool) { t.Groups = nil }),
		change(Arguments, "argument-added", "a tool has one argument more", func(t *gateway.Tool) { t.Arguments = append(t.Arguments, "more") }),
		change(Arguments, "arguments-dropped", "a tool has no argument", func(t *gateway.Tool) { t.Arguments = nil }))
	if rank := w.config.Lattice.Rank(t.Response); rank < len(w.config.Lattice) {
		out = append(out, change(Answers, "response-raised", "a tool's answers are one level higher", func(t *gateway.Tool) { t.Response = w.config.Lattice[rank] }))
	}
	if rank := w.config.Lattice.Rank(t.Response); rank > 1 {
		out = append(out, change(Answers, "response-lowered", "a tool's answers are one level lower", func(t *gateway.Tool) { t.Response = w.config.Lattice[rank-2] }))
	}
	return out
}

// compared finds the calls at which a changed configuration comes to something
// else. Where there is none, it is looked for beside a change of the ceilings.
func (w wiring) compared(layer Layer, operator, of, why string, changed gateway.Config) planned {
	p := planned{row: Row{Mutant: string(layer) + "/" + of + "/" + operator, Layer: layer, Operator: string(layer) + "/" + operator, Why: why, Status: Killed}}
	p.row.Digest = cedar.Digest(p.row.Mutant, fmt.Sprintf("%q %q", changed.Aliases, changed.Catalogue))
	if p.witnesses = w.search(w.config, changed, false); len(p.witnesses) > 0 {
		return p
	}
	p.row.Status, p.row.Dead = Survived, true // unless something depends on it together with another
	for _, m := range ceilings.Mutants(w.config.Lattice, w.config.Ceilings) {
		r := m.Of(w.config.Lattice, w.config.Ceilings)
		if r.Weak != (sensitivity.Weakness{}) || r.Otherwise != "" {
			continue
		}
		both := changed.Clone()
		both.Lattice, both.Ceilings = r.Lattice, r.Ceilings
		alone := w.config.Clone()
		alone.Lattice, alone.Ceilings = r.Lattice, r.Ceilings
		if p.witnesses = w.search(alone, both, true); len(p.witnesses) > 0 {
			p.row.Status, p.row.Dead, p.row.Partner = Equivalent, false, m.ID
			return p
		}
	}
	return p
}

func (w wiring) search(original, changed gateway.Config, opened bool) []witness {
	found := chosen{}
	for _, q := range w.all {
		before, after := w.ends(original, q), w.ends(changed, q)
		d := direction(before == "", after == "")
		if d == "" || before == unready || after == unready {
			continue
		}
		stop := before
		if d == Narrows {
			stop = after
		}
		found.offer(witness{direction: d, place: AtTool, stop: stop, asks: q, opened: opened, original: subject{config: original}, mutant: subject{config: changed}})
	}
	return found.list()
}

func names(c gateway.Config) []string {
	var out []string
	for _, t := range c.Catalogue {
		if operation(c, t.Name) != "" {
			out = append(out, t.Name)
		}
	}
	return out
}

// ends is how a call of one argument ends, as the gateway's parts have it; "" is
// that it reaches its tool.
func (w wiring) ends(c gateway.Config, q question) Code {
	label := q.initial
	if q.before != "" {
		if operation(c, q.before) == "" || w.call(c, q.before, label) != "" {
			return unready
		}
		joined, err := c.Lattice.Join(label, c.Catalogue[find(c, q.before)].Response)
		if err != nil {
			return unready
		}
		label = joined
	}
	tool, ok := c.Aliases[q.operation]
	if !ok {
		return unknown
	}
	return w.call(c, tool, label)
}

func (w wiring) call(c gateway.Config, tool string, label sensitivity.Label) Code {
	i := find(c, tool)
	if i < 0 {
		return unknown
	}
	t := c.Catalogue[i]
	q := of(c, t)
	switch {
	case !slices.Equal(t.Arguments, []string{"text"}):
		return malformed
	case !w.policies.Decide(q.request(c.Lattice, label)).Permitted:
		return byPolicy
	case !c.Ceilings.Admits(c.Lattice, t.Sink, label):
		return byCeiling
	}
	return ""
}
