package level1

import (
	"slices"
	"strings"

	"github.com/cedar-policy/cedar-go/types"
	xast "github.com/cedar-policy/cedar-go/x/exp/ast"

	"postern/mutants/cedar"
)

// Most policies of a large set are about something else than a request is. Their
// scopes are looked at here, so that cedar-go is asked only about those whose
// scope holds; a test shows that it would not say otherwise of the rest.

// above lists an entity and all that it is in, itself first.
func above(entities types.EntityGetter, uid types.EntityUID) []types.EntityUID {
	out := []types.EntityUID{uid}
	for i := 0; i < len(out); i++ {
		if e, known := entities.Get(out[i]); known {
			for parent := range e.Parents.All() {
				if !slices.Contains(out, parent) {
					out = append(out, parent)
				}
			}
		}
	}
	return out
}

// inScope reports whether the scope of a policy holds at a point.
func (p *point) inScope(t *cedar.Tree) bool {
	return asks(t.Action, p.action) && asks(t.Principal, p.principal) && asks(t.Resource, p.resource)
}

func asks(s xast.IsScopeNode, above []types.EntityUID) bool {
	switch s := s.(type) {
	case xast.ScopeTypeEq:
		return above[0] == s.Entity
	case xast.ScopeTypeIn:
		return slices.Contains(above, s.Entity)
	case xast.ScopeTypeInSet:
		return slices.ContainsFunc(s.Entities, func(e types.EntityUID) bool { return slices.Contains(above, e) })
	case xast.ScopeTypeIs:
		return above[0].Type == s.Type
	case xast.ScopeTypeIsIn:
		return above[0].Type == s.Type && slices.Contains(above, s.Entity)
	}
	return true
}

// byAction lists which policies ask for an action, by the action and all that
// it is in.
type byAction map[string][]int32

func actionKey(above []types.EntityUID) string {
	list := make([]string, len(above))
	for i, uid := range above {
		list[i] = uid.String()
	}
	slices.Sort(list[1:])
	return strings.Join(list, "\n")
}

// index makes the list for each action of some points.
func (r *run) index(points []point) byAction {
	out := byAction{}
	for i := range points {
		k := actionKey(points[i].action)
		if _, there := out[k]; there {
			continue
		}
		out[k] = nil
		for n, p := range r.Policies {
			if asks(p.Tree.Action, points[i].action) {
				out[k] = append(out[k], int32(n))
			}
		}
	}
	return out
}
