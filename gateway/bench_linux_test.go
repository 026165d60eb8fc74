package gateway

import (
	"slices"
	"testing"
	"time"
)

// quantiles reports what the design sets bars for: the median and the p99.
func quantiles(b *testing.B, took []time.Duration) {
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds()), "p50-us")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "p99-us")
}

func timed(b *testing.B, step func()) {
	var took []time.Duration
	for b.Loop() {
		start := time.Now()
		step()
		took = append(took, time.Since(start))
	}
	quantiles(b, took)
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
