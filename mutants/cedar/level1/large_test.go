package level1

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"postern/mutants/cedar/domain"
	"postern/mutants/cedar/samples"
)

// A scope that does not hold is one of which cedar-go says that the policy does
// not hold: for every policy and mutant of the samples, at every request.
func TestWhatIsNotAskedDoesNotHold(t *testing.T) {
	all, err := samples.All()
	if err != nil {
		t.Fatal(err)
	}
	out := 0
	for _, s := range all {
		in := input(t, string(s.Policies), string(s.Schema))
		in.Limit = 300
		r := originals(t, in)
		trees := r.compiled
		for _, v := range r.result.Verdicts {
			if v.Tree != nil && !v.KeepsScope() {
				trees = append(trees, compile(v.Tree))
			}
		}
		for _, a := range trees {
			for i := range r.points {
				p := &r.points[i]
				if p.inScope(a.tree) {
					continue
				}
				out++
				if p.authorize(a) != not {
					t.Fatalf("%s: a policy holds at request %d, whose scope was said not to", s.Name, i)
				}
			}
		}
		for i := range r.points {
			for k := range r.compiled {
				if got := r.points[i].authorize(r.compiled[k]); got != r.origin(k, i) {
					t.Fatalf("%s: policy %d comes to %d at request %d, not %d", s.Name, k, got, i, r.origin(k, i))
				}
			}
		}
	}
	if out < 10_000 {
		t.Errorf("only %d scopes did not hold", out)
	}
}

// department is a policy set as large as asked: each permits something of its
// own, some forbid it, one policy is there twice, and one forbid is never met.
func department(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `@id("p%d") permit (principal in Group::"g%d", action, resource) when { context.n > %d && context.s == "s%d" };`+"\n", i, i, 7*i, i)
		if i%10 == 0 {
			fmt.Fprintf(&b, `@id("f%d") forbid (principal in Group::"g%d", action, resource) when { context.labels.contains("stop%d") && context.n < %d };`+"\n", i, i, i, 7*i+100)
		}
	}
	b.WriteString(`@id("again") permit (principal in Group::"g3", action, resource) when { context.n > 21 && context.s == "s3" };` + "\n")
	b.WriteString(`@id("never") forbid (principal, action, resource) when { context.n > 5 && context.n < 6 };` + "\n")
	return b.String()
}

// A large set is compared as a small one is: what decides is seen to, what is
// there twice is redundant, and what never holds is dead.
func TestALargeSet(t *testing.T) {
	in := input(t, department(60), world)
	result := run1(t, in)
	if result.Complete {
		t.Fatal("the set is not large")
	}
	for id, want := range map[string]Status{
		"p7/drop-policy":             Killed,
		"p7/drop-operand@when[0]":    Killed,
		"p7/widen-scope@principal":   Killed,
		"f10/drop-policy":            Killed, // where a permit holds, which reads something else
		"f10/drop-operand@when[0]#2": Killed,
		"p3/drop-policy":             KilledByOther,
		"never/drop-policy":          KilledByOther, // the schema refuses a number that is none, at which it fails
		"never/and-or@when[0]":       Killed,
	} {
		v := verdict(t, result, id)
		if v.Status != want || (v.Witness != nil) != (v.Differs != "") || (v.Proof != nil) != (want == Equivalent) {
			t.Errorf("%s: %s, differs in %q", id, v.Status, v.Differs)
		}
	}
	open := 0
	for _, v := range result.Verdicts {
		if v.Status == Inconclusive {
			open++
		}
	}
	if open > len(result.Verdicts)/20 {
		t.Errorf("%d of %d mutants are inconclusive", open, len(result.Verdicts))
	}
	dead := map[string]string{}
	for _, d := range result.Dead {
		dead[d.Mutant] = d.Partner
	}
	if partner, told := dead["never/drop-policy"]; !told || partner != "" {
		t.Errorf("what never holds: told %v, partner %q", told, partner)
	}
	if partner := dead["p3/drop-policy"]; partner != "again/drop-policy" {
		t.Errorf("what is there twice: partner %q", partner)
	}
	for id, partner := range dead {
		if partner == "" && !strings.HasPrefix(id, "never/") {
			t.Errorf("dead: %s", id)
		}
	}
}

// With requests of the user's own, a witness that was searched for is nearest
// to one of these.
func TestALargeSetWithTheUsersRequests(t *testing.T) {
	in := input(t, department(60), world)
	w := verdict(t, run1(t, in), "p7/flip-effect").Witness
	in.Cases = []Case{{Request: w.Request, Own: w.Own, Decision: "allow"}}
	result := run1(t, in)
	if v := verdict(t, result, "p7/drop-policy"); v.Status != Killed || v.Witness.Case != 1 {
		t.Errorf("%s", v.Status)
	}
	for _, id := range []string{"p8/drop-policy", "f10/drop-policy"} {
		v := verdict(t, result, id)
		if v.Status != Survived || v.Witness.Case != 1 || v.Witness.Distance == 0 {
			t.Errorf("%s: %s, %+v", id, v.Status, v.Witness)
		}
	}
}

func TestALargeSetIsToldOfAndCanBeStopped(t *testing.T) {
	in := input(t, department(60), world)
	in.Limit = 500
	told := map[string]bool{}
	in.Tell = func(what string, done, total int) {
		if done > total {
			t.Errorf("%s: %d of %d", what, done, total)
		}
		told[what] = true
	}
	run1(t, in)
	if len(told) < 4 {
		t.Errorf("told of %v", told)
	}
	ctx, stop := context.WithCancel(t.Context())
	in.Tell = func(what string, _, _ int) {
		if what == "compared mutants" {
			stop()
		}
	}
	if _, err := Run(ctx, in); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
}

// An action that is asked for with == or in is the same where nothing is in it,
// however much else there is.
func TestScopesOfActionsAreComparedByTheSchema(t *testing.T) {
	in := input(t, department(60)+`@id("wide") permit (principal, action == Action::"go", resource) when { `+strings.Repeat(`context.n + 1 > 3 && context.s == "z" && context.labels.contains("q") || `, 4)+` context.n == 9 };`, world)
	in.Limit = 700
	v := verdict(t, run1(t, in), "wide/scope-in@action")
	if v.Status != Equivalent || v.Proof == nil || v.Proof.Original != v.Proof.Mutant || v.Proof.Generator != domain.Version {
		t.Errorf("%s, %+v", v.Status, v.Proof)
	}
}
