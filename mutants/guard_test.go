package mutants

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"postern/gateway"
	"postern/gateway/guard"
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
