package level2

import "testing"

// What is killed is killed through a container too, a change at a time: the
// first few seeds between them come to every mutant.
func TestEverySampleHasEveryChangeInAContainer(t *testing.T) {
	p := plan(t)
	killed, had := map[change]int{}, map[string]bool{}
	most := 0
	apart := map[string]bool{} // those that no container has
	for i, row := range p.Rows {
		if len(p.witnesses[i]) > 0 && p.witnesses[i][0].asks.around.apart() {
			apart[row.Mutant] = true
			continue
		}
		if row.Status == Killed {
			killed[row.change()]++
			most = max(most, killed[row.change()])
		}
	}
	if len(killed) < 80 || most < 10 {
		t.Fatalf("%d changes, of one of which %d mutants are killed", len(killed), most)
	}
	for seed := range int64(2 * most) {
		in := map[change]int{}
		for i, row := range p.Sampled(seed).Rows {
			for _, d := range row.Driven {
				if d.Contained {
					had[row.Mutant] = true
					if in[row.change()]++; p.Rows[i].Status != Killed {
						t.Errorf("seed %d: %s is in a container, and not to be killed", seed, row.Mutant)
					}
				}
			}
		}
		for c := range killed {
			if in[c] != 1 {
				t.Errorf("seed %d: %d of %s %s in a container", seed, in[c], c.layer, c.operator)
			}
		}
	}
	for _, row := range p.Rows {
		if row.Status == Killed && had[row.Mutant] == apart[row.Mutant] {
			t.Errorf("%s is to be led in a container, or is not", row.Mutant)
		}
	}
	for i, row := range p.Rows {
		if len(row.Driven) != len(p.witnesses[i]) {
			t.Errorf("%s: sampling changed the plan", row.Mutant)
		}
	}
}
