package level2

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/cedar-policy/cedar-go/types"
	"github.com/cedar-policy/cedar-go/x/exp/schema"
	"github.com/cedar-policy/cedar-go/x/exp/schema/resolved"

	"postern/gateway"
	"postern/gateway/policy"
	"postern/gateway/sensitivity"
	"postern/mutants/cedar"
	"postern/mutants/cedar/domain"
	"postern/mutants/cedar/level1"
)

// policyPlans are the mutants of the Cedar policies. What level 1 says of them
// stands, but for those that change a decision.
func policyPlans(ctx context.Context, c gateway.Config, proof *Proof) ([]planned, error) {
	policies, err := cedar.Parse("policies.cedar", c.Policy.Policies)
	if err != nil {
		return nil, errors.New("driving mutants: the policies do not parse")
	}
	types, err := resolve(c.Policy.Schema)
	if err != nil {
		return nil, err
	}
	in := level1.Input{Policies: policies, Schema: types, Rule: level1.Strict}
	result, err := level1.Run(ctx, in)
	if err != nil {
		return nil, err
	}
	in.Rule = level1.Cedar
	loose, err := level1.Run(ctx, in)
	if err != nil {
		return nil, err
	}
	for _, v := range result.Verdicts {
		if v.Proof != nil {
			*proof = Proof{Generator: v.Proof.Generator, Size: v.Proof.Requests, Domain: v.Proof.Domain, Outcomes: v.Proof.Original}
		}
	}
	original, err := policy.Compile(c.Policy)
	if err != nil {
		return nil, fmt.Errorf("driving mutants: %w", err)
	}
	p := &policyPlanner{config: c, policies: policies, original: original, questions: questions(c, types, policies, result.Verdicts)}
	var out []planned
	for i, v := range result.Verdicts {
		m := p.plan(v)
		m.row.Digest = v.Digest
		if v.Status == level1.Equivalent && v.Removes {
			m.row.Partner = partner(result.Dead, v.ID, loose.Verdicts[i].Status)
			if m.row.Partner == "" {
				m.row.Status, m.row.Dead = Survived, true
			}
		}
		out = append(out, m)
	}
	return out, nil
}

// partner is with which other change a removal changes a decision that neither
// changes alone: another removal, or the validation of requests, of which level 1
// says what there is without it.
func partner(dead []level1.Dead, id string, unvalidated level1.Status) string {
	for _, d := range dead {
		if d.Mutant == id && d.Partner != "" {
			return d.Partner
		}
	}
	if unvalidated == level1.Killed {
		return requestOff
	}
	return ""
}

func resolve(text []byte) (*resolved.Schema, error) {
	var s schema.Schema
	if s.UnmarshalCedar(text) != nil {
		return nil, errors.New("driving mutants: the schema does not parse")
	}
	out, err := s.Resolve()
	if err != nil {
		return nil, errors.New("driving mutants: the schema does not resolve")
	}
	return out, nil
}

type policyPlanner struct {
	config    gateway.Config
	policies  []cedar.Policy
	original  *policy.Engine
	questions []question
}

func (p *policyPlanner) plan(v level1.Verdict) planned {
	out := planned{row: Row{Mutant: v.ID, Layer: Policy, Operator: v.Operator, Why: v.Why, Status: Status(v.Status)}}
	mutated := p.config.Clone()
	mutated.Policy.Policies = p.source(v.Mutant)
	engine, err := policy.Compile(mutated.Policy)
	if (err != nil) != (v.Status == level1.Stillborn) {
		out.row.Status = Survived // the gateway and level 1 do not agree on what opens
		return out
	}
	weak := gateway.Weakness{}
	switch {
	case v.Status == level1.Stillborn && v.Unvalidated == level1.Killed:
		weak.Policy.PoliciesUnchecked = true
		if engine, err = policy.CompileWeak(mutated.Policy, weak.Policy); err != nil {
			return out // nor does anything else
		}
	case v.Status == level1.KilledByOther:
		// Nothing but who decides: what fails, denies. Where errors are ignored it
		// decides nothing, and a forbid forbids nothing.
		weak.Policy.ErrorsIgnored = true
		if engine, err = policy.CompileWeak(mutated.Policy, weak.Policy); err != nil {
			return out
		}
	case v.Status != level1.Killed:
		return out
	}
	out.witnesses = p.search(engine, subject{p.config, weak}, subject{mutated, weak})
	if len(out.witnesses) == 0 && v.Status == level1.Killed {
		out.row.Status, out.row.Reason = NotApplicable, Unasked
	}
	return out
}

