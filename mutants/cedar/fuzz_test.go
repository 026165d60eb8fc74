package cedar

import (
	"slices"
	"testing"

	xast "github.com/cedar-policy/cedar-go/x/exp/ast"
)

// longest is how many bytes a policy may have that is fuzzed: one of n nodes has
// some n mutants of n nodes each, and the fuzzer makes each that is new to it
// smaller, for up to a minute, before it goes on.
const longest = 400

// What is printed of a mutant parses to the mutant: for every mutant of every
// policy that is itself printed so.
func FuzzPrintedMutantsParse(f *testing.F) {
	seeds := []string{
		head + `when { 0 .a && (-1).contains(0) && (0 - 0).isEmpty() };`,
		head + `when { (0).isEmpty() || (0).isIpv4() || (0).hasTag("a") || [1].containsAll(-1) || (0).isInRange(-1) };`,
		head + `when { "\u{0}*" like "\*a**" && {"k y": [-9223372036854775808]}["k y"] has "x y" };`,
	}
	for _, row := range rows {
		seeds = append(seeds, row.source)
	}
	sample := *set(f, everything).Policies[0].Tree
	for _, operand := range operands(sample.Conditions[0].Body) {
		sample.Conditions = []xast.ConditionType{{Condition: xast.ConditionWhen, Body: operand}}
		seeds = append(seeds, Text(&sample))
	}
	for _, seed := range seeds {
		if len(seed) > longest {
			f.Fatalf("a seed of %d bytes, which is not looked at", len(seed))
		}
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, source string) {
		if len(source) <= longest {
			parsesAsPrinted(t, source)
		}
	})
}

func TestEveryMutantOfTheSampleParsesAsPrinted(t *testing.T) {
	if n := parsesAsPrinted(t, everything); n < 200 {
		t.Errorf("%d mutants were looked at", n)
	}
}

// operands are what a conjunction joins.
func operands(n Node) []Node {
	if and, ok := n.(xast.NodeTypeAnd); ok {
		return append(operands(and.Left), operands(and.Right)...)
	}
	return []Node{n}
}

// parsesAsPrinted looks at all mutants of a text that parses, and counts them.
func parsesAsPrinted(t *testing.T, source string) int {
	policies, err := Parse("fuzz.cedar", []byte(source))
	if err != nil || slices.ContainsFunc(policies, func(p Policy) bool { return Depth(p.Tree) > 60 }) {
		return 0
	}
	n := 0
	s := Set{Policies: policies, Words: Gather(policies, nil)}
	for i, p := range policies {
		if !same(p.Tree, Text(p.Tree)) {
			continue // cedar-go prints the original otherwise
		}
		mutants, _ := s.Mutants(i)
		for _, m := range mutants {
			if n++; m.Tree != nil && !same(m.Tree, m.After) {
				t.Fatalf("%s is not what is printed:\n%s", m.ID, m.After)
			}
		}
	}
	return n
}

// same reports whether a text parses to a tree.
func same(tree *Tree, text string) bool {
	parsed, err := Parse("", []byte(text))
	if err != nil || len(parsed) != 1 {
		return false
	}
	p := parsed[0].Tree
	return p.Effect == tree.Effect && slices.Equal(p.Annotations, tree.Annotations) &&
		sameScope(p.Principal, tree.Principal) && sameScope(p.Action, tree.Action) && sameScope(p.Resource, tree.Resource) &&
		slices.EqualFunc(p.Conditions, tree.Conditions, func(a, b xast.ConditionType) bool {
			return a.Condition == b.Condition && xast.Equal(xast.NewNode(a.Body), xast.NewNode(b.Body))
		})
}

func sameScope(a, b xast.IsScopeNode) bool {
	first, ok := a.(xast.ScopeTypeInSet)
	second, too := b.(xast.ScopeTypeInSet)
	if ok && too {
		return slices.Equal(first.Entities, second.Entities)
	}
	return !ok && !too && a == b
}
