package scan_test

import (
	"reflect"
	"slices"
	"testing"

	"postern/observers/canary/layer"
	"postern/observers/canary/layer/layertest"
	"postern/observers/canary/scan"
	"postern/observers/canary/secret"
)

// counter is a part that makes nothing of anything, and counts what it is given.
type counter struct{ pieces, bytes int }

func (c *counter) part() scan.Part {
	return scan.Part{Kind: scan.Decodes, Stage: layer.Stage{Technique: "counter", Open: func(b []byte, _ *layer.Room, _ func(layer.View) bool) {
		c.pieces++
		c.bytes += len(b)
	}}}
}

const (
	fuzzBase    = 1 << 20
	fuzzPerByte = 4
	fuzzRounds  = 4  // in which a piece is opened again with more room
	fuzzTwice   = 32 // hits of two secrets
)

// Whatever the bytes are, the search ends, breaks nothing, keeps to its budget,
// says the same on any number of cores, and either says why it proves nothing or
// finds what was put behind them.
func FuzzScan(f *testing.F) {
	secrets, texts := mint(2)
	for _, seed := range [][]byte{nil, texts[0], zip(texts[0]), to64(zip(noise(40))), words(300), noise(300), zip(make([]byte, 100_000))} {
		f.Add(seed)
	}
	for _, seed := range layertest.Hostile() {
		f.Add(seed)
	}
	real := zip(to64(texts[1]))
	f.Fuzz(func(t *testing.T, b []byte) {
		in := slices.Concat(b, real)
		var steps counter
		got := fuzzed(t, secrets, 1, &steps, in)
		if budget := len(in) + fuzzBase + fuzzPerByte*len(in); steps.bytes > fuzzRounds*budget || steps.pieces > fuzzRounds*(1+budget/256) {
			t.Fatalf("%d pieces of %d bytes, of a budget of %d", steps.pieces, steps.bytes, budget)
		}
		if again := fuzzed(t, secrets, 3, nil, in); !reflect.DeepEqual(got, again) {
			t.Fatalf("%v, and then %v", got, again)
		}
		if slices.Contains(got.Unproven, scan.Failed) {
			t.Fatal("a stage broke")
		}
		if !slices.ContainsFunc(got.Hits, func(h scan.Hit) bool { return h.Secret == 1 }) && len(got.Unproven) == 0 {
			t.Fatal("clean, and it was there")
		}
		for _, h := range got.Hits {
			if h.Offset < 0 || h.Offset > int64(len(in)) || h.Bits <= 0 || h.Bits > secrets[h.Secret].Bits() {
				t.Fatalf("%d bits at %d of %d", h.Bits, h.Offset, len(in))
			}
		}
		if len(got.Hits) > fuzzTwice {
			t.Fatalf("%d hits of two secrets", len(got.Hits))
		}
	})
}

func fuzzed(t *testing.T, secrets []secret.Secret, workers int, steps *counter, b []byte) scan.Result {
	parts := small()
	if steps != nil {
		parts = append(parts, steps.part())
	}
	s, err := scan.New(secrets, scan.Options{Base: fuzzBase, PerByte: fuzzPerByte, Parts: parts, Workers: workers})
	if err != nil {
		t.Fatal(err)
	}
	return s.Bytes(t.Context(), b)
}
