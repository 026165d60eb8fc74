package dress_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"postern/observers/canary/dress"
	"postern/observers/canary/layer"
	"postern/observers/canary/layer/layertest"
)

// benign are pieces that hide nothing.
func benign(n int) map[string][]byte {
	r := rand.New(rand.NewPCG(5, 5))
	noise := make([]byte, n)
	for i := range noise {
		noise[i] = byte(r.Uint32())
	}
	logs := each(make([]int, n/60), func(i, _ int) string {
		return fmt.Sprintf("2026-03-01T10:%02d:%02d.%03dZ %s request id=%x took %dms\n", i/60%60, i%60, r.IntN(1000), []string{"INFO", "INFO", "INFO", "WARN"}[r.IntN(4)], r.Uint64(), r.IntN(300))
	})
	json := each(make([]int, n/60), func(i, _ int) string {
		return fmt.Sprintf(`{"id": %d, "name": "%s", "ok": %v, "tags": ["a", "%s"]}`+"\n", i, word(i), i%3 > 0, word(i*7))
	})
	return map[string][]byte{
		"noise":  noise,
		"zeros":  make([]byte, n),
		"prose":  repeat(prose, n),
		"base64": []byte(base64.StdEncoding.EncodeToString(noise[:n*3/4])),
		"logs":   logs,
		"json":   json,
		"many tongues": repeat("Заседание состоялось во вторник. 委员会在星期二开会讨论旧桥的修理。 Η επιτροπή συνεδρίασε. "+
			"اجتمعت اللجنة يوم الثلاثاء. समिति की बैठक हुई। Le comité s'est réuni à l'été. 위원회가 모였다. 👩‍👩‍👧 ❤️\n", n),
		"binary": bytes.Repeat(append([]byte("\x7fELF\x02\x01\x01\x00"), noise[:56]...), n/64),
	}
}

func repeat(s string, n int) []byte { return []byte(strings.Repeat(s, n/len(s)+1)[:n]) }

func TestNothingIsFoundInDecoys(t *testing.T) {
	raw, text := planted(1)
	stages := dress.Stages()
	for name, put := range dressings() {
		other, spelt := planted(2)
		for _, v := range views(t, stages, put(other, spelt)) {
			if bytes.Contains(v.Bytes, raw) || bytes.Contains(v.Bytes, []byte(text)) {
				t.Errorf("%s: another secret shows it", name)
			}
		}
	}
}

func TestViewsAreBounded(t *testing.T) {
	stages := dress.Stages()
	for _, n := range []int{2 << 10, 40 << 10, 300 << 10} {
		for name, b := range benign(n) {
			total, count := 0, 0
			for _, v := range views(t, stages, b) {
				total, count = total+len(v.Bytes), count+1
			}
			t.Logf("%-14s %7d bytes: %4d views, %4.1f times the piece", name, len(b), count, float64(total)/float64(len(b)))
			if count > 1600 || total > 16*len(b)+128<<10 {
				t.Errorf("%s of %d bytes: %d views of %d bytes", name, len(b), count, total)
			}
		}
	}
}

func TestRoomAndReceiverEndAStage(t *testing.T) {
	_, text := planted(1)
	b := scattered(strings.Repeat(text, 8))
	for _, s := range dress.Stages() {
		room, got := layer.NewRoom(200), 0
		s.Open(b, room, func(v layer.View) bool { got += len(v.Bytes); return true })
		if got > 200 {
			t.Errorf("%s: %d bytes out of a room of 200", s.Technique, got)
		}
		calls := 0
		s.Open(b, layer.NewRoom(1<<30), func(layer.View) bool { calls++; return false })
		if calls > 1 {
			t.Errorf("%s: %d views after the receiver had enough", s.Technique, calls)
		}
	}
}

func FuzzStages(f *testing.F) {
	raw, text := planted(1)
	for _, put := range dressings() {
		f.Add(put(raw, text))
	}
	for _, b := range benign(512) {
		f.Add(b)
	}
	for _, b := range layertest.Hostile() {
		f.Add(b)
	}
	stages := dress.Stages()
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, s := range stages {
			layertest.Stage(t, s, b, layertest.Bounds{Room: 1 << 20, Yield: 4, Beside: 32 << 10, Memory: 4 << 20, Each: 256})
		}
	})
}

func BenchmarkReject(b *testing.B) {
	stages := dress.Stages()
	for _, n := range []int{4 << 10, 128 << 10, 16 << 20} {
		for name, piece := range benign(n) {
			b.Run(fmt.Sprintf("%s/%d", name, n>>10), func(b *testing.B) {
				b.SetBytes(int64(len(piece)))
				for b.Loop() {
					for _, s := range stages {
						s.Open(piece, layer.NewRoom(1<<40), func(layer.View) bool { return true })
					}
				}
			})
		}
	}
}

// BenchmarkStage shows what each stage costs where it finds nothing.
func BenchmarkStage(b *testing.B) {
	stages := dress.Stages()
	for _, n := range []int{128 << 10, 16 << 20} {
		for name, piece := range benign(n) {
			for _, s := range stages {
				b.Run(fmt.Sprintf("%s/%d/%s", name, n>>10, s.Technique), func(b *testing.B) {
					b.SetBytes(int64(len(piece)))
					for b.Loop() {
						s.Open(piece, layer.NewRoom(1<<40), func(layer.View) bool { return true })
					}
				})
			}
		}
	}
}

func TestEveryTechniqueIsAChoiceOrAReading(t *testing.T) {
	readings := 0
	for _, s := range dress.Stages() {
		if !dress.Selects(s.Technique) {
			readings++
		}
	}
	if readings != 4 {
		t.Errorf("%d stages read text without choosing", readings)
	}
}
