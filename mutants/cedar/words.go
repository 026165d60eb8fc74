package cedar

import (
	"slices"
	"strings"

	"github.com/cedar-policy/cedar-go/types"
	xast "github.com/cedar-policy/cedar-go/x/exp/ast"
)

// Other is the name of what no policy of a user's talks of.
const Other = "postern-other"

// most bounds how many other words an operator tries in one place.
const most = 2

// Words are what the policies of a set talk of: an operator swaps a word for
// another of these.
type Words struct {
	entities   map[types.EntityType][]types.EntityUID // sorted
	types      []types.EntityType
	strings    []types.String
	ids        []types.String            // of policies: their @id
	attributes map[string][]types.String // by the text of what they are read from
}

// Gather collects the words of a set. Types adds entity types that the schema
// alone knows.
func Gather(policies []Policy, kinds []types.EntityType) *Words {
	w := &Words{entities: map[types.EntityType][]types.EntityUID{}, attributes: map[string][]types.String{}, types: slices.Clone(kinds)}
	for _, p := range policies {
		if id, ok := writtenID(p.Tree); ok {
			w.ids = append(w.ids, id)
		}
		for _, s := range []xast.IsScopeNode{p.Tree.Principal, p.Tree.Action, p.Tree.Resource} {
			for _, e := range scopeEntities(s) {
				w.entity(e)
			}
			switch s := s.(type) {
			case xast.ScopeTypeIs:
				w.types = append(w.types, s.Type)
			case xast.ScopeTypeIsIn:
				w.types = append(w.types, s.Type)
			}
		}
		for _, c := range p.Tree.Conditions {
			Walk(c.Body, nil, func(_ Path, n Node) { w.node(n) })
		}
	}
	slices.Sort(w.types)
	w.types = slices.Compact(w.types)
	slices.Sort(w.ids)
	w.ids = slices.Compact(w.ids)
	slices.Sort(w.strings)
	w.strings = slices.Compact(w.strings)
	for _, list := range w.entities {
		slices.SortFunc(list, func(a, b types.EntityUID) int { return strings.Compare(string(a.ID), string(b.ID)) })
	}
	for _, list := range w.attributes {
		slices.Sort(list)
	}
	return w
}

// writtenID is a policy's @id.
func writtenID(t *Tree) (types.String, bool) {
	for _, a := range t.Annotations {
		if a.Key == "id" {
			return a.Value, true
		}
	}
	return "", false
}

func (w *Words) entity(e types.EntityUID) {
	if !slices.Contains(w.entities[e.Type], e) {
		w.entities[e.Type] = append(w.entities[e.Type], e)
	}
}

func (w *Words) node(n Node) {
	switch n := n.(type) {
	case xast.NodeValue:
		switch v := n.Value.(type) {
		case types.EntityUID:
			w.entity(v)
		case types.String:
			w.strings = append(w.strings, v)
		}
	case xast.NodeTypeIs:
		w.types = append(w.types, n.EntityType)
	case xast.NodeTypeIsIn:
		w.types = append(w.types, n.EntityType)
	case xast.NodeTypeAccess:
		from := printed(n.Arg)
		if !slices.Contains(w.attributes[from], n.Value) {
			w.attributes[from] = append(w.attributes[from], n.Value)
		}
	}
}

// printed is a node as text, to tell nodes apart by.
func printed(n Node) string {
	t := xast.Permit()
	t.Conditions = []xast.ConditionType{{Condition: xast.ConditionWhen, Body: n}}
	return Text(t)
}

// next lists the words that follow one in a sorted list, round its end.
func next[T comparable](list []T, word T, n int) []T {
	at := slices.Index(list, word)
	if at < 0 {
		return list[:min(n, len(list))]
	}
	var out []T
	for i := 1; i < len(list) && len(out) < n; i++ {
		out = append(out, list[(at+i)%len(list)])
	}
	return out
}

func (w *Words) otherEntities(e types.EntityUID) []types.EntityUID {
	return append(next(w.entities[e.Type], e, most), types.NewEntityUID(e.Type, Other))
}

func (w *Words) otherTypes(t types.EntityType) []types.EntityType { return next(w.types, t, most) }

func (w *Words) otherStrings(s types.String) []types.String {
	out := next(w.strings, s, most)
	return append(slices.Clone(out), Other)
}

func (w *Words) otherAttributes(n xast.NodeTypeAccess) []types.String {
	return next(w.attributes[printed(n.Arg)], n.Value, most)
}
