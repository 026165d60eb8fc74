package audit

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// One row after the other: each waits for the disk by itself (fsync per call).
// Beside it the same rows without that wait, and without a file.
func BenchmarkAppend(b *testing.B) {
	for _, kind := range []struct {
		name string
		open func() (*Log, error)
	}{
		{"full", func() (*Log, error) { return Open(b.Context(), filepath.Join(b.TempDir(), "audit.db")) }},
		{"nosync", func() (*Log, error) {
			return OpenWeakLog(b.Context(), filepath.Join(b.TempDir(), "audit.db"), Weakness{NoSync: true})
		}},
		{"memory", func() (*Log, error) { return OpenMemory(b.Context()) }},
	} {
		b.Run(kind.name, func(b *testing.B) { load(b, opened(b)(kind.open()), 1) })
	}
}

// Many callers share commits (group commit): what a row costs by the clock and
// in processor time, and how long each caller waits.
func BenchmarkGroup(b *testing.B) {
	for _, callers := range []int{8, 64} {
		b.Run(strconv.Itoa(callers), func(b *testing.B) {
			load(b, open(b, filepath.Join(b.TempDir(), "audit.db")), callers)
		})
	}
}

func load(b *testing.B, log *Log, callers int) {
	s := log.Session("s1")
	took := make([][]time.Duration, callers)
	began, used := time.Now(), processor(b)
	var all sync.WaitGroup
	for i := range took {
		all.Go(func() {
			for range max(b.N/callers, 1) {
				start := time.Now()
				if err := s.Append(context.Background(), sample(1)); err != nil {
					b.Error(err)
				}
				took[i] = append(took[i], time.Since(start))
			}
		})
	}
	all.Wait()
	rows := float64(log.Head().Rows)
	b.ReportMetric(float64(time.Since(began).Nanoseconds())/1000/rows, "us/row")
	b.ReportMetric(float64((processor(b)-used).Nanoseconds())/1000/rows, "cpu-us/row")
	b.ReportMetric(rows/float64(log.Commits()), "rows/commit")
	waits := slices.Concat(took...)
	slices.Sort(waits)
	for _, q := range []int{50, 95, 99} {
		b.ReportMetric(float64(waits[len(waits)*q/100].Nanoseconds())/1000, fmt.Sprintf("p%d-us", q))
	}
}

// processor is the processor time that this process has used.
func processor(b *testing.B) time.Duration {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
