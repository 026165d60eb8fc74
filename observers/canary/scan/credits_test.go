package scan

import (
	"testing"

	"postern/observers/canary/fragment"
	"postern/observers/canary/layer"
)

// Of thousands of guesses some have by chance what in one input is proof.
func TestPiecesTogetherCountOnlyWithoutDoubt(t *testing.T) {
	for _, c := range []struct {
		doubt     doubt
		technique layer.Technique
		bits      int
		want      bool
	}{
		{none, fragment.Sum, 24, true},
		{none + 1, fragment.Sum, 24, false},
		{none + 1, fragment.Sum, strongBits - 1, false},
		{none + 1, fragment.Sum, strongBits, true},
		{utmost, fragment.Sum, 24, false},
		{none + 1, fragment.Piece, 48, true}, // bits in a row: one in 2^48 places
		{selected, fragment.Split, 128, true},
	} {
		if got := c.doubt.credits(layer.Match{Technique: c.technique, Bits: c.bits}); got != c.want {
			t.Errorf("doubt %d, %s of %d bits: %v", c.doubt, c.technique, c.bits, got)
		}
	}
}
