package level1

import (
	"testing"

	"postern/mutants/cedar/domain"
)

// world is the schema of the adequacy rows.
const world = `
entity Org;
entity Team in [Org];
entity Group;
entity User in [Group, Team];
entity Doc = { "owner": User, "readers": Group };
action "go" appliesTo {
  principal: User, resource: Doc,
  context: { "n": Long, "s": String, "labels": Set<String>, "opt"?: Bool, "ip": ipaddr }
};`

// pairs is world with an action whose context has what can be compared with
// each other.
const pairs = world + `
action "pair" appliesTo {
  principal: User, resource: Doc,
  context: {
    "s": String, "t": String, "a": decimal, "b": decimal, "from": duration, "to": duration, "now": datetime, "later": datetime,
    "r": { "x": Long }, "q": { "x": Long }
  }
};`

// Every class of values is needed: without it the mutant of its row differs
// nowhere, which is false. Where a mutant's own words would hide that, Swapped
// is left out in both runs.
func TestEveryClassOfTheDomainIsNeeded(t *testing.T) {
	const all = `@id("p") permit (principal, action == Action::"go", resource) `
	const pair = `@id("p") permit (principal, action == Action::"pair", resource) `
	rows := []struct {
		class    domain.Class
		also     []domain.Class // left out in both runs
		policies string
		mutant   string
	}{
		{domain.Absent, nil, all + `when { context has opt };`, "p/drop-guard@when[0]"},
		{domain.Fresh, []domain.Class{domain.Swapped}, all + `when { context.s == "a" };`, "p/drop-condition@when[0]"},
		{domain.Fresh, nil, all + `when { principal in resource.readers };`, "p/constant-false@when[0]"},
		{domain.Swapped, nil, all + `when { context.s != "a" }; @id("f") forbid (principal, action, resource) when { context.s == "a" };`, "p/string@when[0].right"},
		{domain.Below, []domain.Class{domain.Swapped}, all + `when { context.n < 3 };`, "p/constant@when[0].right"},
		{domain.Above, []domain.Class{domain.Swapped}, all + `when { context.n <= 3 };`, "p/constant@when[0].right#2"},
		{domain.Extreme, nil, all + `when { context.n + 1 > context.n };`, "p/drop-condition@when[0]"},
		{domain.EmptySet, nil, all + `when { context.labels.isEmpty() };`, "p/constant-false@when[0]"},
		{domain.Several, nil, all + `when { context.labels.contains("a") && context.labels.contains("b") };`, "p/constant-false@when[0]"},
		{domain.Member, []domain.Class{domain.Several}, `@id("p") permit (principal in Group::"g", action, resource);`, "p/flip-effect"},
		{domain.Descendant, nil, `@id("p") permit (principal in Org::"o", action, resource);`, "p/flip-effect"},
		{domain.Self, nil, all + `when { resource.owner == principal };`, "p/constant-false@when[0]"},
		{domain.Pattern, nil, all + `when { context.s like "a*" };`, "p/constant-false@when[0]"},
		{domain.Elsewhere, []domain.Class{domain.Swapped}, all + `when { context.ip.isInRange(ip("10.0.0.0/8")) };`, "p/swap-arguments@when[0]"},
		{domain.Below, []domain.Class{domain.Swapped}, pair + `when { context.a.lessThan(decimal("-1.0")) };`, "p/drop-policy"},
		{domain.Below, []domain.Class{domain.Swapped}, pair + `when { context.now < datetime("1969-01-01") };`, "p/drop-policy"},
		{domain.Below, []domain.Class{domain.Swapped, domain.Elsewhere}, pair + `when { context.from < duration("-1h") };`, "p/drop-policy"},
		{domain.Fresh, nil, pair + `when { context.s == context.t };`, "p/drop-condition@when[0]"},
		{domain.Fresh, nil, pair + `when { context.r == context.q };`, "p/drop-condition@when[0]"},
		{domain.Above, nil, pair + `when { context.a.lessThan(context.b) };`, "p/drop-policy"},
		{domain.Above, nil, pair + `when { context.from < context.to };`, "p/drop-policy"},
		{domain.Above, nil, pair + `when { context.now < context.later };`, "p/drop-policy"},
		{domain.Above, nil, pair + `when { context.now.toTime() < context.from };`, "p/drop-policy"},
		{domain.Above, nil, pair + `when { context.now.toDate() < context.later.toDate() };`, "p/drop-policy"},
		{domain.Elsewhere, []domain.Class{domain.Above}, pair + `when { context.now.toDate() > datetime("2030-01-01") };`, "p/drop-policy"},
		{domain.Hostile, nil, `@id("p") permit (principal is User, action, resource);`, "p/widen-scope@principal"},
	}
	shown := map[domain.Class]bool{}
	for _, row := range rows {
		shown[row.class] = true
		t.Run(string(row.class), func(t *testing.T) {
			without := row.also
			if row.class != domain.Hostile {
				without = append(without, domain.Hostile) // what the schema refuses would show it too
			}
			if got := statusOf(t, row.policies, row.mutant, without); got != Killed {
				t.Errorf("with all classes: %s", got)
			}
			if got := statusOf(t, row.policies, row.mutant, append(without, row.class)); got != Equivalent {
				t.Errorf("without the class: %s, so it is not needed for this", got)
			}
		})
	}
	for _, c := range domain.Classes() {
		if !shown[c] {
			t.Errorf("%s has no row", c)
		}
	}
}

func statusOf(t *testing.T, policies, mutant string, without []domain.Class) Status {
	t.Helper()
	in := input(t, policies, pairs)
	in.Without = without
	return verdict(t, run1(t, in), mutant).Status
}
