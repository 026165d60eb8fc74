package words_test

import (
	"math/rand/v2"
	"testing"

	"postern/observers/canary/words"
)

func TestTableHasWhatWasAddedAndNothingElse(t *testing.T) {
	for _, n := range []int{0, 1, 1000, 50000} {
		var table words.Table
		r := rand.New(rand.NewPCG(1, uint64(n)))
		added := map[uint64]int{}
		for i := range n {
			w := r.Uint64()
			added[w] = i
			table.Add(w, i, i+1)
			table.Add(w, i, i+2) // the same word twice
		}
		table.Freeze()
		for w, i := range added {
			places := 0
			table.Each(w, func(pattern, at int) bool { places += at - pattern; return true })
			if !table.May(w) || places != 3 {
				t.Errorf("%d words: word %d has places that sum to %d", n, i, places)
			}
		}
		vain := 0
		for range 10000 {
			w := r.Uint64()
			if table.May(w) {
				vain++
			}
			table.Each(w, func(int, int) bool { t.Error("a word that was not added"); return false })
		}
		if vain > 10000/16 {
			t.Errorf("%d words: %d of 10000 looked up in vain", n, vain)
		}
	}
}
