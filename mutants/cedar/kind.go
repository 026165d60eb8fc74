package cedar

import (
	"fmt"

	"github.com/cedar-policy/cedar-go/types"
	xast "github.com/cedar-policy/cedar-go/x/exp/ast"
)

// Kinds lists what a policy is made of beside its effect, its conditions and
// what its scope asks for: all that cedar-go parses.
func Kinds() []string {
	return []string{
		"&&", "||", "!", "-x", "if", "<", "<=", ">", ">=", "==", "!=", "in", "is", "is in", "has", "like",
		"+", "-", "*", ".", "contains", "containsAll", "containsAny", "isEmpty", "hasTag", "getTag",
		"boolean", "number", "string", "entity", "set", "empty set", "record", "empty record", moreElements, "principal", "action", "resource", "context",
		"ip", "decimal", "datetime", "duration",
		"lessThan", "lessThanOrEqual", "greaterThan", "greaterThanOrEqual",
		"isIpv4", "isIpv6", "isLoopback", "isMulticast", "isInRange",
		"toDate", "toTime", "offset", "durationSince", "toDays", "toHours", "toMinutes", "toSeconds", "toMilliseconds",
		openScope, annotation,
	}
}

// The kinds of what is no expression, or not one alone.
const (
	moreElements = "element of a long set" // what stands beyond the LongSet first
	openScope    = "open scope"            // a principal, an action or a resource of any kind
	annotation   = "annotation"
)

// Unmutated says why no operator changes a kind of expression. A constructor of
// an extension's value is changed where its argument is a literal.
func Unmutated() map[string]string {
	return map[string]string{
		"action":       "nothing else has its type: the scope is where an action is asked for",
		"context":      "nothing else has its type: its attributes are changed",
		moreElements:   "the first 16 are changed, and these are more of the same",
		"empty set":    "nothing can be taken out of it, and what is asked of it is changed",
		"empty record": "nothing can be taken out of it, and what is asked of it is changed",
		"toTime":       "nothing else makes a duration of a date alone",
		openScope:      "it asks nothing that could be taken away",
		annotation:     "no decision depends on it",
	}
}

// Kind names what a node is.
func Kind(n Node) string {
	switch n := n.(type) {
	case xast.NodeTypeAnd:
		return "&&"
	case xast.NodeTypeOr:
		return "||"
	case xast.NodeTypeNot:
		return "!"
	case xast.NodeTypeNegate:
		return "-x"
	case xast.NodeTypeIfThenElse:
		return "if"
	case xast.NodeTypeLessThan:
		return "<"
	case xast.NodeTypeLessThanOrEqual:
		return "<="
	case xast.NodeTypeGreaterThan:
		return ">"
	case xast.NodeTypeGreaterThanOrEqual:
		return ">="
	case xast.NodeTypeEquals:
		return "=="
	case xast.NodeTypeNotEquals:
		return "!="
	case xast.NodeTypeIn:
		return "in"
	case xast.NodeTypeIs:
		return "is"
	case xast.NodeTypeIsIn:
		return "is in"
	case xast.NodeTypeHas:
		return "has"
	case xast.NodeTypeLike:
		return "like"
	case xast.NodeTypeAdd:
		return "+"
	case xast.NodeTypeSub:
		return "-"
	case xast.NodeTypeMult:
		return "*"
	case xast.NodeTypeAccess:
		return "."
	case xast.NodeTypeContains:
		return "contains"
	case xast.NodeTypeContainsAll:
		return "containsAll"
	case xast.NodeTypeContainsAny:
		return "containsAny"
	case xast.NodeTypeIsEmpty:
		return "isEmpty"
	case xast.NodeTypeHasTag:
		return "hasTag"
	case xast.NodeTypeGetTag:
		return "getTag"
	case xast.NodeTypeSet:
		if len(n.Elements) == 0 {
			return "empty set"
		}
		return "set"
	case xast.NodeTypeRecord:
		if len(n.Elements) == 0 {
			return "empty record"
		}
		return "record"
	case xast.NodeTypeVariable:
		return string(n.Name)
	case xast.NodeTypeExtensionCall:
		return string(n.Name)
	case xast.NodeValue:
		return literalKind(n.Value)
	}
	panic(fmt.Sprintf("naming a node: %T is one that this program does not know", n))
}

func literalKind(v types.Value) string {
	switch v.(type) {
	case types.Boolean:
		return "boolean"
	case types.Long:
		return "number"
	case types.String:
		return "string"
	case types.EntityUID:
		return "entity"
	}
	panic(fmt.Sprintf("naming a literal: %T is one that this program does not know", v))
}
