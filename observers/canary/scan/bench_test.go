package scan_test

import (
	"slices"
	"testing"

	"postern/observers/canary/scan"
)

func BenchmarkMixedWithoutAHit(b *testing.B) {
	var in []byte
	for range 64 {
		in = slices.Concat(in, noise(64<<10), words(64<<10))
	}
	secrets, _ := mint(1)
	for name, o := range map[string]scan.Options{"all": {}, "no-parts": {Parts: []scan.Part{}}} {
		o.Workers = 1
		s, err := scan.New(secrets, o)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(in)))
			for b.Loop() {
				s.Bytes(b.Context(), in)
			}
		})
	}
}
