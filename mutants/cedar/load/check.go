package load

import (
	"github.com/cedar-policy/cedar-go/types"
	xast "github.com/cedar-policy/cedar-go/x/exp/ast"
	"github.com/cedar-policy/cedar-go/x/exp/schema/resolved"
	"github.com/cedar-policy/cedar-go/x/exp/schema/validate"

	"postern/mutants/cedar"
)

// Check asks the schema about each policy.
func Check(s *resolved.Schema, policies []cedar.Policy) error {
	v := validate.New(s)
	for _, p := range policies {
		what := ""
		switch {
		case untagged(s, p.Tree):
			what = "this policy asks for a tag of what has no tags in the schema: add 'tags' to the entity's type there, or ask for an attribute"
		case v.Policy(p.ID, p.Tree) != nil:
			what = "this policy does not validate against the schema: check its types, attributes and actions"
		}
		if what != "" {
			return &Problem{p.File, p.Line, what}
		}
	}
	return nil
}

// untagged reports whether a policy asks for a tag where no entity has one: the
// validator lets hasTag pass then, which is never so.
func untagged(s *resolved.Schema, t *cedar.Tree) bool {
	found := false
	for _, c := range t.Conditions {
		cedar.Walk(c.Body, nil, func(_ cedar.Path, n cedar.Node) {
			switch n := n.(type) {
			case xast.NodeTypeHasTag:
				found = found || !tagged(s, n.Left)
			case xast.NodeTypeGetTag:
				found = found || !tagged(s, n.Left)
			}
		})
	}
	return found
}

// tagged reports whether anything that an expression may be has tags.
func tagged(s *resolved.Schema, of cedar.Node) bool {
	variable, _ := of.(xast.NodeTypeVariable)
	has := func(list []types.EntityType) bool {
		for _, t := range list {
			if s.Entities[t].Tags != nil {
				return true
			}
		}
		return false
	}
	for _, a := range s.Actions {
		switch {
		case a.AppliesTo == nil:
		case variable.Name == "principal" && has(a.AppliesTo.Principals), variable.Name == "resource" && has(a.AppliesTo.Resources):
			return true
		}
	}
	if variable.Name == "principal" || variable.Name == "resource" {
		return false
	}
	for t := range s.Entities {
		if has([]types.EntityType{t}) {
			return true
		}
	}
	return false
}
