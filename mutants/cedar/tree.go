package cedar

import (
	"fmt"
	"math"

	"github.com/cedar-policy/cedar-go/types"
	xast "github.com/cedar-policy/cedar-go/x/exp/ast"
)

// Node is an expression of a policy. Nodes are values and never change: a
// rewritten tree shares what was not rewritten.
type Node = xast.IsNode

// Child is a part of a node, with the word that names its place in a Path.
type Child struct {
	Name string
	Node Node
}

// Children lists the parts of a node in the order in which they are written.
// It panics at a node that it does not know, so that a new one in cedar-go is
// noticed by the first test that parses it and is never passed over.
func Children(n Node) []Child {
	if b, ok := binary(n); ok {
		return []Child{{"left", b.Left}, {"right", b.Right}}
	}
	switch n := n.(type) {
	case xast.NodeValue, xast.NodeTypeVariable:
		return nil
	case xast.NodeTypeIfThenElse:
		return []Child{{"if", n.If}, {"then", n.Then}, {"else", n.Else}}
	case xast.NodeTypeNot:
		return []Child{{"arg", n.Arg}}
	case xast.NodeTypeNegate:
		return []Child{{"arg", n.Arg}}
	case xast.NodeTypeIsEmpty:
		return []Child{{"arg", n.Arg}}
	case xast.NodeTypeAccess:
		return []Child{{"arg", n.Arg}}
	case xast.NodeTypeHas:
		return []Child{{"arg", n.Arg}}
	case xast.NodeTypeLike:
		return []Child{{"arg", n.Arg}}
	case xast.NodeTypeIs:
		return []Child{{"left", n.Left}}
	case xast.NodeTypeIsIn:
		return []Child{{"left", n.Left}, {"entity", n.Entity}}
	case xast.NodeTypeSet:
		return numbered(n.Elements)
	case xast.NodeTypeExtensionCall:
		return numbered(n.Args)
	case xast.NodeTypeRecord:
		out := make([]Child, len(n.Elements))
		for i, e := range n.Elements {
			out[i] = Child{fmt.Sprintf("[%d]", i), e.Value}
		}
		return out
	}
	panic(fmt.Sprintf("walking a policy: %T is a node that this program does not know", n))
}

func numbered(nodes []Node) []Child {
	out := make([]Child, len(nodes))
	for i, n := range nodes {
		out[i] = Child{fmt.Sprintf("[%d]", i), n}
	}
	return out
}

// WithChild is a node with its i-th part exchanged.
func WithChild(n Node, i int, part Node) Node {
	if b, ok := binary(n); ok {
		if i == 0 {
			if receives(n) {
				part = receiver(part)
			}
			b.Left = part
		} else {
			b.Right = part
		}
		return rebuild(n, b)
	}
	switch n := n.(type) {
	case xast.NodeTypeIfThenElse:
		*[]*Node{&n.If, &n.Then, &n.Else}[i] = part
		return n
	case xast.NodeTypeNot:
		n.Arg = part
		return n
	case xast.NodeTypeNegate:
		n.Arg = part
		return n
	case xast.NodeTypeIsEmpty:
		n.Arg = receiver(part)
		return n
	case xast.NodeTypeAccess:
		n.Arg = receiver(part)
		return n
	case xast.NodeTypeHas:
		n.Arg = part
		return n
	case xast.NodeTypeLike:
		n.Arg = part
		return n
	case xast.NodeTypeIs:
		n.Left = part
		return n
	case xast.NodeTypeIsIn:
		*[]*Node{&n.Left, &n.Entity}[i] = part
		return n
	case xast.NodeTypeSet:
		n.Elements = with(n.Elements, i, part)
		return n
	case xast.NodeTypeExtensionCall:
		n.Args = with(n.Args, i, receiver(part))
		return n
	case xast.NodeTypeRecord:
		n.Elements = with(n.Elements, i, xast.RecordElementNode{Key: n.Elements[i].Key, Value: part})
		return n
	}
	panic(fmt.Sprintf("rewriting a policy: %T is a node that this program does not know", n))
}

// with copies a list and exchanges one element.
func with[T any](list []T, i int, element T) []T {
	out := append([]T(nil), list...)
	out[i] = element
	return out
}

// without copies a list and leaves one element out.
func without[T any](list []T, i int) []T {
	return append(append(make([]T, 0, len(list)), list[:i]...), list[i+1:]...)
}

// receiver is a node to call a method on. A negative number is written there
// as a negation in brackets: "-1.x" does not parse.
func receiver(n Node) Node {
	v, ok := n.(xast.NodeValue)
	if !ok {
		return n
	}
	if c, ok := v.Value.(types.Long); ok && c < 0 && c != math.MinInt64 {
		return xast.NodeTypeNegate{UnaryNode: xast.UnaryNode{Arg: xast.NodeValue{Value: -c}}}
	}
	return n
}

// receives reports whether the left side of a binary node is what a method is
// called on.
func receives(n Node) bool {
	switch n.(type) {
	case xast.NodeTypeContains, xast.NodeTypeContainsAll, xast.NodeTypeContainsAny, xast.NodeTypeHasTag, xast.NodeTypeGetTag:
		return true
	}
	return false
}

// Walk visits a tree, parents first, with the path from its root.
func Walk(n Node, at Path, visit func(at Path, n Node)) {
	visit(at, n)
	for _, c := range Children(n) {
		Walk(c.Node, at.To(c.Name), visit)
	}
}

// Replace is a tree with the node at a path exchanged. A path that leads
// nowhere leaves it as it was.
func Replace(n Node, at Path, by Node) Node {
	if len(at) == 0 {
		return by
	}
	for i, c := range Children(n) {
		if c.Name == at[0] {
			return WithChild(n, i, Replace(c.Node, at[1:], by))
		}
	}
	return n
}

// Depth is how many nodes stand inside each other in a policy's deepest
// condition.
func Depth(t *Tree) int {
	deepest := 0
	for _, c := range t.Conditions {
		Walk(c.Body, nil, func(at Path, _ Node) { deepest = max(deepest, len(at)+1) })
	}
	return deepest
}
