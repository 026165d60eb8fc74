package level1

import "testing"

const offices = `
entity Dept in [Dept];
entity User in [Dept] = { "age": Long, "nick"?: String };
entity Bot = { "age": Long };
entity Doc = { "owner": User, "pub": Bool };
entity Film = { "pub": Bool };
action "see", "edit" appliesTo { principal: User, resource: Doc, context: { "hour": Long, "opt"?: Bool } };
action "auto" appliesTo { principal: [User, Bot], resource: [Doc, Film], context: { "hour": Long } };`

// parts are policies, each with a part whose removal changes no decision, and
// whether the schema is why.
var parts = []struct {
	policy, mutant string
	implied        bool
}{
	{`@id("p") permit (principal is User in Dept::"x", action == Action::"auto", resource);`, "p/widen-scope@principal#3", true},
	{`@id("p") permit (principal, action == Action::"auto", resource) when { principal is User in Dept::"x" && context.hour > 3 };`, "p/is-in-half@when[0].left#2", true},
	{`@id("p") permit (principal, action == Action::"edit", resource) when { resource has owner && resource.owner == principal };`, "p/drop-operand@when[0]", true},
	{`@id("p") forbid (principal, action == Action::"edit", resource) when { context has hour } when { context.hour > 20 };`, "p/drop-condition@when[0]", true},
	{`@id("p") permit (principal, action == Action::"see", resource) when { !(resource is Doc && resource.pub) };`, "p/drop-operand@when[0].arg", true},
	{`@id("p") permit (principal, action == Action::"edit", resource) unless { resource is Film } when { resource.pub };`, "p/drop-condition@unless[0]", true},
	{`@id("p") permit (principal, action == Action::"edit", resource) when { (context.hour > 0 || context.hour < 1) && context.hour != 3 };`, "p/drop-operand@when[0]#2", false},
	{`@id("p") permit (principal, action == Action::"edit", resource) when { 1 < 2 && context.hour > 3 };`, "p/drop-operand@when[0]", false},
	{`@id("p") permit (principal, action == Action::"edit", resource) when { context.hour > 5 && context.hour > 3 };`, "p/drop-operand@when[0]#2", false},
	{`@id("p") permit (principal, action == Action::"edit", resource) when { resource.pub || resource is Film };`, "p/drop-operand@when[0]#2", false},
	{`@id("p") forbid (principal, action == Action::"edit", resource) when { context.hour > 8 && context.hour < 8 };`, "p/drop-policy", false},
	{`@id("p") forbid (principal, action == Action::"edit", resource) when { context.hour > 8 && context.hour < 8 };`, "p/drop-condition@when[0]", false},
}

// A part that the schema implies is no dead one, and what is dead for another
// reason is not implied; be the set small or large.
func TestWhatTheSchemaImpliesIsNotDead(t *testing.T) {
	const rest = `@id("all") permit (principal, action, resource) when { context.hour > 12 };`
	for _, set := range []struct {
		name, rest string
		limit      int
	}{{"small", rest, 0}, {"large", rest + `@id("far") permit (principal == Bot::"b", action == Action::"auto", resource is Film) when { resource.pub && principal.age > 3 && context.hour < 7 };`, 40}} {
		for _, row := range parts {
			in := input(t, row.policy+set.rest, offices)
			in.Limit, in.Rule = set.limit, Strict
			result := run1(t, in)
			if result.Complete != (set.limit == 0) {
				t.Fatalf("%s: the set is not %s", row.policy, set.name)
			}
			proof := originals(t, in).implied(verdict(t, result, row.mutant).Mutant)
			if (proof != nil) != row.implied {
				t.Errorf("%s set, %s of %s: implied %v", set.name, row.mutant, row.policy, proof != nil)
			}
			if proof != nil && (proof.Requests == 0 || proof.Domain == "" || proof.Original != proof.Mutant) {
				t.Errorf("%s: %+v", row.mutant, proof)
			}
			for _, d := range result.Dead {
				if d.Mutant == row.mutant && d.Partner == "" && (d.Implied != nil) != row.implied {
					t.Errorf("%s set, %s of %s: told implied %v", set.name, row.mutant, row.policy, d.Implied != nil)
				}
			}
		}
	}
}

// What two types of principals tell apart is not implied.
func TestWhatTheSchemaLeavesOpenIsNotImplied(t *testing.T) {
	in := input(t, `@id("p") permit (principal is User, action == Action::"auto", resource) when { principal has nick };`, offices)
	r, result := originals(t, in), run1(t, in)
	for _, id := range []string{"p/widen-scope@principal", "p/drop-condition@when[0]", "p/widen-scope@action"} {
		if r.implied(verdict(t, result, id).Mutant) != nil {
			t.Errorf("%s is said to be implied", id)
		}
	}
}
