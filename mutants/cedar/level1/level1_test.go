package level1

import (
	"reflect"
	"slices"
	"testing"

	cedargo "github.com/cedar-policy/cedar-go"
	"github.com/cedar-policy/cedar-go/x/exp/schema"
	"github.com/cedar-policy/cedar-go/x/exp/schema/validate"

	reference "postern/fixtures/policy"
	"postern/mutants/cedar"
	"postern/mutants/cedar/load"
)

func input(t testing.TB, policies, schemaText string) Input {
	t.Helper()
	var s schema.Schema
	if err := s.UnmarshalCedar([]byte(schemaText)); err != nil {
		t.Fatal(err)
	}
	resolved, err := s.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	list, err := load.Parse("test.cedar", []byte(policies))
	if err != nil {
		t.Fatal(err)
	}
	return Input{Policies: list, Schema: resolved}
}

func run1(t testing.TB, in Input) *Result {
	t.Helper()
	result, err := Run(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

func verdict(t testing.TB, r *Result, id string) Verdict {
	t.Helper()
	for _, v := range r.Verdicts {
		if v.ID == id {
			return v
		}
	}
	t.Fatalf("there is no mutant %s", id)
	return Verdict{}
}

const permitAll = `@id("all") permit (principal, action, resource); `

func TestStatuses(t *testing.T) {
	for _, c := range []struct {
		name, policies, mutant string
		want                   Status
		differs                string
	}{
		{"a decision changes", `@id("p") permit (principal, action, resource) when { context.n > 1 };`, "p/drop-condition@when[0]", Killed, "decision"},
		{"only who permits changes", permitAll + `@id("p") permit (principal, action, resource) when { context.n > 1 };`, "p/drop-condition@when[0]", KilledByOther, "reasons"},
		{"only who fails changes", permitAll + `@id("p") permit (principal, action, resource) when { context.n + 1 > context.n };`, "p/flip-effect", Killed, "decision"},
		{"nothing changes", `@id("p") permit (principal in Group::"g", action == Action::"go", resource);`, "p/scope-in@action", Equivalent, ""},
		{"the schema refuses it", `@id("p") permit (principal, action, resource) when { context has opt && context.opt };`, "p/drop-operand@when[0]", Stillborn, "errors"},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := verdict(t, run1(t, input(t, c.policies, world)), c.mutant)
			if v.Status != c.want || v.Differs != c.differs {
				t.Errorf("%s, differs in %q", v.Status, v.Differs)
			}
			if (v.Proof != nil) != (c.want == Equivalent) || (v.Witness != nil) != (c.differs != "") {
				t.Error("a proof or a witness is missing, or there is one too many")
			}
		})
	}
}

func TestAStillbornMutantRunsWithoutValidationToo(t *testing.T) {
	in := input(t, `@id("p") permit (principal, action, resource) when { context has opt && context.opt };`, world)
	in.Rule = Strict
	v := verdict(t, run1(t, in), "p/missing-attribute@when[0].right")
	if v.Status != Stillborn || v.Unvalidated != Killed {
		t.Errorf("%s, without validation %s", v.Status, v.Unvalidated)
	}
}

// Cedar skips a forbid that fails. Both ways to see to that are controls, and
// each has a mutant that opens an allow.
func TestAForbidThatFailsIsSeenByTwoMutants(t *testing.T) {
	in := input(t, permitAll+`@id("limit") forbid (principal, action, resource) when { context.n + 1 > 0 };`, world)
	if v := verdict(t, run1(t, in), "limit/fail"); v.Status != Killed || v.Witness.Allows {
		t.Errorf("Cedar's rule: a forbid that fails is %s", v.Status)
	}
	in.Rule = Strict
	result := run1(t, in)
	for _, d := range result.Deciders {
		if d.Status != Killed || d.Witness == nil || d.Witness.Allows {
			t.Errorf("%s: %s", d.ID, d.Status)
		}
	}
	if len(result.Deciders) != 2 {
		t.Errorf("%d deciders", len(result.Deciders))
	}
}

// On the reference no valid request makes a policy fail: each of the two
// checks alone leaves what the other denies.
func TestTheReferencesChecksOfErrorsAreRedundantWithValidation(t *testing.T) {
	source := reference.Reference().Policy
	in := input(t, string(source.Policies), string(source.Schema))
	in.Rule = Strict
	result := run1(t, in)
	ignored, off := result.Deciders[0], result.Deciders[1]
	if ignored.Status != Equivalent || ignored.Partner != off.ID || off.Status != Killed {
		t.Errorf("errors ignored: %s with %q; validation off: %s", ignored.Status, ignored.Partner, off.Status)
	}
}

