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

// ceilingPlans are the mutants of ceilings and lattice.
func ceilingPlans(c gateway.Config) ([]planned, error) {
	policies, err := policy.Compile(c.Policy)
	if err != nil {
		return nil, fmt.Errorf("driving mutants: %w", err)
	}
	statuses := map[string]ceilings.Status{}
	for _, v := range ceilings.Run(c.Lattice, c.Ceilings) {
		statuses[v.Mutant] = v.Status
	}
	var out []planned
	for _, m := range ceilings.Mutants(c.Lattice, c.Ceilings) {
		p := planned{row: Row{Mutant: m.ID, Layer: Ceilings, Operator: operator(m.ID), Why: m.Why, Status: Status(statuses[m.ID])}}
		switch {
		case statuses[m.ID] != ceilings.Killed:
		case m.Rules.Compare != nil || m.Rules.Join != nil || m.Rules.Read != nil || m.Rules.Begin != nil:
			p.row.Status, p.row.Reason = NotApplicable, NotConfig
		default:
			if p.witnesses = ceilingWitnesses(c, policies, m.Rules); len(p.witnesses) == 0 {
				p.row.Status, p.row.Reason = NotApplicable, Unasked
			}
		}
		out = append(out, p)
	}
	return out, nil
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

// ceilingWitnesses looks through all calls: with each label at the start of the
// session, to each sink, and for the agent's own sink with each label of an
// answer.
func ceilingWitnesses(c gateway.Config, policies *policy.Engine, changed ceilings.Rules) []witness {
	s := ceilingSearch{original: c, policies: policies, plain: ceilings.Rules{Lattice: c.Lattice, Ceilings: c.Ceilings}, changed: changed, found: chosen{}}
	for _, tool := range c.Catalogue {
		if operation(c, tool.Name) == "" {
			continue
		}
		for _, initial := range c.Lattice {
			q := question{tool: tool.Name, groups: tool.Groups, initial: initial, answer: c.Lattice[0]}
			for _, q.sink = range append(slices.Sorted(maps.Keys(c.Ceilings)), cedar.Other) {
				if q.sink != gateway.AgentSink {
					s.ask(q, AtTool, ceilings.Trace{Initial: initial, Sink: q.sink})
				}
			}
			q.sink = tool.Sink
			call := ceilings.Trace{Initial: initial, Sink: tool.Sink}
			if !s.plain.Admits(call) || !changed.Admits(call) {
				continue // without a call there is no answer
			}
			for _, q.answer = range c.Lattice {
				s.ask(q, AtAnswer, ceilings.Trace{Initial: initial, Seen: []sensitivity.Label{q.answer}, Sink: gateway.AgentSink})
			}
		}
	}
	return s.found.list()
}

type ceilingSearch struct {
	original       gateway.Config
	policies       *policy.Engine
	plain, changed ceilings.Rules
	found          chosen
}

// ask takes a question for a witness where the mutant decides otherwise.
func (s *ceilingSearch) ask(q question, at Place, t ceilings.Trace) {
	d := direction(s.plain.Admits(t), s.changed.Admits(t))
	if d == "" {
		return
	}
	mutant := s.original.Clone()
	mutant.Lattice, mutant.Ceilings = slices.Clone(s.changed.Lattice), maps.Clone(s.changed.Ceilings)
	if _, there := mutant.Ceilings[q.sink]; !there && s.changed.Otherwise != "" {
		mutant.Ceilings[q.sink] = s.changed.Otherwise
	}
	w := witness{direction: d, place: at, asks: q, original: s.original, mutant: mutant}
	if !s.permits(q, w.original) || !s.permits(q, w.mutant) {
		w.opened, w.original, w.mutant = true, openPolicy(w.original), openPolicy(w.mutant)
	}
	s.found.offer(w)
}

// permits reports whether the policies permit a call; a lattice gives its label
// a rank.
func (s *ceilingSearch) permits(q question, c gateway.Config) bool {
	return s.policies.Decide(q.request(c.Lattice)).Permitted
}
