package cedar

import (
	"github.com/cedar-policy/cedar-go/types"
	xast "github.com/cedar-policy/cedar-go/x/exp/ast"
)

// relationOperators change how two things are compared.
func relationOperators() []Operator {
	return []Operator{
		{
			Name: "relation",
			Why:  "compares with another of the six relations",
			Part: relations,
		},
		{
			Name: "equals-in",
			Why:  "also takes members of an entity, not that alone",
			Part: func(n Node, _ Place) []Node {
				if n, ok := n.(xast.NodeTypeEquals); ok && (namesEntity(n.Left) || namesEntity(n.Right)) {
					return []Node{xast.NodeTypeIn{BinaryNode: n.BinaryNode}}
				}
				return nil
			},
		},
		{
			Name: "in-equals",
			Why:  "takes an entity alone, not its members",
			Part: func(n Node, _ Place) []Node {
				if n, ok := n.(xast.NodeTypeIn); ok {
					return []Node{xast.NodeTypeEquals{BinaryNode: n.BinaryNode}}
				}
				return nil
			},
		},
		{
			Name: "is-type",
			Why:  "asks for another entity type",
			Part: func(n Node, at Place) []Node {
				var out []Node
				switch n := n.(type) {
				case xast.NodeTypeIs:
					for _, t := range at.Words.otherTypes(n.EntityType) {
						out = append(out, xast.NodeTypeIs{Left: n.Left, EntityType: t})
					}
				case xast.NodeTypeIsIn:
					for _, t := range at.Words.otherTypes(n.EntityType) {
						out = append(out, xast.NodeTypeIsIn{NodeTypeIs: xast.NodeTypeIs{Left: n.Left, EntityType: t}, Entity: n.Entity})
					}
				}
				return out
			},
		},
		{
			Name:    "is-in-half",
			Why:     "asks one half of an 'is ... in'",
			Removes: true,
			Part: func(n Node, _ Place) []Node {
				if n, ok := n.(xast.NodeTypeIsIn); ok {
					return []Node{n.NodeTypeIs, xast.NodeTypeIn{BinaryNode: xast.BinaryNode{Left: n.Left, Right: n.Entity}}}
				}
				return nil
			},
		},
		{
			Name: "arithmetic",
			Why:  "calculates with another operation",
			Part: func(n Node, _ Place) []Node {
				switch n := n.(type) {
				case xast.NodeTypeAdd:
					return []Node{xast.NodeTypeSub{BinaryNode: n.BinaryNode}}
				case xast.NodeTypeSub:
					return []Node{xast.NodeTypeAdd{BinaryNode: n.BinaryNode}}
				case xast.NodeTypeMult:
					return []Node{xast.NodeTypeAdd{BinaryNode: n.BinaryNode}}
				case xast.NodeTypeNegate:
					return []Node{n.Arg}
				}
				return nil
			},
		},
	}
}

func relations(n Node, _ Place) []Node {
	b, ok := binary(n)
	if !ok {
		return nil
	}
	less, atMost := xast.NodeTypeLessThan{BinaryNode: b}, xast.NodeTypeLessThanOrEqual{BinaryNode: b}
	more, atLeast := xast.NodeTypeGreaterThan{BinaryNode: b}, xast.NodeTypeGreaterThanOrEqual{BinaryNode: b}
	equal, unequal := xast.NodeTypeEquals{BinaryNode: b}, xast.NodeTypeNotEquals{BinaryNode: b}
	switch n.(type) {
	case xast.NodeTypeLessThan:
		return []Node{atMost, more, atLeast, equal, unequal}
	case xast.NodeTypeLessThanOrEqual:
		return []Node{less, more, atLeast, equal, unequal}
	case xast.NodeTypeGreaterThan:
		return []Node{less, atMost, atLeast, equal, unequal}
	case xast.NodeTypeGreaterThanOrEqual:
		return []Node{less, atMost, more, equal, unequal}
	case xast.NodeTypeEquals:
		if isLong(b.Left) || isLong(b.Right) {
			return []Node{unequal, less, atMost, more, atLeast}
		}
		return []Node{unequal}
	case xast.NodeTypeNotEquals:
		if isLong(b.Left) || isLong(b.Right) {
			return []Node{equal, less, atMost, more, atLeast}
		}
		return []Node{equal}
	}
	return nil
}

func isLong(n Node) bool {
	v, ok := n.(xast.NodeValue)
	if !ok {
		return false
	}
	_, long := v.Value.(types.Long)
	return long
}

// namesEntity reports whether a node is an entity at first sight.
func namesEntity(n Node) bool {
	switch n := n.(type) {
	case xast.NodeTypeVariable:
		return n.Name != "context"
	case xast.NodeValue:
		_, entity := n.Value.(types.EntityUID)
		return entity
	}
	return false
}
