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

// Of thousands of guesses at the name of a file some begin, under some mask, as a
// format does: that what follows is no such format is nothing left unread.
func TestAMaskedFormatInAGuessIsAGuess(t *testing.T) {
	secrets, _ := mint(1)
	s, err := scan.New(secrets, scan.Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, number := range []string{"2245652017", "2298740717", "2346520547", "2383682637"} {
		in := []byte("/tmp/TestScanReadsAFileOnceAndItsAttributes" + number + "/001/a")
		if got := s.Bytes(t.Context(), in); len(got.Unproven) > 0 {
			t.Errorf("%s: %v", number, got.Unproven)
		}
	}
}
