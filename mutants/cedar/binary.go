package cedar

import (
	"fmt"

	xast "github.com/cedar-policy/cedar-go/x/exp/ast"
)

// binary is what the nodes with a left and a right side have in common.
func binary(n Node) (xast.BinaryNode, bool) {
	switch n := n.(type) {
	case xast.NodeTypeOr:
		return n.BinaryNode, true
	case xast.NodeTypeAnd:
		return n.BinaryNode, true
	case xast.NodeTypeLessThan:
		return n.BinaryNode, true
	case xast.NodeTypeLessThanOrEqual:
		return n.BinaryNode, true
	case xast.NodeTypeGreaterThan:
		return n.BinaryNode, true
	case xast.NodeTypeGreaterThanOrEqual:
		return n.BinaryNode, true
	case xast.NodeTypeEquals:
		return n.BinaryNode, true
	case xast.NodeTypeNotEquals:
		return n.BinaryNode, true
	case xast.NodeTypeIn:
		return n.BinaryNode, true
	case xast.NodeTypeAdd:
		return n.BinaryNode, true
	case xast.NodeTypeSub:
		return n.BinaryNode, true
	case xast.NodeTypeMult:
		return n.BinaryNode, true
	case xast.NodeTypeContains:
		return n.BinaryNode, true
	case xast.NodeTypeContainsAll:
		return n.BinaryNode, true
	case xast.NodeTypeContainsAny:
		return n.BinaryNode, true
	case xast.NodeTypeHasTag:
		return n.BinaryNode, true
	case xast.NodeTypeGetTag:
		return n.BinaryNode, true
	}
	return xast.BinaryNode{}, false
}

// rebuild is a node of the same kind as n with other sides.
func rebuild(n Node, b xast.BinaryNode) Node {
	switch n.(type) {
	case xast.NodeTypeOr:
		return xast.NodeTypeOr{BinaryNode: b}
	case xast.NodeTypeAnd:
		return xast.NodeTypeAnd{BinaryNode: b}
	case xast.NodeTypeLessThan:
		return xast.NodeTypeLessThan{BinaryNode: b}
	case xast.NodeTypeLessThanOrEqual:
		return xast.NodeTypeLessThanOrEqual{BinaryNode: b}
	case xast.NodeTypeGreaterThan:
		return xast.NodeTypeGreaterThan{BinaryNode: b}
	case xast.NodeTypeGreaterThanOrEqual:
		return xast.NodeTypeGreaterThanOrEqual{BinaryNode: b}
	case xast.NodeTypeEquals:
		return xast.NodeTypeEquals{BinaryNode: b}
	case xast.NodeTypeNotEquals:
		return xast.NodeTypeNotEquals{BinaryNode: b}
	case xast.NodeTypeIn:
		return xast.NodeTypeIn{BinaryNode: b}
	case xast.NodeTypeAdd:
		return xast.NodeTypeAdd{BinaryNode: b}
	case xast.NodeTypeSub:
		return xast.NodeTypeSub{BinaryNode: b}
	case xast.NodeTypeMult:
		return xast.NodeTypeMult{BinaryNode: b}
	case xast.NodeTypeContains:
		return xast.NodeTypeContains{BinaryNode: b}
	case xast.NodeTypeContainsAll:
		return xast.NodeTypeContainsAll{BinaryNode: b}
	case xast.NodeTypeContainsAny:
		return xast.NodeTypeContainsAny{BinaryNode: b}
	case xast.NodeTypeHasTag:
		return xast.NodeTypeHasTag{BinaryNode: b}
	case xast.NodeTypeGetTag:
		return xast.NodeTypeGetTag{BinaryNode: b}
	}
	panic(fmt.Sprintf("rewriting a policy: %T has no two sides", n))
}
