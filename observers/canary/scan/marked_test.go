package scan_test

import (
	"slices"
	"testing"

	"postern/observers/canary/scan"
)

// What a decoder made begins with a format's marks: it was right, however much
// has been guessed already.
func TestWhatBeginsWithMarksIsSearchedBesideAnyGuesses(t *testing.T) {
	secrets, texts := mint(1)
	in := slices.Concat(words(200), []byte(" "), to64(zip(slices.Concat(words(300), texts[0]))), []byte(" "), words(100))
	got := scanner(t, secrets, scan.Options{Guesses: 8}).Bytes(t.Context(), in)
	if len(got.Hits) == 0 || got.Hits[0].Technique != "run/gzip/plain" {
		t.Errorf("%v %v", got.Hits, got.Unproven)
	}
}
