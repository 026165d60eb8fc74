package engine

import (
	"testing"
	"time"
)

// BenchmarkEngine gives, in ms, how long the private Engine takes for what a
// trial does with it.
func BenchmarkEngine(b *testing.B) {
	for name, o := range map[string]Options{"own": {}, "separate": {Separate: true}} {
		b.Run(name, func(b *testing.B) {
			total := map[string]time.Duration{}
			timed := func(what string, f func() error) {
				began := time.Now()
				if err := f(); err != nil {
					b.Fatal(err)
				}
				total[what] += time.Since(began)
			}
			for b.Loop() {
				dir := place(b)
				began := time.Now()
				e, err := o.Start(b.Context(), dir)
				if err != nil {
					b.Fatal(err)
				}
				total["start"] += time.Since(began)
				timed("stop", func() error { return e.Stop(b.Context()) })
				timed("restart", func() error { return e.Restart(b.Context()) })
				timed("kill", e.Kill)
				timed("restart-after-kill", func() error { return e.Restart(b.Context()) })
				timed("close", func() error { return e.Close(b.Context()) })
			}
			for what, took := range total {
				b.ReportMetric(float64(took.Microseconds())/1000/float64(b.N), what+"-ms")
			}
		})
	}
}

// BenchmarkContainer compares storage drivers: create, attach and start.
func BenchmarkContainer(b *testing.B) {
	for _, storage := range []string{"", "overlay2", "fuse-overlayfs", "vfs"} {
		b.Run("storage="+storage, func(b *testing.B) {
			e := started(b, Options{Storage: storage})
			api := apiOf(b, e.Socket())
			image := agentImage(b, api)
			for b.Loop() {
				a := running(b, api, image, awaits)
				b.StopTimer()
				a.remove()
				b.StartTimer()
			}
		})
	}
}
