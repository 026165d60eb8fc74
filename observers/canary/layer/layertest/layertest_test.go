package layertest_test

import (
	"fmt"
	"strings"
	"testing"

	"postern/observers/canary/layer"
	"postern/observers/canary/layer/layertest"
)

// recorder takes down why a check failed, and ends it.
type recorder struct{ why string }

func (*recorder) Helper() {}
func (r *recorder) Fatalf(format string, args ...any) {
	r.why = fmt.Sprintf(format, args...)
	panic(r)
}

// failure is what a check says, or nothing.
func failure(check func(layertest.TB)) (why string) {
	r := &recorder{}
	defer func() {
		if p := recover(); p != nil && p != any(r) {
			panic(p)
		}
		why = r.why
	}()
	check(r)
	return r.why
}

type opening = func(b []byte, room *layer.Room, yield func(layer.View) bool)

// halving is a stage that keeps every promise.
func halving(b []byte, room *layer.Room, yield func(layer.View) bool) {
	for n := len(b) / 2; n > 0; n /= 2 {
		if !room.Take(n) || !yield(layer.View{Bytes: append([]byte{}, b[:n]...)}) {
			return
		}
	}
}

func TestABrokenPromiseOfAStageIsSeen(t *testing.T) {
	if why := failure(func(r layertest.TB) { check(r, halving) }); why != "" {
		t.Fatalf("a good stage: %s", why)
	}
	calls, used := 0, make([]byte, 8)
	var kept [][]byte
	for want, open := range map[string]opening{
		"bytes of room": func(b []byte, _ *layer.Room, yield func(layer.View) bool) {
			yield(layer.View{Bytes: make([]byte, 5000)})
		},
		"a view of 8 bytes from": func(b []byte, room *layer.Room, yield func(layer.View) bool) {
			room.Take(8)
			yield(layer.View{Offset: 65, Bytes: b[:8]})
		},
		"a view of 0 bytes": func(_ []byte, _ *layer.Room, yield func(layer.View) bool) { yield(layer.View{}) },
		": 101 views": func(b []byte, room *layer.Room, yield func(layer.View) bool) {
			for range 101 {
				if !room.Take(1) || !yield(layer.View{Bytes: b[:1]}) {
					return
				}
			}
		},
		"bytes of views for": func(b []byte, room *layer.Room, yield func(layer.View) bool) {
			if room.Take(600) {
				yield(layer.View{Bytes: make([]byte, 600)})
			}
		},
		"bytes of memory":   func([]byte, *layer.Room, func(layer.View) bool) { kept = append(kept, make([]byte, 2<<20)) },
		"changed its input": func(b []byte, _ *layer.Room, _ func(layer.View) bool) { b[0]++ },
		"after it was yielded": func(_ []byte, room *layer.Room, yield func(layer.View) bool) {
			room.Take(8)
			yield(layer.View{Bytes: used})
			used[0]++
		},
		"another the second": func(_ []byte, room *layer.Room, yield func(layer.View) bool) {
			calls++
			room.Take(1)
			yield(layer.View{Bytes: []byte{byte(calls)}})
		},
		"spent false, and then": func(b []byte, room *layer.Room, yield func(layer.View) bool) {
			b = b[:min(len(b), 8)]
			calls++
			spendAt(room, calls%2)
		},
		"of room for 7, spent": func(b []byte, room *layer.Room, yield func(layer.View) bool) {
			if room.Left() >= 8 && room.Take(8) {
				yield(layer.View{Bytes: b[:8]})
			}
		},
		"the receiver had enough": func(b []byte, room *layer.Room, yield func(layer.View) bool) {
			for i := range 3 {
				if room.Take(8) {
					yield(layer.View{Bytes: b[i : i+8]})
				}
			}
		},
	} {
		if why := failure(func(r layertest.TB) { check(r, open) }); !strings.Contains(why, want) {
			t.Errorf("%s: it says %q", want, why)
		}
	}
}

func spendAt(room *layer.Room, n int) {
	if n == 0 {
		room.Spend()
	}
}

func check(t layertest.TB, open opening) {
	b := []byte(strings.Repeat("a piece ", 8))
	layertest.Stage(t, layer.Stage{Technique: "one", Open: open}, b, layertest.Bounds{Room: 1000, Views: 100, Yield: 2, Beside: 64, Memory: 1 << 20, Each: 64})
}

func TestABrokenPromiseOfAFinderIsSeen(t *testing.T) {
	calls := 0
	good := layer.Match{Secret: 1, Technique: "one", Offset: 3, Bits: 64}
	for want, find := range map[string]func(b []byte, yield func(layer.Match) bool){
		"":                  func(_ []byte, yield func(layer.Match) bool) { _ = yield(good) && yield(good) },
		"bits of secret 2":  func(_ []byte, yield func(layer.Match) bool) { yield(layer.Match{Secret: 2, Bits: 64}) },
		"at 8 of 8":         func(_ []byte, yield func(layer.Match) bool) { yield(layer.Match{Offset: 8, Bits: 64}) },
		"23 bits":           func(_ []byte, yield func(layer.Match) bool) { yield(layer.Match{Bits: 23}) },
		"129 bits":          func(_ []byte, yield func(layer.Match) bool) { yield(layer.Match{Bits: 129}) },
		"the second time":   func(_ []byte, yield func(layer.Match) bool) { calls++; yield(layer.Match{Offset: calls % 8, Bits: 64}) },
		"had enough":        func(_ []byte, yield func(layer.Match) bool) { yield(good); yield(good) },
		"changed its input": func(b []byte, _ func(layer.Match) bool) { b[0]++ },
	} {
		why := failure(func(r layertest.TB) {
			layertest.Finder(r, layer.NewFinder(find), []byte("a piece "), layertest.Found{Secrets: 2, Least: 24, Most: 128})
		})
		if want == "" && why != "" || !strings.Contains(why, want) {
			t.Errorf("%s: it says %q", want, why)
		}
	}
}

// A seed that is empty would be no test, and a large one slow.
func TestHostilePiecesAreBuilt(t *testing.T) {
	all := layertest.Hostile()
	if len(all) < 25 {
		t.Errorf("%d pieces", len(all))
	}
	for name, b := range all {
		if len(b) == 0 || len(b) > 64<<10 {
			t.Errorf("%s: %d bytes", name, len(b))
		}
	}
}
