package ceilings

import (
	"reflect"
	"slices"
	"testing"

	"postern/fixtures/policy"
	"postern/gateway/sensitivity"
)

var (
	lattice = sensitivity.Lattice{"public", "internal", "confidential", "restricted"}
	four    = sensitivity.Ceilings{"web": "public", "mail": "internal", "vault": "restricted", "log": "confidential"}
)

func verdict(t *testing.T, id string, without ...Class) Verdict {
	t.Helper()
	for _, m := range Mutants(lattice, four) {
		if m.ID == id {
			return compare(lattice, four, []Mutant{m}, without...)[0]
		}
	}
	t.Fatalf("there is no mutant %s", id)
	return Verdict{}
}

// The weak code decides as the gateway's does, where its weakness says nothing of
// what is asked.
func TestWeakCodeThatIsNotWeakChangesNothing(t *testing.T) {
	traces := Traces(lattice, four)
	same := plain(lattice, four)
	same.Weak.Collapsed = "postern-other"
	for i, want := range decisions(plain(lattice, four), traces) {
		if same.Admits(traces[i]) != want {
			t.Fatalf("%+v: the gateway decides %v", traces[i], want)
		}
	}
}

// No field of the weakness is without a mutant.
func TestEveryWeaknessOfLabelsHasAMutant(t *testing.T) {
	weak := map[int]bool{}
	for _, m := range Mutants(lattice, four) {
		v := reflect.ValueOf(m.Of(lattice, four).Weak)
		for i := range v.NumField() {
			weak[i] = weak[i] || !v.Field(i).IsZero()
		}
	}
	for i := range reflect.TypeFor[sensitivity.Weakness]().NumField() {
		if !weak[i] {
			t.Errorf("%s is in no mutant", reflect.TypeFor[sensitivity.Weakness]().Field(i).Name)
		}
	}
}

// Every mutant is killed but those that are known to change nothing, in the
// direction that it must.
func TestEveryMutantIsKilledInItsDirection(t *testing.T) {
	widens := map[string]bool{}
	for _, id := range []string{
		"ceiling/web/raised", "ceiling/web/top", "ceiling/mail/raised", "ceiling/mail/top", "ceiling/log/raised",
		"join/min", "join/first", "join/last", "join/forgets-initial", "join/empty-bottom", "compare/always",
		"unknown/sink-bottom", "unknown/sink-top", "unknown/sink-open", "unknown/label-bottom", "unknown/label-folded",
		"lattice/public-internal/collapsed", "lattice/internal-confidential/collapsed", "lattice/confidential-restricted/collapsed",
	} {
		widens[id] = true
	}
	narrows := map[string]bool{}
	for _, id := range []string{
		"ceiling/vault/lowered", "ceiling/vault/bottom", "ceiling/vault/dropped", "ceiling/web/dropped", "ceiling/mail/lowered", "ceiling/mail/dropped",
		"ceiling/log/lowered", "ceiling/log/bottom", "ceiling/log/dropped", "compare/less", "compare/equal", "compare/never", "join/sum", "join/empty-top",
	} {
		narrows[id] = true
	}
	seen := map[string]bool{}
	for _, v := range Run(lattice, four) {
		seen[v.Mutant] = true
		partner := map[string]string{"compare/unchecked-ranks": "unknown/label-kept", "unknown/label-kept": "compare/always"}[v.Mutant]
		if (v.Status == Equivalent) != (partner != "") || v.Partner != partner {
			t.Errorf("%s: %s, with %q", v.Mutant, v.Status, v.Partner)
		}
		if widens[v.Mutant] && (v.Widens == 0 || v.Narrows > 0) || narrows[v.Mutant] && (v.Narrows == 0 || v.Widens > 0) {
			t.Errorf("%s: %d leaks, %d permits lost", v.Mutant, v.Widens, v.Narrows)
		}
		if (v.Status == Equivalent) != (v.Proof.Original == v.Proof.Mutant) {
			t.Errorf("%s: its digests do not say what its status does", v.Mutant)
		}
	}
	for _, all := range []map[string]bool{widens, narrows} {
		for id := range all {
			if !seen[id] {
				t.Errorf("there is no mutant %s", id)
			}
		}
	}
	if len(seen) < 35 {
		t.Errorf("%d mutants", len(seen))
	}
}

// Every class of traces is needed: without it a mutant seems to change nothing.
func TestEveryClassOfTracesIsNeeded(t *testing.T) {
	for class, id := range map[Class]string{
		UnknownSink: "unknown/sink-top", UnknownLabel: "unknown/label-bottom", Empty: "join/empty-bottom", Unsorted: "join/last",
	} {
		if v := verdict(t, id); v.Status != Killed {
			t.Errorf("%s: %s", id, v.Status)
		}
		if v := verdict(t, id, class); v.Status != Equivalent {
			t.Errorf("%s without %s: %s, so the class is not needed for it", id, class, v.Status)
		}
	}
}

// Of the reference configuration every ceiling is needed: to drop or move it is
// seen. Its ceilings are the lowest level and the highest, so no sink tells the
// levels between apart; and no session begins at an unknown label.
func TestTheReferencesCeilings(t *testing.T) {
	c := policy.Reference()
	known := []string{
		"compare/unchecked-ranks", "unknown/label-kept", "lattice/internal-confidential/swapped", "lattice/internal-confidential/collapsed",
		"lattice/confidential-restricted/collapsed",
	}
	killed := 0
	for _, v := range Run(c.Lattice, c.Ceilings) {
		if v.Status == Killed {
			killed++
		} else if !slices.Contains(known, v.Mutant) {
			t.Errorf("%s: %s", v.Mutant, v.Status)
		} else if v.Partner == "" {
			t.Errorf("%s: nothing depends on it, alone or with another", v.Mutant)
		}
	}
	if killed < 25 {
		t.Errorf("%d killed", killed)
	}
}

func TestAMutantLeavesTheOriginalAlone(t *testing.T) {
	given := sensitivity.Ceilings{"web": "public", "vault": "restricted"}
	order := sensitivity.Lattice{"public", "restricted"}
	Run(order, given)
	if given["web"] != "public" || len(given) != 2 || order[0] != "public" {
		t.Error("a mutant shares with the original")
	}
}
