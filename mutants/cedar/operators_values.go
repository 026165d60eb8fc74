package cedar

import (
	"math"

	"github.com/cedar-policy/cedar-go/types"
	xast "github.com/cedar-policy/cedar-go/x/exp/ast"
)

// valueOperators change what is read, and what it is compared with.
func valueOperators() []Operator {
	return []Operator{
		{
			Name: "variable",
			Why:  "asks the resource in place of the principal, or the reverse",
			Part: func(n Node, _ Place) []Node {
				v, ok := n.(xast.NodeTypeVariable)
				switch {
				case ok && v.Name == "principal":
					return []Node{xast.NodeTypeVariable{Name: "resource"}}
				case ok && v.Name == "resource":
					return []Node{xast.NodeTypeVariable{Name: "principal"}}
				}
				return nil
			},
		},
		{
			Name: "attribute",
			Why:  "reads another attribute of the same thing",
			Part: func(n Node, at Place) []Node {
				var out []Node
				if n, ok := n.(xast.NodeTypeAccess); ok {
					for _, a := range at.Words.otherAttributes(n) {
						out = append(out, xast.NodeTypeAccess{StrOpNode: xast.StrOpNode{Arg: n.Arg, Value: a}})
					}
				}
				return out
			},
		},
		{
			Name: "missing-attribute",
			Why:  "reads or asks for an attribute that nothing has",
			Part: func(n Node, _ Place) []Node {
				switch n := n.(type) {
				case xast.NodeTypeAccess:
					return []Node{xast.NodeTypeAccess{StrOpNode: xast.StrOpNode{Arg: n.Arg, Value: "postern_missing"}}}
				case xast.NodeTypeHas:
					return []Node{xast.NodeTypeHas{StrOpNode: xast.StrOpNode{Arg: n.Arg, Value: "postern_missing"}}}
				case xast.NodeTypeGetTag:
					return []Node{xast.NodeTypeGetTag{BinaryNode: xast.BinaryNode{Left: n.Left, Right: text("postern_missing")}}}
				}
				return nil
			},
		},
		{
			Name: "constant",
			Why:  "has a number that is one more or one less",
			Part: func(n Node, _ Place) []Node {
				v, _ := n.(xast.NodeValue)
				c, ok := v.Value.(types.Long)
				var out []Node
				if ok && c > math.MinInt64 {
					out = append(out, xast.NodeValue{Value: c - 1})
				}
				if ok && c < math.MaxInt64 {
					out = append(out, xast.NodeValue{Value: c + 1})
				}
				return out
			},
		},
		{
			Name: "boolean",
			Why:  "has true for false, or false for true",
			Part: func(n Node, _ Place) []Node {
				v, _ := n.(xast.NodeValue)
				if b, ok := v.Value.(types.Boolean); ok {
					return []Node{truth(!bool(b))}
				}
				return nil
			},
		},
		{
			Name: "string",
			Why:  "has another text",
			Part: func(n Node, at Place) []Node {
				v, _ := n.(xast.NodeValue)
				s, ok := v.Value.(types.String)
				if !ok || at.Literal {
					return nil
				}
				var out []Node
				for _, other := range at.Words.otherStrings(s) {
					out = append(out, text(other))
				}
				return out
			},
		},
		{
			Name: "entity",
			Why:  "has another entity of the same type",
			Part: func(n Node, at Place) []Node {
				v, _ := n.(xast.NodeValue)
				e, ok := v.Value.(types.EntityUID)
				if !ok {
					return nil
				}
				var out []Node
				for _, other := range at.Words.otherEntities(e) {
					out = append(out, xast.NodeValue{Value: other})
				}
				return out
			},
		},
		{
			Name: "pattern",
			Why:  "matches more texts, or fewer",
			Part: patterns,
		},
	}
}

func text(s types.String) Node { return xast.NodeValue{Value: s} }

// patterns proposes a pattern that takes everything, each with one wildcard
// less, and one with a wildcard more at either end.
func patterns(n Node, _ Place) []Node {
	like, ok := n.(xast.NodeTypeLike)
	if !ok {
		return nil
	}
	parts := Parts(like.Value)
	proposals := [][]any{{types.Wildcard{}}, append([]any{types.Wildcard{}}, parts...), append(with1(parts), types.Wildcard{})}
	for i, part := range parts {
		if _, wild := part.(types.Wildcard); wild {
			proposals = append(proposals, without(parts, i))
		}
	}
	var out []Node
	for _, p := range proposals {
		out = append(out, xast.NodeTypeLike{Arg: like.Arg, Value: types.NewPattern(p...)})
	}
	return out
}

func with1(parts []any) []any { return append([]any(nil), parts...) }
