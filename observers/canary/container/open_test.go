package container

import (
	"bytes"
	"math/rand/v2"
	"os"
	"testing"

	"postern/observers/canary/layer"
)

// needle is what every container of the tests holds, in words that compress.
const needle = "needle-0123456789abcdef and the needle again"

// words is text that a compressor finds something in, with the needle at its end.
func words(n int) []byte {
	r := rand.New(rand.NewPCG(1, 2))
	b := []byte("needle-01 and 23456789 and abcdef and ")
	for range n {
		b = append(b, []string{"alpha ", "bravo ", "charlie ", "delta ", "echo "}[r.IntN(5)]...)
	}
	return append(b, needle...)
}

// noise is the same for the same seed, and begins no container.
func noise(n int, seed uint64) []byte {
	r := rand.New(rand.NewPCG(seed, 7))
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

// views is what all stages make of b.
func views(b []byte, room int) (all []layer.View, spent bool) {
	for _, s := range Stages() {
		r := layer.NewRoom(room)
		s.Open(b, r, func(v layer.View) bool {
			all = append(all, v)
			return true
		})
		spent = spent || r.Spent()
	}
	return all, spent
}

// shows reports whether a view holds want, in the named technique if any.
func shows(b []byte, t layer.Technique, want string) bool {
	all, _ := views(b, 64<<20)
	for _, v := range all {
		if (t == "" || v.Technique == t) && bytes.Contains(v.Bytes, []byte(want)) {
			return true
		}
	}
	return false
}

// around puts noise before and after.
func around(b []byte) []byte {
	return append(append(noise(1001, 3), b...), noise(500, 4)...)
}

func fixture(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func wantShown(t *testing.T, b []byte, technique layer.Technique, want string) {
	t.Helper()
	if !shows(b, technique, want) {
		t.Errorf("%s: not shown (%d bytes)", technique, len(b))
	}
}
