package canary_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"testing"
)

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
	for _, n := range []int{1, 25, 100} {
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

// BenchmarkMessage judges what a sink sees most: a datagram of DNS and a line
// of a log.
func BenchmarkMessage(b *testing.B) {
	w := watchFor(b, mint(100))
	for name, m := range messages() {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(m)))
			for b.Loop() {
				w.Scan(m)
			}
		})
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
	w := watchFor(t, mint(100))
	s := w.Stream()
	for name, m := range messages() {
		if n := testing.AllocsPerRun(100, func() { w.Scan(m); s.Write(m) }); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}
