package cedar

import (
	"github.com/cedar-policy/cedar-go/types"
	xast "github.com/cedar-policy/cedar-go/x/exp/ast"
)

func truth(b bool) Node { return xast.NodeValue{Value: types.Boolean(b)} }

func not(n Node) Node { return xast.NodeTypeNot{UnaryNode: xast.UnaryNode{Arg: n}} }

// logicOperators change how truth values are put together.
func logicOperators() []Operator {
	return []Operator{
		{
			Name: "and-or",
			Why:  "takes one of two where it asked for both, or the reverse",
			Part: func(n Node, _ Place) []Node {
				switch n := n.(type) {
				case xast.NodeTypeAnd:
					return []Node{xast.NodeTypeOr{BinaryNode: n.BinaryNode}}
				case xast.NodeTypeOr:
					return []Node{xast.NodeTypeAnd{BinaryNode: n.BinaryNode}}
				}
				return nil
			},
		},
		{
			Name:    "drop-operand",
			Why:     "does not ask one side of && or ||",
			Removes: true,
			Part: func(n Node, _ Place) []Node {
				switch n := n.(type) {
				case xast.NodeTypeAnd:
					return []Node{n.Right, n.Left}
				case xast.NodeTypeOr:
					return []Node{n.Right, n.Left}
				}
				return nil
			},
		},
		{
			Name: "drop-not",
			Why:  "takes the opposite of what it asked for",
			Part: func(n Node, _ Place) []Node {
				if n, ok := n.(xast.NodeTypeNot); ok {
					return []Node{n.Arg}
				}
				return nil
			},
		},
		{
			Name: "drop-guard",
			Why:  "does not ask whether an attribute or a tag is there",
			Part: func(n Node, _ Place) []Node {
				switch n.(type) {
				case xast.NodeTypeHas, xast.NodeTypeHasTag:
					return []Node{truth(true)}
				}
				return nil
			},
		},
		{
			Name: "negate",
			Why:  "takes the opposite of a part of a condition",
			Part: func(n Node, at Place) []Node {
				switch n.(type) {
				case xast.NodeTypeNot, xast.NodeTypeEquals, xast.NodeTypeNotEquals, xast.NodeValue:
					return nil // other operators have the opposite of these
				}
				if !at.Boolean || at.Root != "" {
					return nil // at the root: swap-when-unless
				}
				return []Node{not(n)}
			},
		},
		{
			Name: "constant-true",
			Why:  "takes a part of a condition for true",
			Part: func(n Node, at Place) []Node {
				if _, literal := n.(xast.NodeValue); !at.Boolean || literal || at.Root == "when" {
					return nil // at the root of a when: drop-condition
				}
				return []Node{truth(true)}
			},
		},
		{
			Name: "constant-false",
			Why:  "takes a part of a condition for false",
			Part: func(n Node, at Place) []Node {
				if _, literal := n.(xast.NodeValue); !at.Boolean || literal || at.Root == "unless" {
					return nil // at the root of an unless: drop-condition
				}
				return []Node{truth(false)}
			},
		},
		{
			Name: "if-arm",
			Why:  "takes one arm of an if whatever its question",
			Part: func(n Node, _ Place) []Node {
				if n, ok := n.(xast.NodeTypeIfThenElse); ok {
					return []Node{n.Then, n.Else}
				}
				return nil
			},
		},
		{
			Name: "if-swap",
			Why:  "takes the other arm of an if",
			Part: func(n Node, _ Place) []Node {
				if n, ok := n.(xast.NodeTypeIfThenElse); ok {
					n.Then, n.Else = n.Else, n.Then
					return []Node{n}
				}
				return nil
			},
		},
	}
}
