package forms_test

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"syscall"
	"testing"
	"time"

	"postern/observers/canary/forms"
	"postern/observers/canary/secret"
)

func secretsOf(n int) []secret.Secret {
	r := rand.New(rand.NewPCG(1, uint64(n)))
	var out []secret.Secret
	for range n {
		out = append(out, secretOf(r, ""))
	}
	return out
}

// blend is half noise and half text without a secret.
func blend(n int) []byte {
	r := rand.New(rand.NewPCG(7, 7))
	b := make([]byte, n)
	for i := range b {
		if b[i] = byte(r.Uint32()); i>>16&1 == 0 {
			b[i] = " etaoinshrdlu0123456789abcdef.,\n"[b[i]&31]
		}
	}
	return b
}

var sum uint64

func add(b []byte) {
	for ; len(b) >= 32; b = b[32:] {
		sum += binary.LittleEndian.Uint64(b) + binary.LittleEndian.Uint64(b[8:]) + binary.LittleEndian.Uint64(b[16:]) + binary.LittleEndian.Uint64(b[24:])
	}
}

// BenchmarkAlwaysOn puts the pass for all forms beside bytes.Index for one of
// them and beside the mere adding up of the same memory, in turn, so that what
// the machine does meanwhile touches all alike: read the ratio. Of each piece of
// the data the best round counts, which no other process had a part in.
func BenchmarkAlwaysOn(b *testing.B) {
	data := blend(16 << 20)
	for _, n := range []int{1, 100, 240} {
		secrets := secretsOf(n)
		m, err := forms.New(secrets)
		if err != nil {
			b.Fatal(err)
		}
		text := []byte(hex.EncodeToString(secrets[0].Raw()))
		b.Run(fmt.Sprintf("%d-canaries", n), func(b *testing.B) {
			var pass, index, adding best
			for b.Loop() {
				pass.round(data, func(b []byte) { m.Find(nil, b) })
				index.round(data, func(b []byte) { bytes.Index(b, text) })
				adding.round(data, add)
			}
			b.ReportMetric(pass.rate(), "pass-GB/s")
			b.ReportMetric(index.rate(), "index-GB/s")
			b.ReportMetric(adding.rate(), "sum-GB/s")
			b.ReportMetric(pass.rate()/adding.rate(), "ratio")
			b.ReportMetric(float64(m.Memory()), "B-held")
		})
	}
}

// best is the least that each piece of the data took in any round.
type best struct{ pieces [256]time.Duration }

func (t *best) round(data []byte, f func([]byte)) {
	size := len(data) / len(t.pieces)
	for i := range t.pieces {
		began := time.Now()
		f(data[i*size : (i+1)*size])
		if took := max(time.Since(began), 1); t.pieces[i] == 0 || took < t.pieces[i] {
			t.pieces[i] = took
		}
	}
}

func (t *best) rate() float64 {
	var sum time.Duration
	for _, d := range t.pieces {
		sum += d
	}
	return float64(16<<20) / float64(sum.Nanoseconds())
}

// spent is the time that this process had a core, which other processes do not
// change.
func spent() time.Duration {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkPrepare is what a trial pays before the first byte is searched.
func BenchmarkPrepare(b *testing.B) {
	for _, n := range []int{1, 25, 240} {
		secrets := secretsOf(n)
		b.Run(fmt.Sprintf("%d-canaries", n), func(b *testing.B) {
			began := spent()
			for b.Loop() {
				if _, err := forms.New(secrets); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64((spent()-began).Microseconds())/1e3/float64(b.N), "cpu-ms/op")
		})
	}
}
