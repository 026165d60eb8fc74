package scan_test

import (
	"bytes"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"

	"postern/observers/canary/layer"
	"postern/observers/canary/scan"
)

// halves is a selection that could go on for ever: it yields each second byte,
// from many places on.
func halves(calls *atomic.Int64) scan.Part {
	return scan.Part{Kind: scan.Selects, Stage: layer.Stage{Technique: "halves", Open: func(b []byte, room *layer.Room, yield func(layer.View) bool) {
		calls.Add(1)
		for from := range min(20, len(b)) {
			var out []byte
			for i := from; i < len(b); i += 2 {
				out = append(out, b[i])
			}
			if !room.Take(len(out)) || !yield(layer.View{Technique: "halves", Offset: from, Bytes: out}) {
				return
			}
		}
	}}}
}

func TestSelectionsAreNotSelectedFrom(t *testing.T) {
	secrets, _ := mint(1)
	var calls atomic.Int64
	in := words(5000)
	got := scanner(t, secrets, scan.Options{Parts: append(small(), halves(&calls))}).Bytes(t.Context(), in)
	if calls.Load() > 50 || len(got.Hits)+len(got.Unproven) > 0 {
		t.Errorf("%d selections, %v", calls.Load(), got)
	}
}

// What a part would yield for nobody to read is not made.
func TestNothingIsSelectedThatWouldNotBeSearched(t *testing.T) {
	secrets, _ := mint(1)
	for guesses, want := range map[int]bool{3: false, 1 << 20: true} {
		var calls atomic.Int64
		parts := append(small(), halves(&calls))
		scanner(t, secrets, scan.Options{Parts: parts, Guesses: guesses}).Bytes(t.Context(), words(1000))
		if selects := calls.Load() > 0; selects != want {
			t.Errorf("%d bytes of guesses: %d selections", guesses, calls.Load())
		}
	}
}

func TestSelectionsAreDecodedAndOpened(t *testing.T) {
	secrets, texts := mint(1)
	var calls atomic.Int64
	s := scanner(t, secrets, scan.Options{Parts: append(small(), halves(&calls))})
	for name, hidden := range map[string][]byte{
		"halves/run/plain":      to64(texts[0]),
		"halves/run/gzip/plain": to64(zip(slices.Concat(words(300), texts[0]))),
		"halves/gzip/run/plain": zip(slices.Concat(words(300), []byte(" "), to64(texts[0]), []byte(" "))),
		// what a format with marks of its own holds may be selected from again
		"halves/gzip/halves/plain": zip(spread(slices.Concat(words(300), texts[0]))),
	} {
		got := s.Bytes(t.Context(), spread(slices.Concat(words(299), []byte(" "), hidden, []byte(" "))))
		if !slices.ContainsFunc(got.Hits, func(h scan.Hit) bool { return h.Technique == name }) {
			t.Errorf("%s: %v %v", name, got.Hits, got.Unproven)
		}
	}
}

// spread puts a byte of noise behind each.
func spread(b []byte) []byte {
	var out []byte
	for i, c := range noise(len(b)) {
		out = append(out, b[i], c)
	}
	return out
}

// Of thousands of texts under an encoding each is searched, and only some are
// selected from.
func TestAllThatIsBelievedIsSearchedAndSomeOfItThoroughly(t *testing.T) {
	secrets, texts := mint(1)
	var calls, opened atomic.Int64
	var in []byte
	for i := range 2000 {
		in = slices.Concat(in, to64(fmt.Appendf(nil, "note %05d of many that say little to anyone", i)), []byte("\n"))
	}
	in = slices.Concat(in, to64(slices.Concat([]byte("so: "), to64(texts[0]), []byte(" and so"))), []byte("\n"))
	got := scanner(t, secrets, scan.Options{Parts: append(small(), halves(&calls), counted(&opened)), Guesses: 48 << 10}).Bytes(t.Context(), in)
	if len(got.Hits) == 0 || got.Hits[0].Technique != "run/run/plain" || len(got.Unproven) > 0 {
		t.Errorf("%v %v", got.Hits, got.Unproven)
	}
	if n := calls.Load(); n < 10 || n > 200 {
		t.Errorf("%d selections", n)
	}
	if n := opened.Load(); n > 500 {
		t.Errorf("2000 texts in %d pieces", n)
	}
}

// The same bytes may be guessed at first, and then come by a way that is believed:
// they are followed as far as the better way leads.
func TestABetterWayToTheSameBytesIsFollowed(t *testing.T) {
	secrets, texts := mint(1)
	inner := []byte{'3'}
	for _, c := range texts[0] {
		inner = append(inner, c+3)
	}
	from := func(b []byte, room *layer.Room, yield func(layer.View) bool) {
		if i := bytes.IndexByte(b, '>'); i >= 0 && room.Take(len(inner)) {
			yield(layer.View{Technique: "taken", Offset: i, Bytes: bytes.Clone(b[i+1 : i+1+len(inner)])})
		}
	}
	step := func(b []byte, room *layer.Room, yield func(layer.View) bool) {
		if b[0] < '1' || b[0] > '3' || !room.Take(len(b)) {
			return
		}
		out := bytes.Clone(b)
		for i := range out {
			out[i]--
		}
		yield(layer.View{Technique: "step", Bytes: out})
	}
	parts := []scan.Part{
		{Stage: layer.Stage{Technique: "guess", Open: from}, Kind: scan.Selects},
		{Stage: layer.Stage{Technique: "taken", Open: from}},
		{Stage: layer.Stage{Technique: "step", Open: step}},
	}
	in := slices.Concat([]byte("    >"), inner, []byte("      "), words(200))
	if r := scanner(t, secrets, scan.Options{Parts: parts}).Bytes(t.Context(), in); len(r.Hits) != 1 {
		t.Errorf("%+v", r)
	}
	if r := scanner(t, secrets, scan.Options{Parts: slices.Delete(parts, 1, 2)}).Bytes(t.Context(), in); len(r.Hits) != 0 {
		t.Errorf("the guess alone leads there: %+v", r)
	}
}
