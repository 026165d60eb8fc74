package gateway

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"postern/gateway/audit"
)

// quantiles reports what the design sets bars for.
func quantiles(b *testing.B, of string, took []time.Duration) {
	slices.Sort(took)
	for _, q := range []int{50, 95, 99} {
		b.ReportMetric(float64(took[len(took)*q/100].Nanoseconds())/1000, fmt.Sprintf("%sp%d-us", of, q))
	}
}

func timed(b *testing.B, step func()) {
	var took []time.Duration
	for b.Loop() {
		took = append(took, clocked(step))
	}
	quantiles(b, "", took)
}

func clocked(step func()) time.Duration {
	start := time.Now()
	step()
	return time.Since(start)
}

// The parts of a released call, each measured in turn in one run: the decision
// (alias, gate, arguments, policy, ceiling), its commitment, one durable row, and
// a bare call of the tool server over stdio. What is the gateway's own of the
// whole is the whole less that bare call; two rows are in it.
func BenchmarkParts(b *testing.B) {
	for name, log := range logs(b) {
		b.Run(name, func(b *testing.B) {
			g := inLog(b, log)
			f := asks(b, "deliver", secret)
			parts := map[string][]time.Duration{}
			part := func(name string, step func()) time.Duration {
				took := clocked(step)
				parts[name] = append(parts[name], took)
				return took
			}
			for b.Loop() {
				c := call{label: g.held.Label()}
				part("decide-", func() { _, leave := g.decide(b.Context(), &c, f); leave() })
				part("row-", func() { g.record(b.Context(), c, permitted, audit.Call(f.Operation, f.Arguments)) })
				tool := part("tool-", func() { g.server.Call(b.Context(), "vault_store", map[string]string{"text": secret}) })
				whole := part("whole-", func() {
					if g.Handle(b.Context(), f).Code != "" {
						b.Fatal("denied")
					}
				})
				parts["own-"] = append(parts["own-"], whole-tool)
			}
			for name, took := range parts {
				quantiles(b, name, took)
			}
		})
	}
}

// logs are what a row may wait for: a disk, or nothing.
func logs(b *testing.B) map[string]*audit.Log {
	disk, err := audit.Open(b.Context(), filepath.Join(b.TempDir(), "audit.db"))
	if err != nil {
		b.Fatal(err)
	}
	memory, err := audit.OpenMemory(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { disk.Close(); memory.Close() })
	return map[string]*audit.Log{"disk": disk, "memory": memory}
}

func inLog(b *testing.B, log *audit.Log) *Gateway {
	g, err := OpenIn(b.Context(), config(b, newSink(b)), log)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { g.Close() })
	return g
}

// Many callers share commits: what a decision and its durable row cost by the
// clock, and how long each waits.
func BenchmarkGroup(b *testing.B) {
	for _, callers := range []int{1, 8, 64} {
		b.Run(strconv.Itoa(callers), func(b *testing.B) {
			log := logs(b)["disk"]
			g := inLog(b, log)
			f := asks(b, "publish", secret)
			took := make([][]time.Duration, callers)
			began, rows, commits := time.Now(), log.Head().Rows, log.Commits()
			var all sync.WaitGroup
			for i := range took {
				all.Go(func() {
					for range max(b.N/callers, 1) {
						took[i] = append(took[i], clocked(func() { g.Handle(context.Background(), f) }))
					}
				})
			}
			all.Wait()
			elapsed, rows := time.Since(began), log.Head().Rows-rows
			b.ReportMetric(float64(elapsed.Nanoseconds())/1000/float64(rows), "us/call")
			b.ReportMetric(float64(rows)/float64(log.Commits()-commits), "rows/commit")
			quantiles(b, "", slices.Concat(took...))
		})
	}
}

// The decision alone: alias, arguments, policy, ceiling.
func BenchmarkDecide(b *testing.B) {
	g := opened(b, config(b, newSink(b)))
	f := asks(b, "deliver", secret)
	for b.Loop() {
		c := call{label: g.held.Label()}
		v, leave := g.decide(b.Context(), &c, f)
		leave()
		if v != permitted {
			b.Fatal("denied")
		}
	}
}

// A call that is denied at the last step: decision and one durable row.
func BenchmarkDenied(b *testing.B) {
	g := opened(b, config(b, newSink(b)))
	f := asks(b, "publish", secret)
	timed(b, func() {
		if g.Handle(b.Context(), f).Code != "denied-ceiling" {
			b.Fatal("not denied")
		}
	})
}

// A call that is released: two durable rows and the real tool server.
func BenchmarkReleased(b *testing.B) {
	g := opened(b, config(b, newSink(b)))
	f := asks(b, "deliver", secret)
	timed(b, func() {
		if g.Handle(b.Context(), f).Code != "" {
			b.Fatal("denied")
		}
	})
}

// What of BenchmarkReleased is the tool server's.
func BenchmarkUpstream(b *testing.B) {
	g := opened(b, config(b, newSink(b)))
	timed(b, func() {
		if _, err := g.server.Call(b.Context(), "vault_store", map[string]string{"text": secret}); err != nil {
			b.Fatal(err)
		}
	})
}

// From nothing to a gateway that serves, and back.
func BenchmarkOpenClose(b *testing.B) {
	c := config(b, newSink(b))
	timed(b, func() {
		g, err := Open(b.Context(), c)
		if err != nil {
			b.Fatal(err)
		}
		if err := g.Close(); err != nil {
			b.Fatal(err)
		}
	})
}