// Every policy and every condition of the reference decides something.
func TestTheReferenceHasNoDeadPolicy(t *testing.T) {
	source := reference.Reference().Policy
	result := run1(t, input(t, string(source.Policies), string(source.Schema)))
	if len(result.Dead) > 0 || !result.Complete {
		t.Errorf("dead: %v, complete: %v", result.Dead, result.Complete)
	}
	for _, v := range result.Verdicts {
		equivalent := v.ID == "permit-approved-tools/scope-in@principal" || v.ID == "permit-approved-tools/scope-in@action"
		if v.Status != Stillborn && (v.Status == Equivalent) != equivalent || v.Status != Stillborn && !equivalent && v.Status != Killed {
			t.Errorf("%s: %s", v.ID, v.Status)
		}
	}
}

func TestDeadAndRedundantParts(t *testing.T) {
	for _, c := range []struct {
		name, policies string
		want           []Dead
	}{
		{"all is needed", `@id("p") permit (principal, action, resource) when { context.n > 1 };`, nil},
		{"a part without which the schema refuses the rest", `@id("p") permit (principal, action, resource) when { context has opt && context.opt };`, nil},
		{"a forbid that never holds", permitAll + `@id("dead") forbid (principal, action, resource) when { context.n > 1 && context.n < 2 };`,
			[]Dead{{Mutant: "dead/drop-policy"}}},
		{"a forbid of what nobody permits", `@id("p") permit (principal, action, resource) when { context.n > 1 }; @id("f") forbid (principal, action, resource) when { context.n < 1 };`,
			[]Dead{{Mutant: "f/drop-policy", Partner: "p/drop-condition@when[0]"}}},
		{"two that say the same", `@id("p") permit (principal, action, resource) when { context.n > 1 }; @id("q") permit (principal, action, resource) when { context.n > 1 };`,
			[]Dead{{Mutant: "p/drop-policy", Partner: "q/drop-policy"}, {Mutant: "q/drop-policy", Partner: "p/drop-policy"}}},
		{"a condition that always holds", `@id("p") permit (principal, action, resource) when { context.n > 1 } when { context.n > 0 || context.n < 1 };`,
			[]Dead{{Mutant: "p/drop-condition@when[1]"}}},
		{"a condition that another implies", `@id("p") permit (principal, action, resource) when { context.n > 1 } when { context.n > 0 };`,
			[]Dead{{Mutant: "p/drop-condition@when[1]", Partner: "p/drop-condition@when[0]"}}},
		{"one operand twice", `@id("p") permit (principal, action, resource) when { context.s == "a" && context.s == "a" };`,
			[]Dead{{Mutant: "p/drop-operand@when[0]", Partner: OtherSide}}},
		{"an operand that another policy stands in for", `@id("p") permit (principal, action, resource) when { context.n > 0 && context.n != 1 }; @id("f") forbid (principal, action, resource) when { context.n == 1 };`,
			[]Dead{{Mutant: "p/drop-operand@when[0]#2", Partner: "f/drop-policy"}, {Mutant: "f/drop-policy", Partner: "p/drop-condition@when[0]"}}},
		{"a type that nobody else can have", `@id("p") permit (principal is User, action, resource) when { resource.owner == principal };`,
			[]Dead{{Mutant: "p/widen-scope@principal", Partner: "p/drop-condition@when[0]"}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := run1(t, input(t, c.policies, world)).Dead
			if !slices.Equal(got, c.want) {
				t.Errorf("%v", got)
			}
		})
	}
}

func TestTheUsersRequestsKill(t *testing.T) {
	in := input(t, `@id("p") permit (principal, action, resource) when { context.n > 1 };`, world)
	all := run1(t, in)
	low := verdict(t, all, "p/drop-condition@when[0]").Witness
	in.Cases = []Case{{Request: low.Request, Own: low.Own, Decision: "deny"}}
	result := run1(t, in)
	if v := verdict(t, result, "p/drop-condition@when[0]"); v.Status != Killed || v.Witness.Case != 1 {
		t.Errorf("%s, case %d", v.Status, v.Witness.Case)
	}
	v := verdict(t, result, "p/flip-effect")
	if v.Status != Survived || v.Witness == nil || v.Witness.Case != 1 || v.Witness.Distance != 1 || !v.Witness.Allows {
		t.Fatalf("%s, %+v", v.Status, v.Witness)
	}
	in.Cases = append(in.Cases, Case{Request: v.Witness.Request, Own: v.Witness.Own, Decision: "allow"})
	if v := verdict(t, run1(t, in), "p/flip-effect"); v.Status != Killed {
		t.Errorf("with its witness as a request of the user's: %s", v.Status)
	}
	in.Cases[1].Decision = "deny"
	if r := run1(t, in); !slices.Equal(r.Disagreed, []int{2}) {
		t.Errorf("disagreed: %v", r.Disagreed)
	}
}

