package level1

import (
	"testing"

	"github.com/cedar-policy/cedar-go/types"
)

// staff is a store: one of two users is in a group, and one group is of no
// interest to any policy.
const staff = `[
	{"uid": {"type": "User", "id": "ann"}, "attrs": {}, "parents": [{"type": "Group", "id": "g"}]},
	{"uid": {"type": "User", "id": "bob"}, "attrs": {}, "parents": []},
	{"uid": {"type": "Group", "id": "g"}, "attrs": {}, "parents": []},
	{"uid": {"type": "Org", "id": "idle"}, "attrs": {}, "parents": []},
	{"uid": {"type": "Doc", "id": "d"}, "attrs": {"owner": {"__entity": {"type": "User", "id": "bob"}}, "readers": {"__entity": {"type": "Group", "id": "g"}}}, "parents": []}
]`

func TestMutantsOfTheUsersEntities(t *testing.T) {
	in := input(t, `@id("p") permit (principal in Group::"g", action, resource); @id("q") permit (principal, action, resource) when { resource.owner == principal };`, world)
	if err := in.Entities.UnmarshalJSON([]byte(staff)); err != nil {
		t.Fatal(err)
	}
	result := run1(t, in)
	got := map[string]Status{}
	for _, v := range result.Store {
		got[v.ID] = v.Status
		if (v.Witness != nil) != (v.Status == Killed || v.Status == KilledByOther) {
			t.Errorf("%s: %s, and its witness", v.ID, v.Status)
		}
	}
	for id, want := range map[string]Status{
		`User::"ann"/drop-parent@Group::"g"`: Killed,
		`User::"ann"/drop-entity`:            Killed,
		`User::"bob"/join-group@Group::"g"`:  Killed,
		`Doc::"d"/change-attribute@owner`:    Killed,
		`Doc::"d"/drop-attribute@owner`:      Stillborn,
		`Doc::"d"/change-attribute@readers`:  Equivalent,
	} {
		if got[id] != want {
			t.Errorf("%s: %q, want %s", id, got[id], want)
		}
	}
	if result.Unasked != 2 { // the group, of which its members know, and what is idle
		t.Errorf("%d entities that no policy looks up", result.Unasked)
	}
	if _, stays := in.Entities[types.NewEntityUID("User", "ann")]; !stays || len(in.Entities) != 5 {
		t.Error("the user's entities were touched")
	}
}
