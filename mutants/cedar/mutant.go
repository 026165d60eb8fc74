package cedar

import (
	"strconv"
	"strings"

	"github.com/cedar-policy/cedar-go/types"
	xast "github.com/cedar-policy/cedar-go/x/exp/ast"
)

// Mutant is one policy of a set, changed in one place.
type Mutant struct {
	ID       string // policy, operator and path, and a number where they stand for several
	Policy   int    // index of the policy in its set
	Operator string
	Why      string
	Removes  bool
	At       Path
	By       Node  // what stands at At instead; nil if the operator changed more than an expression
	Tree     *Tree // nil if the policy is gone
	Before   string
	After    string // empty if the policy is gone in its text too
	Digest   string // of the policy's id, Before and After
}

// KeepsScope reports whether a mutant asks the same scope as its policy, so that
// it holds nowhere else.
func (m Mutant) KeepsScope() bool {
	return m.Operator == "fail" || len(m.At) > 0 && (strings.HasPrefix(m.At[0], "when[") || strings.HasPrefix(m.At[0], "unless["))
}

// Set is a policy set and what its mutants are made of.
type Set struct {
	Policies []Policy
	Words    *Words
}

// Left is a kind of place that no operator changes, and in how many places it
// stands.
type Left struct {
	Kind  string `json:"kind"`
	Sites int    `json:"sites"`
}

// Mutants makes all mutants of one policy, in a fixed order, and tells what was
// left alone.
func (s Set) Mutants(policy int) ([]Mutant, []Left) {
	g := &generator{set: s, index: policy, policy: s.Policies[policy], operators: Operators(), left: map[string]int{}, ids: map[string]int{}}
	g.before = Text(g.policy.Tree)
	g.seen = map[string]bool{g.before: true}
	for _, op := range g.operators {
		if op.Whole != nil {
			for _, c := range op.Whole(g.policy.Tree, s.Words) {
				g.add(op, c.At, nil, c)
			}
		}
	}
	for i, c := range g.policy.Tree.Conditions {
		g.condition(i, c)
	}
	t := g.policy.Tree
	for _, scope := range []xast.IsScopeNode{t.Principal, t.Action, t.Resource} {
		if _, open := scope.(xast.ScopeTypeAll); open {
			g.left[openScope]++
		}
	}
	for _, a := range t.Annotations {
		if a.Key != "id" {
			g.left[annotation]++
		}
	}
	return g.out, g.leftAlone()
}

type generator struct {
	set       Set
	index     int
	policy    Policy
	operators []Operator
	before    string
	seen      map[string]bool // by text
	ids       map[string]int
	left      map[string]int
	out       []Mutant
}

func (g *generator) condition(i int, c xast.ConditionType) {
	name := conditionName(g.policy.Tree, i)
	root := strings.TrimRight(name, "[]0123456789")
	var visit func(n Node, at Path, place Place)
	visit = func(n Node, at Path, place Place) {
		place.Words = g.set.Words
		proposed := false
		for _, op := range g.operators {
			if op.Part == nil {
				continue
			}
			for _, by := range op.Part(n, place) {
				t := clone(g.policy.Tree)
				t.Conditions[i].Body = Replace(c.Body, at, by)
				g.add(op, append(Path{name}, at...), by, Change{Tree: t})
				proposed = true
			}
		}
		if !proposed && !place.Literal {
			g.left[Kind(n)]++
		}
		for j, child := range Children(n) {
			if Kind(n) == "set" && j >= LongSet {
				g.left[moreElements]++
				continue
			}
			visit(child.Node, at.To(child.Name), Place{Boolean: asksTruth(n, j), Literal: spelled(n)})
		}
	}
	visit(c.Body, nil, Place{Boolean: true, Root: root})
}

// add keeps a mutant, unless its text is the original's or another mutant's.
func (g *generator) add(op Operator, at Path, by Node, c Change) {
	after := ""
	switch {
	case c.Tree != nil:
		after = Text(c.Tree)
	case c.Lost != nil:
		after = Text(c.Lost)
	}
	if g.seen[after] {
		return
	}
	g.seen[after] = true
	id := g.policy.ID + "/" + op.Name
	if len(at) > 0 {
		id += "@" + at.String()
	}
	g.ids[id]++
	if n := g.ids[id]; n > 1 {
		id += "#" + strconv.Itoa(n)
	}
	g.out = append(g.out, Mutant{
		ID: id, Policy: g.index, Operator: op.Name, Why: op.Why, Removes: op.Removes, At: at, By: by, Tree: c.Tree,
		Before: g.before, After: after, Digest: Digest(g.policy.ID, g.before, after),
	})
}

