package sensitivity

import (
	"reflect"
	"testing"
)

var weakLattice = Lattice{"low", "mid", "high"}

// Each weakness shows at one session and one sink, at which the strict code
// decides otherwise.
func TestEveryWeaknessShows(t *testing.T) {
	ceilings := Ceilings{"low": "low", "mid": "mid", "high": "high"}
	rows := []struct {
		weak    Weakness
		initial Label
		seen    []Label
		sink    string
		strict  bool
	}{
		{Weakness{UnknownLowest: true}, "other", nil, "low", false},
		{Weakness{UnknownKept: true, Always: true}, "other", nil, "low", false}, // alone it is denied by the ceiling
		{Weakness{Folded: true}, " Low", nil, "low", false},
		{Weakness{Collapsed: "mid"}, "mid", nil, "low", false},
		{Weakness{Below: true}, "mid", nil, "mid", true},
		{Weakness{Same: true}, "low", nil, "mid", true},
		{Weakness{NotBelow: true}, "high", nil, "mid", false},
		{Weakness{Always: true}, "high", nil, "low", false},
		{Weakness{Never: true}, "low", nil, "high", true},
		{Weakness{Unranked: true, UnknownKept: true}, "other", nil, "low", false}, // no session has such a label without
		{Weakness{NoCeiling: true}, "low", nil, "elsewhere", false},
		{Weakness{JoinLowest: true}, "mid", []Label{"low"}, "low", false},
		{Weakness{JoinFirst: true}, "low", []Label{"high"}, "low", false},
		{Weakness{JoinLast: true}, "high", []Label{"low"}, "low", false},
		{Weakness{JoinSum: true}, "low", []Label{"low"}, "low", true},
		{Weakness{ForgetsInitial: true}, "high", []Label{"low"}, "low", false},
		{Weakness{EmptyTop: true}, "low", nil, "low", true},
		{Weakness{EmptyBottom: true}, "high", nil, "low", false},
	}
	shown := map[string]bool{}
	for _, r := range rows {
		if got := admits(t, Weakness{}, r.initial, r.seen, r.sink, ceilings); got != r.strict {
			t.Errorf("%+v: the strict code admits: %v", r.weak, got)
		}
		if got := admits(t, r.weak, r.initial, r.seen, r.sink, ceilings); got == r.strict {
			t.Errorf("%+v: admits: %v", r.weak, got)
		}
		v := reflect.ValueOf(r.weak)
		for i := range v.NumField() {
			if !v.Field(i).IsZero() {
				shown[v.Type().Field(i).Name] = true
			}
		}
	}
	for i := range reflect.TypeFor[Weakness]().NumField() {
		if name := reflect.TypeFor[Weakness]().Field(i).Name; !shown[name] {
			t.Errorf("%s has no row", name)
		}
	}
}

func admits(t *testing.T, w Weakness, initial Label, seen []Label, sink string, c Ceilings) bool {
	t.Helper()
	s, err := NewWeakSession(weakLattice, initial, w)
	if err != nil {
		return false
	}
	for _, l := range seen {
		if _, err := s.Raise(l); err != nil {
			return false
		}
	}
	return w.Admits(c, weakLattice, sink, s.Label())
}

// With no weakness the weak constructor and comparison are the strict ones.
func TestTheZeroWeaknessIsStrict(t *testing.T) {
	labels := append(Lattice{"other", ""}, weakLattice...)
	for _, initial := range labels {
		weak, weakErr := NewWeakSession(weakLattice, initial, Weakness{})
		strict, strictErr := NewSession(weakLattice, initial)
		if (weakErr == nil) != (strictErr == nil) {
			t.Fatalf("%q: %v, %v", initial, weakErr, strictErr)
		}
		for _, ceiling := range labels {
			c := Ceilings{"s": ceiling}
			if (Weakness{}).Admits(c, weakLattice, "s", initial) != c.Admits(weakLattice, "s", initial) {
				t.Errorf("%q under %q", initial, ceiling)
			}
		}
		for _, seen := range labels {
			if strictErr != nil {
				continue
			}
			a, errA := weak.Raise(seen)
			b, errB := strict.Raise(seen)
			if a != b || (errA == nil) != (errB == nil) {
				t.Errorf("%q then %q: %q, %q", initial, seen, a, b)
			}
		}
	}
	if _, err := NewWeakSession(nil, "low", Weakness{UnknownKept: true}); err == nil {
		t.Error("a session without a lattice begins")
	}
}
