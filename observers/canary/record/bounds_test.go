package record_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"postern/observers/canary/layer"
	"postern/observers/canary/layer/layertest"
	"postern/observers/canary/record"
)

// taken is how much all stages yield for b.
func taken(b []byte, room int) (n, views int, spent bool) {
	for _, s := range record.Stages() {
		r := layer.NewRoom(room)
		s.Open(b, r, func(v layer.View) bool {
			n += len(v.Bytes)
			views++
			return true
		})
		spent = spent || r.Spent()
	}
	return n, views, spent
}

func prose(n int) []byte {
	r := rand.New(rand.NewPCG(5, 6))
	var b []byte
	for len(b) < n {
		b = append(append(b, filler[r.IntN(len(filler))]...), " \n"[r.IntN(12)/11])
	}
	return b[:n]
}

func noise(n int) []byte {
	r := rand.New(rand.NewPCG(8, 8))
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

func code(n int) []byte {
	r := rand.New(rand.NewPCG(2, 4))
	var b []byte
	for len(b) < n {
		b = fmt.Appendf(b, "func %s(%s int) error {\n\tif %s := %s(%s); %s != nil {\n\t\treturn %s\n\t}\n}\n\n",
			filler[r.IntN(30)], filler[r.IntN(30)], filler[r.IntN(30)], filler[r.IntN(30)], filler[r.IntN(30)], filler[r.IntN(30)], filler[r.IntN(30)])
	}
	return b[:n]
}

func logged(n int) []byte {
	r := rand.New(rand.NewPCG(2, 4))
	var b []byte
	for len(b) < n {
		b = fmt.Appendf(b, "2026-11-30T06:%02d:%02dZ host app[%d]: level=info msg=\"%s %s\" took=%dms id=%08x\n",
			r.IntN(60), r.IntN(60), r.IntN(5), filler[r.IntN(30)], filler[r.IntN(30)], r.IntN(999), r.Uint32())
	}
	return b[:n]
}

func TestOutputIsBounded(t *testing.T) {
	for name, make := range kinds() {
		for _, n := range []int{0, 1, 7, 300, 20_000, 1<<20 + 4096} {
			b := make(n)
			got, views, spent := taken(b, 1<<30)
			if most := 2<<20 + 2*n; got > most {
				t.Errorf("%s, %d bytes: %d bytes out", name, n, got)
			}
			if n > 1<<20 && got > 2*n {
				t.Errorf("%s, %d bytes: %d bytes out", name, n, got)
			}
			if spent {
				t.Errorf("%s, %d bytes: a large room is spent", name, n)
			}
			if views > 2000 {
				t.Errorf("%s, %d bytes: %d views", name, n, views)
			}
		}
	}
}

func kinds() map[string]func(int) []byte {
	return map[string]func(int) []byte{"prose": prose, "noise": noise, "code": code, "log": logged,
		"zeros": func(n int) []byte { return make([]byte, n) }}
}

func TestSmallRoomIsSpent(t *testing.T) {
	if n, _, spent := taken(logged(2000), 100); !spent || n > 100*len(record.Stages()) {
		t.Errorf("%d bytes out of small rooms, spent %v", n, spent)
	}
}

func TestStagesStopWhenTold(t *testing.T) {
	for _, s := range record.Stages() {
		calls := 0
		s.Open(logged(5000), layer.NewRoom(1<<20), func(layer.View) bool { calls++; return false })
		if calls > 1 {
			t.Errorf("%s went on %d times", s.Technique, calls-1)
		}
	}
}

// TestHostileInputIsLinear has what would make a careless reader quadratic.
func TestHostileInputIsLinear(t *testing.T) {
	const size = 16 << 10
	for _, unit := range []string{"[", "{\"a\":", "<a ", "<!--", "a=\"", "\"\\", "\x1b]", "(", "/*", "1:", "--\n", "\r", "=", "0 ", "a\x00", "\r\n\r\n", "a.", ",", "a-b: 'c\n"} {
		b := bytes.Repeat([]byte(unit), layertest.Larger*size/len(unit))
		for _, s := range record.Stages() {
			open := func(b []byte) { s.Open(b, layer.NewRoom(1<<30), func(layer.View) bool { return true }) }
			layertest.Linear(t, string(s.Technique)+" on repeated "+unit, open, b[:size], b)
		}
	}
}

func TestFramingIsNoSelection(t *testing.T) {
	for technique, want := range map[layer.Technique]bool{"lines": true, "stride": true, "docker-log": false, "chunked": false, "markup-text": false, "gzip": false} {
		if record.Selects(technique) != want {
			t.Errorf("%s selects: want %v", technique, want)
		}
	}
}

func FuzzStages(f *testing.F) {
	for _, c := range [][]hidden{overLines(), overDocuments(), overFrames(), overPlaces()} {
		for _, h := range c {
			f.Add([]byte(h.b))
		}
	}
	for _, b := range layertest.Hostile() {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, s := range record.Stages() {
			layertest.Stage(t, s, b, layertest.Bounds{Room: 1 << 18, Views: 400, Memory: 4 << 20, Each: 256})
		}
	})
}

func BenchmarkReject(b *testing.B) {
	for _, name := range []string{"prose", "noise", "code", "zeros", "log"} {
		data := kinds()[name](8 << 20)
		for _, s := range record.Stages() {
			b.Run(strings.Join([]string{name, string(s.Technique)}, "/"), func(b *testing.B) {
				b.SetBytes(int64(len(data)))
				for b.Loop() {
					s.Open(data, layer.NewRoom(1<<30), func(layer.View) bool { return true })
				}
			})
		}
	}
}