func TestAShardOrAChangeLeavesTheRestOut(t *testing.T) {
	in := input(t, permitAll+`@id("p") forbid (principal, action, resource) when { context.n > 1 };`, world)
	in.Select = func(i int) bool { return i%2 == 0 }
	in.Only = func(policy int) bool { return policy == 1 }
	for i, v := range run1(t, in).Verdicts {
		if out := i%2 != 0 || v.Policy != 1; out != (v.Status == NotApplicable) {
			t.Errorf("%s: %s", v.ID, v.Status)
		}
	}
}

// What is called equivalent, or killed, where not all is asked is so where all
// is asked.
func TestADomainThatIsNotCompleteClaimsNothingThatIsNotSo(t *testing.T) {
	in := input(t, permitAll+`
@id("p") permit (principal, action, resource) when { context.n > 1 && context.n > 0 && context.s == "a" && context.labels.contains("b") };
@id("q") permit (principal in Group::"g", action, resource) when { context.n < 7 || context.s == "c" } unless { context.labels.isEmpty() };
@id("f") forbid (principal, action, resource) when { if context has opt then context.opt else context.n == 5 };
@id("sum") permit (principal is User, action, resource) when { context.n + 1 > 3 && context.s like "b*" };`, world)
	whole := run1(t, in)
	in.Limit = 40
	result := run1(t, in)
	if result.Complete || !whole.Complete {
		t.Fatal("the one is complete, or the other is not")
	}
	shown := 0
	for i, v := range result.Verdicts {
		want := whole.Verdicts[i].Status
		if (v.Status == Equivalent || v.Status == Killed) && v.Status != want {
			t.Errorf("%s is called %s, and is %s", v.ID, v.Status, want)
		}
		if v.Status == want {
			shown++
		}
	}
	if shown < len(result.Verdicts)*9/10 {
		t.Errorf("%d of %d are as they are where all is asked", shown, len(result.Verdicts))
	}
}

// originals is a run whose original policies were evaluated.
func originals(t *testing.T, in Input) *run {
	t.Helper()
	in.Workers = 2
	r := &run{Input: in, validator: validate.New(in.Schema)}
	sources, err := r.make(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := r.derive(t.Context(), sources); err != nil {
		t.Fatal(err)
	}
	if err := r.originals(t.Context()); err != nil {
		t.Fatal(err)
	}
	return r
}

// What the votes come to is what cedar-go comes to, at every request, for the
// originals and for every mutant.
func TestVotesAreAuthorize(t *testing.T) {
	source := reference.Reference().Policy
	in := input(t, string(source.Policies)+`@id("over") forbid (principal, action, resource) when { context.sensitivity + 1 > 4 };`, string(source.Schema))
	in.Rule = Cedar
	r := originals(t, in)
	compared := 0
	for _, v := range r.result.Verdicts {
		ask := asker(v.Mutant)
		set := cedargo.NewPolicySet()
		for i, p := range in.Policies {
			if i != v.Policy {
				set.Add(cedargo.PolicyID(p.ID), cedar.Compile(p.Tree))
			} else if v.Tree != nil {
				set.Add(cedargo.PolicyID(p.ID), cedar.Compile(v.Tree))
			}
		}
		for i, p := range r.points {
			decision, diagnostic := cedargo.Authorize(set, p.entities, p.request)
			votes := r.swing(r.votes(i), v.Mutant, i, ask(&r.points[i]))
			if bool(decision) != r.Rule.allows(votes, p.valid) || len(diagnostic.Errors) != int(votes.failures) {
				t.Fatalf("%s at request %d: cedar-go decides %v", v.ID, i, decision)
			}
			if n := r.Rule.named(votes, p.valid); len(diagnostic.Reasons) != int(map[named]int32{permitting: votes.permits, forbidding: votes.forbids}[n]) {
				t.Fatalf("%s at request %d: %d reasons", v.ID, i, len(diagnostic.Reasons))
			}
			compared++
		}
	}
	if compared < 10_000 {
		t.Errorf("%d comparisons", compared)
	}
}

func TestAnEquivalentMutantsOutcomesAreTheOriginals(t *testing.T) {
	source := reference.Reference().Policy
	result := run1(t, input(t, string(source.Policies), string(source.Schema)))
	again := run1(t, input(t, string(source.Policies), string(source.Schema)))
	for i, v := range result.Verdicts {
		if v.Proof == nil {
			continue
		}
		if v.Proof.Original != v.Proof.Mutant || !reflect.DeepEqual(v.Proof, again.Verdicts[i].Proof) || v.Proof.Requests != result.Requests {
			t.Errorf("%s: %+v", v.ID, v.Proof)
		}
	}
}
