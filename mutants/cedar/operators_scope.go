package cedar

import (
	"fmt"

	"github.com/cedar-policy/cedar-go/types"
	xast "github.com/cedar-policy/cedar-go/x/exp/ast"
)

// scopeOperators change who, what and whereupon a policy is about.
func scopeOperators() []Operator {
	return []Operator{
		{
			Name:    "widen-scope",
			Why:     "does not ask for a part of its scope",
			Removes: true,
			Whole:   eachScope(widened),
		},
		{
			Name: "scope-in",
			Why:  "also takes the members of an entity, not that alone",
			Whole: eachScope(func(s xast.IsScopeNode, _ *Words) []xast.IsScopeNode {
				if s, ok := s.(xast.ScopeTypeEq); ok {
					return []xast.IsScopeNode{xast.ScopeTypeIn{Entity: s.Entity}}
				}
				return nil
			}),
		},
		{
			Name: "scope-equals",
			Why:  "takes an entity alone, not its members",
			Whole: eachScope(func(s xast.IsScopeNode, _ *Words) []xast.IsScopeNode {
				if s, ok := s.(xast.ScopeTypeIn); ok {
					return []xast.IsScopeNode{xast.ScopeTypeEq{Entity: s.Entity}}
				}
				return nil
			}),
		},
		{
			Name: "scope-entity",
			Why:  "takes another entity of the same type",
			Whole: eachScope(func(s xast.IsScopeNode, w *Words) []xast.IsScopeNode {
				var out []xast.IsScopeNode
				switch s := s.(type) {
				case xast.ScopeTypeEq:
					for _, e := range w.otherEntities(s.Entity) {
						out = append(out, xast.ScopeTypeEq{Entity: e})
					}
				case xast.ScopeTypeIn:
					for _, e := range w.otherEntities(s.Entity) {
						out = append(out, xast.ScopeTypeIn{Entity: e})
					}
				case xast.ScopeTypeIsIn:
					for _, e := range w.otherEntities(s.Entity) {
						out = append(out, xast.ScopeTypeIsIn{Type: s.Type, Entity: e})
					}
				}
				return out
			}),
		},
		{
			Name: "scope-type",
			Why:  "takes entities of another type",
			Whole: eachScope(func(s xast.IsScopeNode, w *Words) []xast.IsScopeNode {
				var out []xast.IsScopeNode
				switch s := s.(type) {
				case xast.ScopeTypeIs:
					for _, t := range w.otherTypes(s.Type) {
						out = append(out, xast.ScopeTypeIs{Type: t})
					}
				case xast.ScopeTypeIsIn:
					for _, t := range w.otherTypes(s.Type) {
						out = append(out, xast.ScopeTypeIsIn{Type: t, Entity: s.Entity})
					}
				}
				return out
			}),
		},
		{
			Name:    "drop-action",
			Why:     "does not name one of its actions",
			Removes: true,
			Whole: func(t *Tree, _ *Words) []Change {
				s, ok := t.Action.(xast.ScopeTypeInSet)
				if !ok {
					return nil
				}
				var out []Change
				for i := range s.Entities {
					c := clone(t)
					c.Action = xast.ScopeTypeInSet{Entities: without(s.Entities, i)}
					out = append(out, Change{At: Path{"action", fmt.Sprintf("[%d]", i)}, Tree: c})
				}
				return out
			},
		},
	}
}

func widened(s xast.IsScopeNode, _ *Words) []xast.IsScopeNode {
	switch s := s.(type) {
	case xast.ScopeTypeAll:
		return nil
	case xast.ScopeTypeIsIn:
		return []xast.IsScopeNode{xast.ScopeTypeAll{}, xast.ScopeTypeIs{Type: s.Type}, xast.ScopeTypeIn{Entity: s.Entity}}
	}
	return []xast.IsScopeNode{xast.ScopeTypeAll{}}
}

// eachScope applies an edit to the three parts of a scope.
func eachScope(edit func(s xast.IsScopeNode, w *Words) []xast.IsScopeNode) func(*Tree, *Words) []Change {
	return func(t *Tree, w *Words) []Change {
		var out []Change
		for _, s := range edit(t.Principal, w) {
			c := clone(t)
			c.Principal = s.(xast.IsPrincipalScopeNode)
			out = append(out, Change{At: Path{"principal"}, Tree: c})
		}
		for _, s := range edit(t.Action, w) {
			if s, ok := s.(xast.IsActionScopeNode); ok {
				c := clone(t)
				c.Action = s
				out = append(out, Change{At: Path{"action"}, Tree: c})
			}
		}
		for _, s := range edit(t.Resource, w) {
			c := clone(t)
			c.Resource = s.(xast.IsResourceScopeNode)
			out = append(out, Change{At: Path{"resource"}, Tree: c})
		}
		return out
	}
}

// scopeEntities lists the entities that a scope names.
func scopeEntities(s xast.IsScopeNode) []types.EntityUID {
	switch s := s.(type) {
	case xast.ScopeTypeEq:
		return []types.EntityUID{s.Entity}
	case xast.ScopeTypeIn:
		return []types.EntityUID{s.Entity}
	case xast.ScopeTypeIsIn:
		return []types.EntityUID{s.Entity}
	case xast.ScopeTypeInSet:
		return s.Entities
	}
	return nil
}
