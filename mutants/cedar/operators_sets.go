package cedar

import xast "github.com/cedar-policy/cedar-go/x/exp/ast"

// LongSet is how many elements of a set literal are changed: those beyond are
// more of the same, and are told as left alone.
const LongSet = 16

// setOperators change what is asked of a set, and what it holds.
func setOperators() []Operator {
	return []Operator{
		{
			Name: "all-any",
			Why:  "asks for any element in place of all, or the reverse",
			Part: func(n Node, _ Place) []Node {
				switch n := n.(type) {
				case xast.NodeTypeContainsAll:
					return []Node{xast.NodeTypeContainsAny{BinaryNode: n.BinaryNode}}
				case xast.NodeTypeContainsAny:
					return []Node{xast.NodeTypeContainsAll{BinaryNode: n.BinaryNode}}
				}
				return nil
			},
		},
		{
			Name: "contains-reversed",
			Why:  "asks the second set for the elements of the first",
			Part: func(n Node, _ Place) []Node {
				if n, ok := n.(xast.NodeTypeContainsAll); ok {
					return []Node{xast.NodeTypeContainsAll{BinaryNode: xast.BinaryNode{Left: receiver(n.Right), Right: n.Left}}}
				}
				return nil
			},
		},
		{
			Name: "contains-empty",
			Why:  "asks a set whether it is empty, not what it holds",
			Part: func(n Node, _ Place) []Node {
				if n, ok := n.(xast.NodeTypeContains); ok {
					return []Node{xast.NodeTypeIsEmpty{UnaryNode: xast.UnaryNode{Arg: n.Left}}}
				}
				return nil
			},
		},
		{
			Name:    "drop-element",
			Why:     "has one element less in a set",
			Removes: true,
			Part: func(n Node, _ Place) []Node {
				s, ok := n.(xast.NodeTypeSet)
				if !ok {
					return nil
				}
				var out []Node
				for i := range min(len(s.Elements), LongSet) {
					out = append(out, xast.NodeTypeSet{Elements: without(s.Elements, i)})
				}
				return out
			},
		},
		{
			Name: "drop-entry",
			Why:  "has one entry less in a record",
			Part: func(n Node, _ Place) []Node {
				r, ok := n.(xast.NodeTypeRecord)
				if !ok {
					return nil
				}
				var out []Node
				for i := range r.Elements {
					out = append(out, xast.NodeTypeRecord{Elements: without(r.Elements, i)})
				}
				return out
			},
		},
	}
}
