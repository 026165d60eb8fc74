package level1

import (
	"slices"
	"testing"

	"postern/mutants/cedar"
	"postern/mutants/cedar/samples"
)

// Where a policy's mutant comes to something else, the part that was taken out
// does too, and nothing around it says that this does not matter; and a policy
// holds wherever an alternative of it does: for every mutant of the samples, at
// every request.
func TestWhatIsIsolatedTellsWhereAMutantDiffers(t *testing.T) {
	all, err := samples.All()
	if err != nil {
		t.Fatal(err)
	}
	differed, settled := 0, 0
	for _, s := range all {
		in := input(t, string(s.Policies), string(s.Schema))
		in.Limit = 200
		r := originals(t, in)
		for _, v := range r.result.Verdicts {
			if v.Status == Stillborn || v.Tree == nil || v.Tree.Effect != r.Policies[v.Policy].Tree.Effect {
				continue
			}
			c := &comparison{run: r, v: &v, ask: asker(v.Mutant)}
			p := c.pursuit()
			around := p.around(false)
			for i := range r.points {
				at := &r.points[i]
				if !at.valid {
					continue
				}
				before, after := p.before(at), p.after(at)
				settles := slices.ContainsFunc(around, func(c condition) bool { return c.settles(at, before, after) })
				if before != after && settles {
					settled++
				}
				if c.ask(at) == r.origin(v.Policy, i) {
					continue
				}
				if differed++; before == after || settles {
					t.Fatalf("%s: %s differs at request %d, and what was taken out of it does not", s.Name, v.ID, i)
				}
			}
		}
		for k, policy := range r.Policies {
			for _, a := range cedar.Alternatives(policy.Tree) {
				for i := range r.points {
					if at := &r.points[i]; at.valid && compile(a).ask(at) == holds && r.origin(k, i) != holds {
						t.Fatalf("%s: policy %d does not hold at request %d, where an alternative does", s.Name, k, i)
					}
				}
			}
		}
	}
	if differed < 5_000 || settled < 5_000 {
		t.Errorf("%d differences, and %d that do not matter", differed, settled)
	}
}

// A mutant of a large set is shown to change nothing by what is around it, or by
// what forbids; and one that changes something is not.
func TestMutantsOfALargeSetArePursued(t *testing.T) {
	in := input(t, department(40)+`
@id("masked") permit (principal in Group::"g5", action, resource) when { context.n > 50 && context.labels.contains("x") && context.s != "u" };
@id("no-x") forbid (principal, action, resource) when { context.s == "never" || context.labels.contains("x") };
@id("twice") permit (principal in Group::"g6", action, resource) when { context.n > 50 && context.n > 30 && context.labels.contains("y") && context.s like "w*" };
@id("seldom") forbid (principal, action, resource) when { context.s == "s9" && context.n < 70 && context.labels.contains("z") };
@id("one-action") permit (principal in Group::"g1", action == Action::"go", resource) when { context.s == "v" };
@id("typed") permit (principal is User, action, resource) when { context.s == "t" && context.n > 9 && principal in Group::"g2" && context.labels.contains("t") };`, world)
	result := run1(t, in)
	if result.Complete {
		t.Fatal("the set is not large")
	}
	for id, want := range map[string]Status{
		"masked/string@when[0].right.right":      Equivalent,
		"masked/flip-effect":                     KilledByOther,
		"twice/drop-operand@when[0].left.left#2": Equivalent,
		"twice/drop-operand@when[0].left.left":   Killed,
		"seldom/drop-policy":                     Killed, // of all that permits, one policy permits what it forbids
		"one-action/scope-in@action":             Equivalent,
		"typed/widen-scope@principal":            Equivalent, // nobody else can be in the group
		"one-action/widen-scope@action":          Killed,     // by an action that no schema knows
	} {
		v := verdict(t, result, id)
		if v.Status != want {
			t.Errorf("%s: %s, differs in %q", id, v.Status, v.Differs)
		}
		if (v.Proof != nil) != (want == Equivalent) || v.Proof != nil && (v.Proof.Original != v.Proof.Mutant || v.Proof.Requests == 0) {
			t.Errorf("%s: %+v", id, v.Proof)
		}
	}
	if proof := verdict(t, result, "masked/string@when[0].right.right").Proof; proof == nil || !slices.Equal(proof.Beside, []string{"no-x"}) {
		t.Errorf("what forbids instead: %+v", proof)
	}
	for _, v := range result.Verdicts {
		if v.Status == Inconclusive {
			t.Errorf("%s is inconclusive", v.ID)
		}
	}
}
