package scan_test

import (
	"fmt"
	"slices"
	"sync/atomic"
	"testing"

	"postern/observers/canary/layer"
	"postern/observers/canary/scan"
)

// pieces yields its input in so many bytes each, under a name before each.
func pieces(n int, kind scan.Kind) scan.Part {
	return scan.Part{Kind: kind, Stage: layer.Stage{Technique: "pieces", Open: func(b []byte, room *layer.Room, yield func(layer.View) bool) {
		if len(b) < 40*n {
			return
		}
		for i := 0; i < len(b); i += n {
			v := fmt.Appendf(nil, "%04d\x01\x02\x03", i/n)
			v = append(v, b[i:min(i+n, len(b))]...)
			if !room.Take(len(v)) || !yield(layer.View{Technique: "pieces", Offset: i, Bytes: v}) {
				return
			}
		}
	}}}
}

// counted counts the pieces that are opened, and does nothing.
func counted(calls *atomic.Int64) scan.Part {
	return scan.Part{Stage: layer.Stage{Technique: "counted", Open: func([]byte, *layer.Room, func(layer.View) bool) { calls.Add(1) }}}
}

func TestManySmallGuessesAreSearchedTogether(t *testing.T) {
	secrets, texts := mint(1)
	for _, kind := range []scan.Kind{scan.Decodes, scan.Selects} {
		var calls atomic.Int64
		in := slices.Concat(noise(64*500), to64(texts[0]), noise(64*500))
		in = in[:len(in)/64*64]
		got := scanner(t, secrets, scan.Options{Parts: append(small(), pieces(64, kind), counted(&calls))}).Bytes(t.Context(), in)
		if n := calls.Load(); n < 10 || n > 100 {
			t.Errorf("kind %d: 1000 small views in %d pieces", kind, n)
		}
		if len(got.Unproven) > 0 {
			t.Errorf("kind %d: %v", kind, got.Unproven)
		}
	}
}

// The secret is in one of the small views and in no bytes above them.
func TestWhatIsSearchedTogetherIsFound(t *testing.T) {
	secrets, texts := mint(1)
	inverted := func(b []byte) []byte {
		out := slices.Clone(b)
		for i := range out {
			out[i] = out[i]<<4 | out[i]>>4
		}
		return out
	}
	swap := scan.Part{Stage: layer.Stage{Technique: "swapped", Open: func(b []byte, room *layer.Room, yield func(layer.View) bool) {
		for i := 0; i+64 <= len(b) && len(b) > 1<<12; i += 64 {
			if !room.Take(64) || !yield(layer.View{Technique: "swapped", Offset: i, Bytes: inverted(b[i : i+64])}) {
				return
			}
		}
	}}}
	hidden := slices.Concat(noise(64*300), []byte("  "), texts[0])
	in := inverted(slices.Concat(hidden, noise(64-len(hidden)%64), noise(64*300)))
	got := scanner(t, secrets, scan.Options{Parts: []scan.Part{swap}}).Bytes(t.Context(), in)
	if len(got.Hits) == 0 || got.Hits[0].Class != scan.Certain || got.Hits[0].Technique != "swapped/plain" {
		t.Errorf("%v %v", got.Hits, got.Unproven)
	}
}
