package audit

import (
	"errors"
	"path/filepath"
	"reflect"
	"testing"
)

// The dictionary, the killed process and the disk that fails see the others.
var seenElsewhere = []string{"PlainHash", "Guessable", "Unnumbered", "Stored", "Early", "NoSync"}

func TestVerifySeesAWeakChain(t *testing.T) {
	for name, c := range map[string]struct {
		weak       Weakness
		unfinished int
		broken     Broken
	}{
		"reference": {},
		"Unchained": {weak: Weakness{Unchained: true}, broken: Broken{2, SecondHead}, unfinished: 1},
		"Unclosed":  {weak: Weakness{Unclosed: true}, unfinished: 1},
	} {
		path := filepath.Join(t.TempDir(), "audit.db")
		log := opened(t)(OpenWeakLog(t.Context(), path, c.weak))
		if err := fill(t, log, "s1", 3).End(t.Context()); err != nil {
			t.Fatal(err)
		}
		report, err := Verify(t.Context(), path)
		var broken *Broken
		if errors.As(err, &broken); broken == nil {
			broken = new(Broken)
		}
		if *broken != c.broken || report.Unfinished != c.unfinished {
			t.Errorf("%s: %v, %d unfinished", name, err, report.Unfinished)
		}
	}
	if fields := reflect.TypeFor[Weakness]().NumField(); fields != len(seenElsewhere)+2 {
		t.Errorf("of %d weaknesses some have no test", fields)
	}
}
