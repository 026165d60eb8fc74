package cedar

import (
	"slices"
	"testing"

	xast "github.com/cedar-policy/cedar-go/x/exp/ast"
)

// What is printed of a mutant parses to the mutant: for every mutant of every
// policy that is itself printed so.
func FuzzPrintedMutantsParse(f *testing.F) {
	f.Add(everything)
	for _, row := range rows {
		f.Add(row.source)
	}
	f.Add(head + `when { 0 .a && (-1).contains(0) && (0 - 0).isEmpty() };`)
	f.Add(head + `when { (0).isEmpty() || (0).isIpv4() || (0).hasTag("a") || [1].containsAll(-1) || (0).isInRange(-1) };`)
	f.Add(head + `when { "\u{0}*" like "\*a**" && {"k y": [-9223372036854775808]}["k y"] has "x y" };`)
	f.Fuzz(func(t *testing.T, source string) {
		if len(source) > 3*len(everything)/2 {
			return // a policy of n nodes has some n mutants of n nodes each
		}
		policies, err := Parse("fuzz.cedar", []byte(source))
		if err != nil {
			return
		}
		if slices.ContainsFunc(policies, func(p Policy) bool { return Depth(p.Tree) > 60 }) {
			return
		}
		s := Set{Policies: policies, Words: Gather(policies, nil)}
		for i, p := range policies {
			if !same(p.Tree, Text(p.Tree)) {
				continue // cedar-go prints the original otherwise
			}
			mutants, _ := s.Mutants(i)
			for _, m := range mutants {
				if m.Tree != nil && !same(m.Tree, m.After) {
					t.Fatalf("%s is not what is printed:\n%s", m.ID, m.After)
				}
			}
		}
	})
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
