package level2

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"postern/gateway"
	"postern/gateway/policy"
	"postern/gateway/sensitivity"
	"postern/mutants/cedar"
	"postern/mutants/ceilings"
)

// ceilingPlans are the mutants of ceilings and lattice, and of the code that
// joins labels and compares them. One that no decision depends on alone is driven
// beside its partner.
func ceilingPlans(c gateway.Config, proof *Proof) ([]planned, error) {
	policies, err := policy.Compile(c.Policy)
	if err != nil {
		return nil, fmt.Errorf("driving mutants: %w", err)
	}
	all := ceilings.Mutants(c.Lattice, c.Ceilings)
	var out []planned
	for i, v := range ceilings.Run(c.Lattice, c.Ceilings) {
		*proof = Proof{Generator: v.Proof.Generator, Size: v.Proof.Traces, Domain: v.Proof.Domain, Outcomes: v.Proof.Original}
		m := all[i]
		p := planned{row: Row{Mutant: m.ID, Layer: layerOf(m.ID), Operator: operator(m.ID), Why: m.Why, Status: Status(v.Status), Partner: v.Partner}}
		p.row.Digest = cedar.Digest(m.ID, fmt.Sprintf("%+v", m.Of(c.Lattice, c.Ceilings)))
		s := ceilingSearch{config: c, policies: policies, found: chosen{}, plain: ceilings.Rules{Lattice: c.Lattice, Ceilings: c.Ceilings}, changed: m.Of(c.Lattice, c.Ceilings)}
		switch at := slices.IndexFunc(all, func(o ceilings.Mutant) bool { return o.ID == v.Partner }); {
		case v.Status == ceilings.Equivalent && at < 0:
			p.row.Status, p.row.Dead = Survived, true // nothing depends on it, alone or with another
		case v.Status == ceilings.Equivalent:
			s.beside = true
			s.plain, s.changed = all[at].Of(c.Lattice, c.Ceilings), ceilings.Both(c.Lattice, c.Ceilings, m, all[at])
		}
		if s.search(); p.row.Status != Survived {
			if p.witnesses = s.found.list(); len(p.witnesses) == 0 {
				p.row.Status, p.row.Reason = NotApplicable, Unasked
			}
		}
		out = append(out, p)
	}
	return out, nil
}

// layerOf tells the ceilings of sinks from all that is done with labels.
func layerOf(id string) Layer {
	if strings.HasPrefix(id, "ceiling/") || strings.HasPrefix(id, "unknown/sink") {
		return Ceilings
	}
	return Labels
}

// operator is the first and the last word of a mutant's id, or what stands
// between the names of two sinks.
func operator(id string) string {
	words := strings.Split(id, "/")
	if len(words) == 4 {
		return words[0] + "/" + words[2]
	}
	return words[0] + "/" + words[len(words)-1]
}

type ceilingSearch struct {
	config         gateway.Config
	policies       *policy.Engine
	plain, changed ceilings.Rules
	beside         bool // a partner's change is in both
	found          chosen
}

// search looks through all calls: with each label at the start of the session,
// known or not, alone and after a call whose answer has each label, to each sink;
// and for the agent's own sink with each label of an answer.
func (s *ceilingSearch) search() {
	c := s.config
	labels := append(slices.Clone(c.Lattice), cedar.Other, sensitivity.Label(strings.ToUpper(string(c.Lattice[0]))))
	for _, tool := range c.Catalogue {
		if operation(c, tool.Name) == "" {
			continue
		}
		for _, initial := range labels {
			q := question{tool: tool.Name, groups: tool.Groups, initial: initial, answer: c.Lattice[0]}
			for _, q.sink = range append(slices.Sorted(maps.Keys(c.Ceilings)), cedar.Other) {
				if q.sink != gateway.AgentSink {
					s.ask(q, AtTool, ceilings.Trace{Initial: initial, Sink: q.sink})
					s.afterAnother(q)
				}
			}
			q.sink = tool.Sink
			call := ceilings.Trace{Initial: initial, Sink: tool.Sink}
			if !s.plain.Admits(call) || !s.changed.Admits(call) {
				continue // without a call there is no answer
			}
			for _, q.answer = range c.Lattice {
				s.ask(q, AtAnswer, ceilings.Trace{Initial: initial, Seen: []sensitivity.Label{q.answer}, Sink: gateway.AgentSink})
			}
		}
	}
}

// afterAnother asks after a call of another tool, which both gateways admit.
func (s *ceilingSearch) afterAnother(q question) {
	for _, before := range s.config.Catalogue {
		first := question{tool: before.Name, groups: before.Groups, sink: before.Sink, initial: q.initial}
		call := ceilings.Trace{Initial: q.initial, Sink: before.Sink}
		if before.Name == q.tool || operation(s.config, before.Name) == "" || !s.plain.Admits(call) || !s.changed.Admits(call) ||
			!s.permits(first, s.plain, call) || !s.permits(first, s.changed, call) {
			continue
		}
		for _, seen := range s.config.Lattice {
			q.before, q.seen = before.Name, seen
			s.ask(q, AtTool, ceilings.Trace{Initial: q.initial, Seen: []sensitivity.Label{seen}, Sink: q.sink})
		}
	}
}

// ask takes a question for a witness where the mutant decides otherwise.
func (s *ceilingSearch) ask(q question, at Place, t ceilings.Trace) {
	d := direction(s.plain.Admits(t), s.changed.Admits(t))
	if d == "" {
		return
	}
	w := witness{direction: d, place: at, stop: byCeiling, asks: q, opened: s.beside, original: s.subject(s.plain, q), mutant: s.subject(s.changed, q)}
	stopped, call := s.plain, t
	if d == Narrows {
		stopped = s.changed
	}
	if _, begins := stopped.Label(ceilings.Trace{Initial: t.Initial}); !begins {
		w.stop = noLabels
	}
	if at == AtAnswer {
		w.stop, call.Seen = withheld, nil
	}
	if !s.permits(q, s.plain, call) || !s.permits(q, s.changed, call) {
		w.opened, w.original.config, w.mutant.config = true, openPolicy(w.original.config), openPolicy(w.mutant.config)
	}
	s.found.offer(w)
}

// subject is a gateway with rules.
func (s *ceilingSearch) subject(r ceilings.Rules, q question) subject {
	c := s.config.Clone()
	c.Lattice, c.Ceilings = slices.Clone(r.Lattice), maps.Clone(r.Ceilings)
	if _, there := c.Ceilings[q.sink]; !there && r.Otherwise != "" {
		c.Ceilings[q.sink] = r.Otherwise
	}
	return subject{c, gateway.Weakness{Labels: r.Weak}}
}

// permits reports whether the policies permit a call at the end of a session, in
// which a lattice gives the label a rank; where the gateway does not open there
// is nothing that they could deny.
func (s *ceilingSearch) permits(q question, r ceilings.Rules, t ceilings.Trace) bool {
	label, ok := r.Label(t)
	return !ok || s.policies.Decide(q.request(r.Lattice, label)).Permitted
}
