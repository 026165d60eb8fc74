package scan_test

import (
	"slices"
	"testing"

	"postern/observers/canary/scan"
)

// Whatever the bytes are, the search ends, breaks nothing, and either says why
// it proves nothing or finds what was put behind them.
func FuzzScan(f *testing.F) {
	secrets, texts := mint(2)
	for _, seed := range [][]byte{nil, texts[0], zip(texts[0]), to64(zip(noise(40))), words(300), noise(300), zip(make([]byte, 100_000))} {
		f.Add(seed)
	}
	s, err := scan.New(secrets, scan.Options{Base: 1 << 20, PerByte: 4, Parts: small(), Workers: 1})
	if err != nil {
		f.Fatal(err)
	}
	real := zip(to64(texts[1]))
	f.Fuzz(func(t *testing.T, b []byte) {
		got := s.Bytes(t.Context(), slices.Concat(b, real))
		if slices.Contains(got.Unproven, scan.Failed) {
			t.Fatal("a stage broke")
		}
		found := slices.ContainsFunc(got.Hits, func(h scan.Hit) bool { return h.Secret == 1 })
		if !found && len(got.Unproven) == 0 {
			t.Fatal("clean, and it was there")
		}
		if len(got.Hits) > 32 {
			t.Fatalf("%d hits of two secrets", len(got.Hits))
		}
	})
}
