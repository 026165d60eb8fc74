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
