package domain

import (
	"slices"

	"github.com/cedar-policy/cedar-go/types"
	xast "github.com/cedar-policy/cedar-go/x/exp/ast"
	"github.com/cedar-policy/cedar-go/x/exp/eval"

	"postern/mutants/cedar"
)

// chains lists the paths that a node may lead to: none if it is no chain of
// attributes that begins with a variable.
func (r *reads) chains(n cedar.Node) [][]string {
	switch n := n.(type) {
	case xast.NodeTypeVariable:
		return [][]string{{string(n.Name)}}
	case xast.NodeTypeAccess:
		return extend(r.chains(n.Arg), string(n.Value))
	case xast.NodeTypeGetTag:
		if s, ok := constant(n.Right).(types.String); ok {
			return extend(r.chains(n.Left), tag+string(s))
		}
		var out [][]string // a key that is calculated can be each
		for _, k := range r.keysOfTags() {
			out = append(out, extend(r.chains(n.Left), tag+k)...)
		}
		return out
	case xast.NodeTypeIfThenElse:
		return append(r.chains(n.Then), r.chains(n.Else)...)
	}
	return nil
}

func extend(paths [][]string, step string) [][]string {
	for i := range paths {
		paths[i] = append(slices.Clone(paths[i]), step)
	}
	return paths
}

// pathsIn lists the longest paths below a node.
func (r *reads) pathsIn(n cedar.Node) [][]string {
	if out := r.chains(n); len(out) > 0 {
		return out
	}
	switch n := n.(type) {
	case xast.NodeTypeHas:
		return extend(r.chains(n.Arg), string(n.Value))
	case xast.NodeTypeHasTag:
		if s, ok := constant(n.Right).(types.String); ok {
			return extend(r.chains(n.Left), tag+string(s))
		}
	}
	var out [][]string
	for _, c := range cedar.Children(n) {
		out = append(out, r.pathsIn(c.Node)...)
	}
	return out
}

// constants lists the values that stand below a node, each as large as it can
// be told without a request.
func constants(n cedar.Node) []types.Value {
	if v := constant(n); v != nil {
		out := []types.Value{v}
		if set, ok := n.(xast.NodeTypeSet); ok {
			for _, e := range set.Elements {
				out = append(out, constants(e)...)
			}
		}
		return out
	}
	var out []types.Value
	for _, c := range cedar.Children(n) {
		out = append(out, constants(c.Node)...)
	}
	return out
}

// constant is the value of a node that asks no variable; nil for another, and
// for one that has no value.
func constant(n cedar.Node) types.Value {
	asks := false
	cedar.Walk(n, nil, func(_ cedar.Path, n cedar.Node) {
		_, variable := n.(xast.NodeTypeVariable)
		_, boolean := n.(xast.NodeTypeHasTag)
		asks = asks || variable || boolean
	})
	if asks {
		return nil
	}
	v, err := eval.Eval(n, eval.Env{Entities: types.EntityMap{}})
	if err != nil {
		return nil
	}
	return v
}
