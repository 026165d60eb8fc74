package audit

import (
	"path/filepath"
	"testing"
)

func BenchmarkAppend(b *testing.B) {
	log := open(b, filepath.Join(b.TempDir(), "audit.db"))
	for b.Loop() {
		if err := log.Append(b.Context(), sample(1)); err != nil {
			b.Fatal(err)
		}
	}
}

// Many callers share commits; this is the cost of one row under load.
func BenchmarkAppendParallel(b *testing.B) {
	log := open(b, filepath.Join(b.TempDir(), "audit.db"))
	b.SetParallelism(32)
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if err := log.Append(b.Context(), sample(1)); err != nil {
				b.Fatal(err)
			}
		}
	})
}
