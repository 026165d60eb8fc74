package level1

import "testing"

func TestMutantsOfTheSchema(t *testing.T) {
	in := input(t, `@id("p") permit (principal, action, resource) when { context.n > 1 }; @id("f") forbid (principal in Group::"g", action, resource);`, world)
	in.Rule = Strict
	got := map[string]Status{}
	for _, d := range run1(t, in).Schema {
		got[d.ID] = d.Status
		if (d.Witness != nil) != (d.Status == Killed) {
			t.Errorf("%s: %s, and its witness", d.ID, d.Status)
		}
	}
	for id, want := range map[string]Status{
		`schema/Action::"go"/optional@s`:               Killed,    // a request without it is decided
		`schema/Action::"go"/optional@n`:               Stillborn, // a policy reads it without asking
		`schema/Action::"go"/drop-attribute@s`:         Killed,
		`schema/Action::"go"/drop-attribute@n`:         Stillborn,
		`schema/Action::"go"/required@opt`:             Killed, // a request without it is refused
		`schema/Action::"go"/drop-principal-type@User`: Stillborn,
		`schema/Doc/optional@owner`:                    Killed,
		`schema/User/drop-parent-type@Group`:           Stillborn,
		`schema/Team/drop-parent-type@Org`:             Equivalent, // no policy asks for it
	} {
		if got[id] != want {
			t.Errorf("%s: %q, want %s", id, got[id], want)
		}
	}
	in.Rule = Cedar
	if n := len(run1(t, in).Schema); n != 0 {
		t.Errorf("%d mutants of the schema for a decider that does not ask it", n)
	}
}
