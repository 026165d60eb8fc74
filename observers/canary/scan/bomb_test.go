package scan_test

import (
	"bytes"
	"encoding/binary"
	"slices"
	"testing"

	"postern/observers/canary/scan"
)

// decoyed is the suite of what wants to use up a budget before the real thing
// is read. Each may be too much, but then that must be told.
func decoyed(text []byte) map[string][]byte {
	bomb := zip(make([]byte, 5<<20))
	nested := text
	for range 20 {
		nested = zip(to64(nested))
	}
	deep := make([]byte, 64)
	for range 20 {
		deep = zip(to64(deep))
	}
	var many []byte
	for range 300 {
		many = append(many, zip(noise(3000))...)
	}
	var fat []byte
	for range 300 {
		fat = append(fat, zip(bytes.Repeat(noise(20), 3000))...)
	}
	lying := zip(append(text, noise(100)...))
	binary.LittleEndian.PutUint32(lying[len(lying)-4:], 1<<31)
	return map[string][]byte{
		"bomb":                  slices.Concat(bomb, zip(text)),
		"bombs":                 slices.Concat(bytes.Repeat(bomb, 5), zip(text)),
		"bomb of bombs":         slices.Concat(zip(bytes.Repeat(bomb, 5)), zip(to64(text))),
		"300 decoys":            slices.Concat(many, zip(text)),
		"300 fat decoys":        slices.Concat(fat, zip(to64(zip(text)))),
		"300 fat in a layer":    zip(slices.Concat(fat, zip(to64(zip(text))))),
		"300 decoys in a layer": zip(slices.Concat(many, zip(text))),
		"300 bombs":             slices.Concat(bytes.Repeat(zip(make([]byte, 100<<10)), 300), zip(to64(zip(text)))),
		"20 deep":               nested,
		"20 deep decoys":        slices.Concat(bytes.Repeat(deep, 10), zip(text)),
		"lying length":          lying,
		"cut off":               zip(append(noise(5000), text...))[:2000],
	}
}

// what must be found in spite of all: the others may be unproven.
var reachable = []string{"bomb", "bombs", "bomb of bombs", "300 decoys", "300 fat decoys", "300 fat in a layer", "300 decoys in a layer", "300 bombs", "20 deep decoys", "lying length"}

func TestNoDecoyHidesTheRealOne(t *testing.T) {
	secrets, texts := mint(1)
	s := scanner(t, secrets, scan.Options{Base: 2 << 20, PerByte: 4, Memory: 8 << 20})
	for name, in := range decoyed(texts[0]) {
		got := s.Bytes(t.Context(), in)
		if len(got.Hits) == 0 && len(got.Unproven) == 0 {
			t.Errorf("%s: clean", name)
		}
		if len(got.Hits) == 0 && slices.Contains(reachable, name) {
			t.Errorf("%s: not found, %v", name, got.Unproven)
		}
	}
}

func TestReasons(t *testing.T) {
	secrets, texts := mint(1)
	suite := decoyed(texts[0])
	s := scanner(t, secrets, scan.Options{Base: 1 << 20, PerByte: 1})
	for name, want := range map[string]scan.Reason{"20 deep": scan.Deep, "cut off": scan.Cut, "bomb of bombs": scan.Budget} {
		if got := s.Bytes(t.Context(), suite[name]); !slices.Contains(got.Unproven, want) {
			t.Errorf("%s: %v, want %s", name, got.Unproven, want)
		}
	}
}

// A bomb that fits in the budget is read to its end.
func TestALargeLayerIsReadWhole(t *testing.T) {
	secrets, texts := mint(1)
	s := scanner(t, secrets, scan.Options{})
	in := zip(append(make([]byte, 8<<20), texts[0]...))
	if got := s.Bytes(t.Context(), in); len(got.Hits) == 0 {
		t.Errorf("not found: %v", got.Unproven)
	}
	if got := s.Bytes(t.Context(), zip(make([]byte, 8<<20))); len(got.Unproven) != 0 {
		t.Errorf("unproven: %v", got.Unproven)
	}
}

// A search that has nothing left before the real thing is read says so, whatever
// its budget is, and finds it where there is enough.
func TestASpentBudgetIsNeverClean(t *testing.T) {
	secrets, texts := mint(1)
	real := slices.Concat(words(20_000), texts[0], words(20_000))
	decoy := map[string]func() []byte{
		"of noise": func() []byte { return zip(noise(300)) },
		"fat":      func() []byte { return zip(bytes.Repeat(noise(20), 800)) },
		"deep":     func() []byte { return zip(to64(zip(to64(zip(noise(100)))))) },
	}
	for name, one := range decoy {
		var decoys []byte
		for range 300 {
			decoys = append(decoys, one()...)
		}
		for where, in := range map[string][]byte{"beside": slices.Concat(decoys, zip(real)), "below": zip(slices.Concat(decoys, zip(to64(real))))} {
			found, spent := 0, 0
			for base := 1; base <= 16<<20; base *= 16 {
				got := scanner(t, secrets, scan.Options{Base: base, PerByte: 1}).Bytes(t.Context(), in)
				switch {
				case len(got.Hits) > 0:
					found++
				case slices.Contains(got.Unproven, scan.Budget):
					spent++
				default:
					t.Errorf("300 decoys %s, the real one %s, %d bytes of budget: clean, or only %v", name, where, base, got.Unproven)
				}
			}
			if found == 0 || spent == 0 {
				t.Errorf("300 decoys %s, the real one %s: %d times found and %d times spent", name, where, found, spent)
			}
		}
	}
}
