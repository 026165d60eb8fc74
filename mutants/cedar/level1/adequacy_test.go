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

// Every class of values is needed: without it the mutant of its row differs
// nowhere, which is false. Where a mutant's own words would hide that, Swapped
// is left out in both runs.
func TestEveryClassOfTheDomainIsNeeded(t *testing.T) {
	const all = `@id("p") permit (principal, action, resource) `
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
	in := input(t, policies, world)
	in.Without = without
	return verdict(t, run1(t, in), mutant).Status
}
