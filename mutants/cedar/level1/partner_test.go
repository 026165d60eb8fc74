package level1

import "testing"

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
