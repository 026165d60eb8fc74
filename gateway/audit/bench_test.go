package audit

import (
	"context"
	"path/filepath"
	"testing"
)

func BenchmarkAppend(b *testing.B) {
	for name, open := range map[string]func() (*Log, error){
		"full": func() (*Log, error) { return Open(b.Context(), filepath.Join(b.TempDir(), "audit.db")) },
		"nosync": func() (*Log, error) {
			return OpenWeakLog(b.Context(), filepath.Join(b.TempDir(), "audit.db"), Weakness{NoSync: true})
		},
		"memory": func() (*Log, error) { return OpenMemory(b.Context()) },
	} {
		b.Run(name, func(b *testing.B) {
			s := opened(b)(open()).Session("s1")
			for b.Loop() {
				if err := s.Append(b.Context(), sample(1)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// Many callers share commits; this is the cost of one row under load.
func BenchmarkAppendParallel(b *testing.B) {
	log := open(b, filepath.Join(b.TempDir(), "audit.db"))
	s := log.Session("s1")
	b.SetParallelism(32)
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if err := s.Append(context.Background(), sample(1)); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.ReportMetric(float64(log.Head().Rows)/float64(log.Commits()), "rows/commit")
}
