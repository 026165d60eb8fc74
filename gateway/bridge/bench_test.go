package bridge_test

import (
	"io"
	"testing"

	"postern/gateway/bridge"
)

// BenchmarkRoundTrip measures a call from the agent's write to the reply that
// it has read, with a handler that does nothing.
func BenchmarkRoundTrip(b *testing.B) {
	for _, p := range []struct {
		name string
		pipe func() (io.ReadCloser, io.WriteCloser)
	}{{"memory", memory}, {"kernel", kernel(b)}} {
		b.Run(p.name, func(b *testing.B) {
			line := call("deliver", "0123456789abcdef0123456789abcdef")
			limits := bridge.Limits{Calls: bridge.MaxCalls, Output: bridge.MaxOutput}
			b.ReportAllocs()
			for left := b.N; left > 0; left -= bridge.MaxCalls {
				calls := min(left, bridge.MaxCalls)
				r, _ := session{pipe: p.pipe, limits: limits, handler: ok, agent: func(a *agent) {
					a.hear()
					for range calls {
						a.say(line)
						a.hear()
					}
				}}.run(b)
				if r.Outcome != bridge.Completed || r.Calls != calls {
					b.Fatalf("%s after %d calls", r.Outcome, r.Calls)
				}
			}
		})
	}
}

// BenchmarkDrain measures megabytes on stderr.
func BenchmarkDrain(b *testing.B) {
	const size = 2 << 20
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		r, _ := session{pipe: kernel(b), limits: bridge.Limits{Output: size}, handler: ok, agent: func(a *agent) {
			for range size / (32 << 10) {
				a.stderr.Write(make([]byte, 32<<10))
			}
		}}.run(b)
		if r.StderrBytes != size {
			b.Fatalf("read %d bytes", r.StderrBytes)
		}
	}
}
