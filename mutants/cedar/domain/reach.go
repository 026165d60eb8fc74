package domain

import (
	"slices"

	"github.com/cedar-policy/cedar-go/types"
	xast "github.com/cedar-policy/cedar-go/x/exp/ast"

	"postern/mutants/cedar"
)

// Covers reports whether nothing is left to ask about a mutant of a policy: the
// policy's own requests are all combinations, and the mutant asks no kind of
// request that the policy does not.
func (d *Domain) Covers(policy int, mutant *cedar.Tree) bool {
	if d.Complete {
		return true
	}
	if !d.Whole[policy] {
		return false
	}
	m := d.maker
	return !slices.ContainsFunc(m.every, func(k kind) bool {
		return m.reaches(mutant, k) && !m.reaches(m.policies[policy].original, k)
	})
}

// reaches reports whether the scope of a policy can hold for a kind of request.
func (m *maker) reaches(t *cedar.Tree, k kind) bool {
	return m.asksAction(t.Action, k.action.Entity.UID) && m.asksType(t.Principal, k.principal) && m.asksType(t.Resource, k.resource)
}

func (m *maker) asksAction(s xast.IsScopeNode, uid types.EntityUID) bool {
	within := func(group types.EntityUID) bool {
		return uid == group || m.Store[uid].Parents.Contains(group)
	}
	switch s := s.(type) {
	case xast.ScopeTypeEq:
		return uid == s.Entity
	case xast.ScopeTypeIn:
		return within(s.Entity)
	case xast.ScopeTypeInSet:
		return slices.ContainsFunc(s.Entities, within)
	}
	return true
}

func (m *maker) asksType(s xast.IsScopeNode, t types.EntityType) bool {
	switch s := s.(type) {
	case xast.ScopeTypeEq:
		return t == s.Entity.Type
	case xast.ScopeTypeIn:
		return m.descends(t, s.Entity.Type, map[types.EntityType]bool{})
	case xast.ScopeTypeIs:
		return t == s.Type
	case xast.ScopeTypeIsIn:
		return t == s.Type && m.descends(t, s.Entity.Type, map[types.EntityType]bool{})
	}
	return true
}

// descends reports whether an entity of a type can be in one of a group's type.
func (m *maker) descends(t, group types.EntityType, seen map[types.EntityType]bool) bool {
	if t == group {
		return true
	}
	seen[t] = true
	return slices.ContainsFunc(m.schema.Entities[t].ParentTypes, func(p types.EntityType) bool {
		return !seen[p] && m.descends(p, group, seen)
	})
}
