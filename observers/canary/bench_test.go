package canary_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"syscall"
	"testing"
	"time"

	"postern/observers/canary"
)

// perTrial is about how many canaries a trial mints.
const perTrial = 240

// mixed is half noise and half text without a canary.
func mixed() []byte {
	b := noise(rand.New(rand.NewPCG(7, 7)), 16<<20)
	for i := range b {
		if i>>16&1 == 0 {
			b[i] = " etaoinshrdlu0123456789abcdef.,\n"[b[i]&31]
		}
	}
	return b
}

var sink uint64

func BenchmarkScan(b *testing.B) {
	data := mixed()
	for _, n := range []int{1, 25, 100, perTrial} {
		w := watchFor(b, mint(n))
		b.Run(fmt.Sprintf("%d-canaries", n), func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				w.Scan(data)
			}
		})
		b.Run(fmt.Sprintf("%d-canaries-stream-32k", n), func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				s := w.Stream()
				for rest := data; len(rest) > 0; rest = rest[32<<10:] {
					s.Write(rest[:32<<10])
				}
			}
		})
	}
	one := []byte(mint(1)[0].Canary.Reveal())
	b.Run("bytes.Index-one-form", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		for b.Loop() {
			bytes.Index(data, one)
		}
	})
	b.Run("sum-of-words", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		for b.Loop() {
			for p := data; len(p) >= 8; p = p[8:] {
				sink += binary.LittleEndian.Uint64(p)
			}
		}
	})
}

// BenchmarkPrepare is what a trial pays before it begins: time on a core, which
// other processes do not change.
func BenchmarkPrepare(b *testing.B) {
	for _, n := range []int{1, perTrial} {
		entries := mint(n)
		b.Run(fmt.Sprintf("%d-canaries", n), func(b *testing.B) {
			b.ReportAllocs()
			began := spent()
			for b.Loop() {
				if _, err := canary.NewWatch(entries); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64((spent()-began).Microseconds())/1e3/float64(b.N), "cpu-ms/op")
		})
	}
}

func spent() time.Duration {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

const thousand = 1000

// BenchmarkMessage judges what a sink sees most, a datagram of DNS and a line of
// a log, for all canaries of a trial; beside it bytes.Index looks for one form.
func BenchmarkMessage(b *testing.B) {
	entries := mint(perTrial)
	w, one := watchFor(b, entries), []byte(entries[0].Canary.Reveal())
	for name, m := range messages() {
		for way, judge := range map[string]func(){"watch": func() { w.Scan(m) }, "bytes.Index-one-form": func() { bytes.Index(m, one) }} {
			b.Run(name+"/"+way, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					for range thousand {
						judge()
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/thousand, "ns/message")
			})
		}
	}
}

func messages() map[string][]byte {
	name := "\x20a3f1c0ffee5d00dbadc0de1234567890ab\x06region\x07example\x03com\x00"
	return map[string][]byte{
		"dns-datagram": []byte("\x1a\x2b\x01\x00\x00\x01\x00\x00\x00\x00\x00\x01" + name + "\x00\x10\x00\x01\x00\x00\x29\x04\xd0\x00\x00\x00\x00\x00\x00"),
		"log-line":     []byte(`{"ts":"2026-03-01T12:00:00.123456Z","level":"info","svc":"gateway","req":"a3f1c0ffee5d00dbadc0de1234567890","msg":"the worker retried the request and was done","ms":17.25}`),
	}
}

// A stream is judged as it comes: what allocates for each message would be felt.
func TestMessagesAreJudgedWithoutAllocation(t *testing.T) {
	w := watchFor(t, mint(perTrial))
	s := w.Stream()
	for name, m := range messages() {
		if n := testing.AllocsPerRun(100, func() { w.Scan(m); s.Write(m) }); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}
