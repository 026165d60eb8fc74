package cedar

import (
	"github.com/cedar-policy/cedar-go/types"
	xast "github.com/cedar-policy/cedar-go/x/exp/ast"
)

// Isolated is where a mutant differs from its policy, without what stands
// around it: policies of the smallest truth value that is changed, and what must
// be so around it for the policy to come to something else.
type Isolated struct {
	Before, After *Tree // After is nil if the policy is gone
	Around        []Term
}

// Term is a policy that must hold, or must not. Nothing is as wanted where it
// comes to the opposite; where it fails, that is not said.
type Term struct {
	Tree  *Tree
	Holds bool
	First bool // it is asked before what is changed, which may then not be asked at all
}

// Isolate takes a mutant of a policy apart. What is changed as a whole stands
// for itself, with nothing around it.
func (m Mutant) Isolate(p *Tree) Isolated {
	whole := Isolated{Before: p, After: m.Tree}
	if m.Tree == nil || len(m.At) == 0 || m.Tree.Effect != p.Effect {
		return whole
	}
	switch m.At[0] {
	case "principal":
		return Isolated{
			asking(Tree{Principal: p.Principal}), asking(Tree{Principal: m.Tree.Principal}),
			around(p, Tree{Action: p.Action, Resource: p.Resource}, -1),
		}
	case "action":
		return Isolated{
			asking(Tree{Action: p.Action}), asking(Tree{Action: m.Tree.Action}),
			around(p, Tree{Principal: p.Principal, Resource: p.Resource}, -1),
		}
	case "resource":
		return Isolated{
			asking(Tree{Resource: p.Resource}), asking(Tree{Resource: m.Tree.Resource}),
			around(p, Tree{Principal: p.Principal, Action: p.Action}, -1),
		}
	}
	for i := range p.Conditions {
		if conditionName(p, i) == m.At[0] {
			return m.isolateCondition(p, i)
		}
	}
	return whole
}

func (m Mutant) isolateCondition(p *Tree, i int) Isolated {
	out := Isolated{
		Before: asking(Tree{}, p.Conditions[i]), After: asking(Tree{}),
		Around: around(p, Tree{Principal: p.Principal, Action: p.Action, Resource: p.Resource}, i),
	}
	switch {
	case m.By != nil:
		before, after, sides := descend(p.Conditions[i].Body, m.Tree.Conditions[i].Body, m.At[1:])
		out.Before, out.After = asking(Tree{}, when(before)), asking(Tree{}, when(after))
		out.Around = append(out.Around, sides...)
	case len(m.Tree.Conditions) == len(p.Conditions):
		out.After = asking(Tree{}, m.Tree.Conditions[i])
	}
	return out
}

// Clause is what a mutant asks no longer, as a policy, and what of it the mutant
// still asks; false if it is none that must hold for something else to, or asks
// for nothing of which a schema says anything.
func (m Mutant) Clause(p *Tree) (asked, left *Tree, ok bool) {
	switch m.Operator {
	case "widen-scope", "is-in-half", "drop-condition":
		part := m.Isolate(p)
		return part.Before, part.After, m.Operator == "widen-scope" || asksShape(part.Before)
	case "drop-operand":
		dropped, isAnd := operand(p, m)
		asked = asking(Tree{}, when(dropped))
		return asked, asking(Tree{}), isAnd && asksShape(asked)
	}
	return nil, nil, false
}

// asksShape reports whether a condition asks for what a schema lays down: types,
// groups, attributes and tags that are there, and single entities.
func asksShape(t *Tree) bool {
	asks := false
	for _, c := range t.Conditions {
		Walk(c.Body, nil, func(_ Path, n Node) {
			switch n := n.(type) {
			case xast.NodeTypeHas, xast.NodeTypeHasTag, xast.NodeTypeIs, xast.NodeTypeIsIn, xast.NodeTypeIn:
				asks = true
			case xast.NodeValue:
				_, entity := n.Value.(types.EntityUID)
				asks = asks || entity
			}
		})
	}
	return asks
}

// descend goes down to the smallest truth value that is changed, and lists what
// must be so beside the way.
func descend(before, after Node, at Path) (Node, Node, []Term) {
	var beside []Term
	add := func(n Node, holds, first bool) {
		beside = append(beside, Term{asking(Tree{}, when(n)), holds, first})
	}
	for len(at) > 0 {
		place := -1
		parts := Children(before)
		for i, c := range parts {
			if c.Name == at[0] {
				place = i
			}
		}
		switch n := before.(type) {
		case xast.NodeTypeAnd:
			add(parts[1-place].Node, true, place == 1)
		case xast.NodeTypeOr:
			add(parts[1-place].Node, false, place == 1)
		case xast.NodeTypeNot:
		case xast.NodeTypeIfThenElse:
			if at[0] == "if" {
				add(xast.NodeTypeEquals{BinaryNode: xast.BinaryNode{Left: n.Then, Right: n.Else}}, false, false)
			} else {
				add(n.If, at[0] == "then", true)
			}
		default:
			return before, after, beside
		}
		before, after, at = parts[place].Node, Children(after)[place].Node, at[1:]
	}
	return before, after, beside
}

func when(n Node) xast.ConditionType {
	return xast.ConditionType{Condition: xast.ConditionWhen, Body: n}
}

// around lists what must hold beside one condition: a scope, and the others.
func around(p *Tree, scope Tree, but int) []Term {
	out := []Term{{asking(scope), true, true}}
	for i, c := range p.Conditions {
		if i != but {
			out = append(out, Term{asking(Tree{}, c), true, i < but})
		}
	}
	return out
}

// asking is a policy of some parts of a scope and some conditions.
func asking(scope Tree, conditions ...xast.ConditionType) *Tree {
	t := Tree{Effect: xast.EffectPermit, Principal: scope.Principal, Action: scope.Action, Resource: scope.Resource, Conditions: conditions}
	if t.Principal == nil {
		t.Principal = xast.ScopeTypeAll{}
	}
	if t.Action == nil {
		t.Action = xast.ScopeTypeAll{}
	}
	if t.Resource == nil {
		t.Resource = xast.ScopeTypeAll{}
	}
	return &t
}

// MayFail reports whether a policy that the schema accepts can fail: where it
// calculates, a result may not fit.
func MayFail(t *Tree) bool {
	fails := false
	for _, c := range t.Conditions {
		Walk(c.Body, nil, func(_ Path, n Node) {
			switch n := n.(type) {
			case xast.NodeTypeAdd, xast.NodeTypeSub, xast.NodeTypeMult, xast.NodeTypeNegate:
				fails = true
			case xast.NodeTypeExtensionCall:
				fails = fails || n.Name == "offset" || n.Name == "durationSince"
			}
		})
	}
	return fails
}

// Alternatives lists policies that each hold only where a policy does: with one
// side of an || of its last condition, and the policy itself. Of one that may
// fail there is nothing but itself.
func Alternatives(t *Tree) []*Tree {
	out := []*Tree{t}
	n := len(t.Conditions) - 1
	if n < 0 || MayFail(t) || t.Conditions[n].Condition != xast.ConditionWhen {
		return out
	}
	var sides func(n Node) []Node
	sides = func(n Node) []Node {
		if or, ok := n.(xast.NodeTypeOr); ok {
			return append(sides(or.Left), sides(or.Right)...)
		}
		return []Node{n}
	}
	if list := sides(t.Conditions[n].Body); len(list) > 1 {
		for _, side := range list {
			c := clone(t)
			c.Conditions[n].Body = side
			out = append(out, c)
		}
	}
	return out
}