func (g *generator) leftAlone() []Left {
	var out []Left
	for _, kind := range Kinds() {
		if n := g.left[kind]; n > 0 {
			out = append(out, Left{kind, n})
		}
	}
	return out
}

// asksTruth reports whether the i-th part of a node must be a truth value.
func asksTruth(n Node, i int) bool {
	switch n.(type) {
	case xast.NodeTypeAnd, xast.NodeTypeOr, xast.NodeTypeNot:
		return true
	case xast.NodeTypeIfThenElse:
		return i == 0
	}
	return false
}

// spelled reports whether the parts of a node spell an extension's value.
func spelled(n Node) bool {
	call, ok := n.(xast.NodeTypeExtensionCall)
	return ok && len(Near(call.Name, spelling(call))) > 0
}

// spelling is the text of which an extension's value is made, if it is written
// there.
func spelling(call xast.NodeTypeExtensionCall) string {
	if len(call.Args) != 1 {
		return ""
	}
	v, _ := call.Args[0].(xast.NodeValue)
	s, _ := v.Value.(types.String)
	return string(s)
}

// Both is the policy with the changes of two of its mutants together; false
// if one changes what the other is about.
func (s Set) Both(a, b Mutant) (*Tree, bool) {
	first, okA := place(a)
	second, okB := place(b)
	if a.Policy != b.Policy || !okA || !okB {
		return nil, false
	}
	if first.Within(second) || second.Within(first) {
		return nil, false
	}
	t := clone(s.Policies[a.Policy].Tree)
	for _, m := range []Mutant{a, b} {
		if m.By != nil {
			edit(t, m.At, m.By)
		}
	}
	for _, m := range []Mutant{a, b} {
		scope(t, m)
	}
	for i := len(t.Conditions) - 1; i >= 0; i-- {
		name := conditionName(t, i)
		if a.Operator == "drop-condition" && a.At[0] == name || b.Operator == "drop-condition" && b.At[0] == name {
			t.Conditions = without(t.Conditions, i)
		}
	}
	return t, true
}

// place is where a mutant changes its policy, if that is one part.
func place(m Mutant) (Path, bool) {
	return m.At, m.Tree != nil && len(m.At) > 0 && (m.By != nil || m.Operator == "drop-condition" || m.Operator == "widen-scope")
}

// BothSides is the policy without either operand of the && or || of which a
// mutant drops one, where what is left is what changes nothing, true or false;
// and the policy without the other operand alone.
func (s Set) BothSides(m Mutant) (both, other *Tree, ok bool) {
	if m.Operator != "drop-operand" {
		return nil, nil, false
	}
	original := s.Policies[m.Policy].Tree
	without := func(by Node) *Tree {
		t := clone(original)
		edit(t, m.At, by)
		return t
	}
	dropped, isAnd := operand(original, m)
	return without(truth(isAnd)), without(dropped), true
}

// operand is the side of && or || that a mutant of drop-operand does not ask;
// true if it is one of &&.
func operand(original *Tree, m Mutant) (Node, bool) {
	var sides xast.BinaryNode
	n := find(original, m.At)
	and, isAnd := n.(xast.NodeTypeAnd)
	if sides = and.BinaryNode; !isAnd {
		sides = n.(xast.NodeTypeOr).BinaryNode
	}
	if xast.Equal(xast.NewNode(m.By), xast.NewNode(sides.Right)) {
		return sides.Left, isAnd
	}
	return sides.Right, isAnd
}

func edit(t *Tree, at Path, by Node) {
	for i := range t.Conditions {
		if conditionName(t, i) == at[0] {
			t.Conditions[i].Body = Replace(t.Conditions[i].Body, at[1:], by)
		}
	}
}

func find(t *Tree, at Path) Node {
	for i := range t.Conditions {
		if conditionName(t, i) != at[0] {
			continue
		}
		var found Node
		Walk(t.Conditions[i].Body, Path{at[0]}, func(p Path, n Node) {
			if p.String() == at.String() {
				found = n
			}
		})
		return found
	}
	return nil
}

// scope applies a mutant's change of the scope.
func scope(t *Tree, m Mutant) {
	if m.Operator != "widen-scope" {
		return
	}
	switch m.At[0] {
	case "principal":
		t.Principal = m.Tree.Principal
	case "action":
		t.Action = m.Tree.Action
	case "resource":
		t.Resource = m.Tree.Resource
	}
}
