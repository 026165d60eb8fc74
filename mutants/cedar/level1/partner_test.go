package level1

import (
	"slices"
	"strings"
	"testing"
)

// ward is a set whose requests are too many to ask all, where a policy is
// missed at few of those at which it holds: whoever is a lead and temporary, in
// his shift and of the record's unit.
const ward = `
@id("clerk") permit (principal in Role::"clerk", action == Action::"view", resource) when { resource.level <= principal.clearance };
@id("lead") permit (principal in Role::"lead", action in Action::"any", resource) when { resource.level <= principal.clearance };
@id("shift") forbid (principal, action, resource) unless { context.shift.start <= context.hour && context.hour < context.shift.end };
@id("unit") forbid (principal, action, resource) when { resource.hasTag("units") && !(principal.hasTag("unit") && resource.getTag("units").contains(principal.getTag("unit"))) };
@id("case") permit (principal, action == Action::"annotate", resource) when { context has case && context.case.open && context.case.number > 1000 && principal.clearance >= 2 };
@id("case-path") permit (principal, action == Action::"view", resource) when { context has case.open && context.case.open };
@id("temporary") forbid (principal in Role::"temp", action == Action::"seal", resource);
@id("trusted") forbid (principal, action == Action::"seal", resource) when { principal in Role::"temp" || principal.clearance < 3 };
@id("break-glass") permit (principal, action == Action::"view", resource) when { principal.hasTag("glass") && principal.getTag("glass") == "broken" && resource.level < 5 };`

const wardSchema = `
entity Role in [Role];
entity Staff in [Role] = { clearance: Long } tags String;
entity Record = { level: Long } tags Set<String>;
action "any";
action "view", "annotate" in ["any"] appliesTo { principal: Staff, resource: Record, context: { shift: { start: Long, end: Long }, hour: Long, case?: { number: Long, open: Bool } } };
action "seal" in ["any"] appliesTo { principal: Staff, resource: Record, context: { shift: { start: Long, end: Long }, hour: Long } };`

func TestAPartnerIsFoundWhereFewRequestsShowIt(t *testing.T) {
	result := run1(t, input(t, ward, wardSchema))
	if result.Complete {
		t.Fatal("all is asked")
	}
	found := map[string]string{}
	for _, d := range result.Dead {
		found[d.Mutant] = d.Partner
	}
	if found["temporary/drop-policy"] == "" || found["trusted/drop-operand@when[0]"] != "temporary/drop-policy" {
		t.Errorf("%v", found)
	}
}

// What is not run is there all the same: a part is not dead for want of it.
func TestAPartnerMayBeLeftOut(t *testing.T) {
	in := input(t, `@id("p") permit (principal, action, resource) when { context.n > 1 }; @id("q") permit (principal, action, resource) when { context.n > 1 };`, world)
	want := []Dead{{Mutant: "q/drop-policy", Partner: "p/drop-policy"}}
	in.Only = func(policy int) bool { return policy == 1 }
	if got := run1(t, in).Dead; !slices.Equal(got, want) {
		t.Errorf("of a changed policy: %v", got)
	}
	in.Only = nil
	all := run1(t, in).Verdicts
	in.Select = func(i int) bool { return strings.HasPrefix(all[i].ID, "q/drop-policy") }
	if got := run1(t, in).Dead; !slices.Equal(got, want) {
		t.Errorf("of a shard: %v", got)
	}
	in.Select = func(i int) bool { return all[i].ID == "q/flip-effect" }
	if got := run1(t, in).Dead; len(got) > 0 {
		t.Errorf("of a shard without it: %v", got)
	}
}