// search looks through all questions. Labels that the lattice has not are asked
// about beside the weakness that lets a session have one.
func (p *policyPlanner) search(engine *policy.Engine, original, mutant subject) []witness {
	found := chosen{}
	for _, q := range p.questions {
		request := q.request(p.config.Lattice, q.initial)
		d := direction(p.original.Decide(request).Permitted, engine.Decide(request).Permitted)
		if d == "" {
			continue
		}
		w := witness{direction: d, place: AtTool, stop: byPolicy, asks: q, opened: original.weak != gateway.Weakness{}, original: original, mutant: mutant}
		known := p.config.Lattice.Rank(q.initial) > 0
		if !known {
			w.original.weak.Labels, w.mutant.weak.Labels = anyLabel, anyLabel
		}
		if !known || !p.config.Ceilings.Admits(p.config.Lattice, q.sink, q.initial) {
			w.opened, w.original.config, w.mutant.config = true, openCeiling(original.config, q.sink), openCeiling(mutant.config, q.sink)
		}
		if found.offer(w); found.done() {
			break
		}
	}
	return found.list()
}

// anyLabel lets a session have a label that the lattice has not, and takes it to
// any sink.
var anyLabel = sensitivity.Weakness{UnknownKept: true, Unranked: true}

// source is the policies with one mutant, in their order.
func (p *policyPlanner) source(m cedar.Mutant) []byte {
	var b strings.Builder
	for i, original := range p.policies {
		text := cedar.Text(original.Tree)
		if i == m.Policy {
			text = m.After
		}
		b.WriteString(text + "\n")
	}
	return []byte(b.String())
}

// questions are those of level 1's requests that the gateway can be brought to
// ask, each about every tool of the catalogue that can be called.
func questions(c gateway.Config, s *resolved.Schema, policies []cedar.Policy, verdicts []level1.Verdict) []question {
	var sources []domain.Source
	for i, p := range policies {
		sources = append(sources, domain.Source{Policy: i, Tree: p.Tree})
	}
	for _, v := range verdicts {
		if v.Status != level1.Stillborn {
			sources = append(sources, domain.Source{Policy: v.Policy, Tree: v.Tree, Mutant: true, At: v.At})
		}
	}
	seen := map[string]bool{}
	var out []question
	for _, r := range domain.New(s, sources, domain.Options{}).Requests {
		q, ok := asked(c, r)
		if key := fmt.Sprintf("%q %q %q", q.groups, q.sink, q.initial); !ok || seen[key] {
			continue
		} else {
			seen[key] = true
		}
		for _, tool := range c.Catalogue {
			if operation(c, tool.Name) != "" {
				q.tool = tool.Name
				out = append(out, q)
			}
		}
	}
	return out
}

// asked turns a request into the question by which the gateway makes it, but for
// the tool. The gateway asks for one agent and one action, with the tool's groups
// and nothing above these.
func asked(c gateway.Config, r domain.Request) (question, bool) {
	rank, isLong := value(r, "sensitivity").(types.Long)
	sink, isString := value(r, "sink").(types.String)
	if !r.Valid || !isLong || !isString || r.Context.Len() != 2 || rank < 0 || int(rank) > len(c.Lattice) {
		return question{}, false
	}
	if r.Principal != types.NewEntityUID("Agent", "agent") || r.Action != types.NewEntityUID("Action", "call") || r.Resource.Type != "Tool" {
		return question{}, false
	}
	q := question{sink: string(sink), initial: cedar.Other, answer: c.Lattice[0]}
	if rank > 0 {
		q.initial = c.Lattice[rank-1]
	}
	for group := range r.Own[r.Resource].Parents.All() {
		if group.Type != "ToolGroup" || r.Own[group].Parents.Len() > 0 {
			return question{}, false
		}
		q.groups = append(q.groups, string(group.ID))
	}
	slices.Sort(q.groups)
	return q, true
}

func value(r domain.Request, name types.String) types.Value {
	v, _ := r.Context.Get(name)
	return v
}
