package level1

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/cedar-policy/cedar-go/types"
	"github.com/cedar-policy/cedar-go/x/exp/schema/resolved"
	"github.com/cedar-policy/cedar-go/x/exp/schema/validate"
)

// schemaMutant is a schema with one change. What follows from a change of a
// schema is which requests a strict decider looks at, and which policies are
// valid at all.
type schemaMutant struct {
	id, why string
	schema  *resolved.Schema
	kind    types.EntityType // whose entities are other, if it is not empty
	action  types.EntityUID  // whose requests are other, if it is not empty
}

// concerns reports whether the change can matter for a request.
func (m schemaMutant) concerns(p *point) bool {
	if m.kind == "" {
		return p.request.Action == m.action
	}
	for uid := range p.own {
		if uid.Type == m.kind {
			return true
		}
	}
	return false
}

// schemaMutants lists all, in a fixed order.
func schemaMutants(s *resolved.Schema) []schemaMutant {
	var out []schemaMutant
	for _, t := range slices.Sorted(maps.Keys(s.Entities)) {
		e := s.Entities[t]
		add := func(operator, what, why string, changed resolved.Entity) {
			c := *s
			c.Entities = maps.Clone(s.Entities)
			c.Entities[t] = changed
			out = append(out, schemaMutant{"schema/" + string(t) + "/" + operator + "@" + what, why, &c, t, types.EntityUID{}})
		}
		shapes(e.Shape, func(operator, what, why string, shape resolved.RecordType) {
			changed := e
			changed.Shape = shape
			add(operator, what, why, changed)
		})
		for i, p := range e.ParentTypes {
			changed := e
			changed.ParentTypes = slices.Delete(slices.Clone(e.ParentTypes), i, i+1)
			add("drop-parent-type", string(p), "entities of a type may be in groups of one type less", changed)
		}
	}
	uids := slices.SortedFunc(maps.Keys(s.Actions), func(a, b types.EntityUID) int { return strings.Compare(a.String(), b.String()) })
	for _, uid := range uids {
		a := s.Actions[uid]
		if a.AppliesTo == nil {
			continue
		}
		add := func(operator, what, why string, edit func(t *resolved.AppliesTo)) {
			c := *s
			c.Actions = maps.Clone(s.Actions)
			changed, applies := a, *a.AppliesTo
			edit(&applies)
			changed.AppliesTo = &applies
			c.Actions[uid] = changed
			out = append(out, schemaMutant{"schema/" + uid.String() + "/" + operator + "@" + what, why, &c, "", uid})
		}
		shapes(a.AppliesTo.Context, func(operator, what, why string, shape resolved.RecordType) {
			add(operator, what, why, func(t *resolved.AppliesTo) { t.Context = shape })
		})
		for i, p := range a.AppliesTo.Principals {
			add("drop-principal-type", string(p), "an action applies to principals of one type less", func(t *resolved.AppliesTo) {
				t.Principals = slices.Delete(slices.Clone(t.Principals), i, i+1)
			})
		}
		for i, p := range a.AppliesTo.Resources {
			add("drop-resource-type", string(p), "an action applies to resources of one type less", func(t *resolved.AppliesTo) {
				t.Resources = slices.Delete(slices.Clone(t.Resources), i, i+1)
			})
		}
	}
	return out
}

// shapes changes each attribute of a record.
func shapes(r resolved.RecordType, add func(operator, what, why string, shape resolved.RecordType)) {
	for _, name := range slices.Sorted(maps.Keys(r)) {
		flipped, dropped := maps.Clone(r), maps.Clone(r)
		a := r[name]
		a.Optional = !a.Optional
		flipped[name] = a
		delete(dropped, name)
		operator, why := "optional", "an attribute that must be there may be absent"
		if !a.Optional {
			operator, why = "required", "an attribute that may be absent must be there"
		}
		add(operator, string(name), why, flipped)
		add("drop-attribute", string(name), "an attribute is none any more", dropped)
	}
}

// schemas compares mutants of the schema, for a decider that asks it.
func (r *run) schemas(ctx context.Context) error {
	mutants := schemaMutants(r.Schema)
	r.result.Schema = make([]Decider, len(mutants))
	return r.each(ctx, "compared mutants of the schema", len(mutants), 1, func(i int) {
		d := Decider{ID: mutants[i].id, Why: mutants[i].why}
		d.Status, d.Witness = r.schema(mutants[i])
		r.result.Schema[i] = d
	})
}

func (r *run) schema(m schemaMutant) (Status, *Witness) {
	v := validate.New(m.schema)
	for _, p := range r.Policies {
		if v.Policy(p.ID, p.Tree) != nil {
			return Stillborn, nil
		}
	}
	for i := range r.points {
		p := &r.points[i]
		if !m.concerns(p) {
			continue
		}
		valid := v.Request(p.request) == nil && v.Entities(p.own) == nil
		if r.Rule.allows(r.votes(i), valid) != r.Rule.allows(r.votes(i), p.valid) {
			return Killed, r.witness(i, nil)
		}
	}
	if !r.result.Complete {
		return Inconclusive, nil
	}
	return Equivalent, nil
}
