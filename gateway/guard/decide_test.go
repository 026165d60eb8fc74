package guard

import "testing"

// The claims of the package, each over every spawn there can be; none of them is
// read off the table's rows.
func TestDecisions(t *testing.T) {
	table := Reference()
	counts := map[Action]int{}
	for _, s := range Spawns() {
		d := table.Decide(s)
		counts[d.Action]++
		claim := func(holds bool, says string) {
			t.Helper()
			if !holds {
				t.Errorf("%+v: %v for %s: %s", s, d.Action, d.Reason, says)
			}
		}
		changed := !s.Original || s.Marker == Malformed || s.Marker == Mismatched
		required := s.RequiredByMarker || s.RequiredByProfile
		whole := s.Stored && s.Marker == Valid && s.Backend
		claim(d.Reason != NoRow, "a spawn of which no row speaks")
		claim(!changed || d.Action == Refuse, "what was changed must be refused")
		claim(!required || d.Action != Unconfined, "what is required must not run unconfined")
		claim(!required || whole || d.Action == Refuse, "what is required and not whole must be refused")
		claim(d.Action != Confine || s.Stored && s.Backend, "there is nothing to confine by")
		claim(changed || required || d.Action != Refuse, "nothing was changed and nothing is required: it must run")
		claim(changed || !whole || d == Decision{Confine, Enrolled}, "what is whole must be confined")
		claim(changed || required || !s.Stored || !s.Backend || d.Action == Confine, "a profile that is stored must be used")
	}
	if got := len(Spawns()); got != 128 {
		t.Errorf("%d spawns of 2 x 4 x 2 x 2 x 2 x 2", got)
	}
	// Half has another original, half of the rest a marker that is wrong. Of the
	// last 32 there are 8 that nobody requires, half of them with a store and
	// half of these with a backend; and of the 24 that somebody does, a valid
	// marker, a store and a backend make 3 whole.
	if counts[Refuse] != 64+32+24-3 || counts[Confine] != 2+3 || counts[Unconfined] != 6 {
		t.Errorf("%v", counts)
	}
}

// A row without which nothing would be decided otherwise says nothing.
func TestEachRowDecides(t *testing.T) {
	whole := Reference()
	for i := range whole {
		without := append(append(Table{}, whole[:i]...), whole[i+1:]...)
		changed := 0
		for _, s := range Spawns() {
			if without.Decide(s) != whole.Decide(s) {
				changed++
			}
		}
		if changed == 0 {
			t.Errorf("row %d (%s) decides nothing", i, whole[i].Reason)
		}
	}
}

func TestZeroRefuses(t *testing.T) {
	if d := (Table{}).Decide(Spawn{Stored: true, Marker: Valid, Backend: true, Original: true}); d != (Decision{Refuse, NoRow}) {
		t.Errorf("an empty table: %v", d)
	}
	if d := Reference().Decide(Spawn{}); d.Action != Refuse {
		t.Errorf("the zero spawn: %v", d)
	}
}
