package mutants

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"postern/gateway"
	"postern/gateway/confine/bubblewrap"
	"postern/gateway/guard"
	"postern/gateway/upstream"
)

// Of each row that refuses or confines a mutant has another, and each row that
// lets a server run comes first in one.
func TestEveryRowOfTheSpawnTableHasAMutant(t *testing.T) {
	var tables []guard.Table
	for _, m := range All() {
		if m.Weakens == gateway.GuardTable {
			c := subject(m.Tier)
			m.Apply(&c, Sample())
			tables = append(tables, c.Upstream.Guard.Table)
		}
	}
	for _, row := range guard.Reference() {
		same := func(r guard.Row) bool { return reflect.DeepEqual(r, row) }
		mutated := slices.ContainsFunc(tables, func(table guard.Table) bool {
			if row.Action == guard.Unconfined {
				return same(table[0])
			}
			return !slices.ContainsFunc(table, same)
		})
		if !mutated {
			t.Errorf("no mutant changes the row %s, %s", row.Action, row.Reason)
		}
	}
}

// Landlock's weaknesses are for its own tests: the campaign does not use it.
func TestEveryWeaknessOfTheGuardHasAMutant(t *testing.T) {
	set := map[string]bool{}
	for _, m := range guarded() {
		c := subject(m.Tier)
		m.Apply(&c, Sample())
		weak := reflect.ValueOf(c.Upstream.Guard.Weak)
		for _, name := range fieldsSet(weak) {
			set[name] = true
		}
		if fields := fieldsSet(weak.FieldByName("Sandbox")); len(fields) == 1 {
			set["Sandbox."+fields[0]] = true // alone, so that it is what opens
		}
	}
	for field := range reflect.TypeFor[upstream.GuardWeakness]().Fields() {
		if field.Name != "Landlock" && !set[field.Name] {
			t.Errorf("no mutant sets %s", field.Name)
		}
	}
	for field := range reflect.TypeFor[bubblewrap.Weakness]().Fields() {
		if !set["Sandbox."+field.Name] {
			t.Errorf("no mutant sets %s of a sandbox alone", field.Name)
		}
	}
}

func fieldsSet(v reflect.Value) (names []string) {
	for i := range v.NumField() {
		if !v.Field(i).IsZero() {
			names = append(names, v.Type().Field(i).Name)
		}
	}
	return names
}

func TestEverySecretPlaceAtHomeHasAMutant(t *testing.T) {
	places := SecretPlaces()
	if len(places) < 100 {
		t.Fatalf("%d secret places", len(places))
	}
	for _, place := range places {
		if !slices.ContainsFunc(All(), func(m Mutant) bool { return strings.HasSuffix(m.Why, "does not mask ~/"+place) }) {
			t.Errorf("no mutant shows ~/%s", place)
		}
	}
}
