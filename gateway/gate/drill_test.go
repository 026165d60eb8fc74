package gate

import (
	"reflect"
	"testing"

	"postern/gateway/confine"
)

// Each weakness makes exactly the observation of its own drill.
func TestDrillsObserveTheirOwnWeaknessAlone(t *testing.T) {
	for _, d := range Drills() {
		if seen, err := d.Run(Weakness{}); seen || err != nil {
			t.Errorf("%s on a strict gate: %v, %v", d.Observes, seen, err)
		}
		for _, other := range Drills() {
			seen, err := d.Run(other.Weakness)
			if want := other.Control == d.Control; seen != want || err != nil {
				t.Errorf("%s with %+v: %v, %v, want %v", d.Observes, other.Weakness, seen, err, want)
			}
		}
	}
}

func TestEveryControlHasADrillAndEveryWeaknessToo(t *testing.T) {
	drilled := make(map[confine.Control]int)
	fields := make(map[int]bool)
	for _, d := range Drills() {
		drilled[d.Control]++
		weakness := reflect.ValueOf(d.Weakness)
		for i := range weakness.NumField() {
			if weakness.Field(i).Bool() {
				fields[i] = true
			}
		}
	}
	for _, c := range Controls() {
		if drilled[c.ID] != 1 {
			t.Errorf("%s has %d drills, want 1", c.ID, drilled[c.ID])
		}
	}
	if len(drilled) != len(Controls()) || len(fields) != reflect.TypeFor[Weakness]().NumField() {
		t.Error("a drill is of no control, or a weakness has no drill")
	}
}
