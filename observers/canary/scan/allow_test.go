package scan

import "testing"

// A larger input is allowed no fewer guesses for its length than what grows with
// it, and a smaller one no fewer for each of its bytes.
func TestTheLargerAnInputTheFewerGuessesAByte(t *testing.T) {
	o := Options{}.complete()
	if a := o.allow(fewGuesses); a.guessed < o.Guesses || o.allow(1).guessed < o.Guesses {
		t.Errorf("%d bytes of guesses at a small input", a.guessed)
	}
	for n := 1; n < 1<<30; n *= 2 {
		a, b := o.allow(n), o.allow(2*n)
		if a.guessed < max(o.Guesses/8, n/inputShare) || a.decoded < n/inputShare || a.small < n/inputShare {
			t.Errorf("%d bytes: %+v", n, a)
		}
		for name, two := range map[string][2]int{"guessed": {a.guessed, b.guessed}, "decoded": {a.decoded, b.decoded}, "small": {a.small, b.small}, "chosen": {a.chosen, b.chosen}} {
			if two[1] > 2*two[0] {
				t.Errorf("%s: %d for %d bytes, %d for twice as many", name, two[0], n, two[1])
			}
		}
	}
}
