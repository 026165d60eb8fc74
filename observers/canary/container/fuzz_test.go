package container

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"testing"
	"time"

	"postern/observers/canary/layer"
)

// FuzzStages feeds every stage: no panic, no more than the room, and time that
// grows with the input and the room only.
func FuzzStages(f *testing.F) {
	text := words(50)
	for _, seed := range seeds() {
		f.Add(seed)
	}
	f.Add(text)
	stages := Stages()
	f.Fuzz(func(t *testing.T, b []byte) {
		start := time.Now()
		for _, s := range stages {
			const size = 1 << 18
			room, held := layer.NewRoom(size), 0
			s.Open(b, room, func(v layer.View) bool {
				held += len(v.Bytes)
				if v.Offset < 0 || v.Offset > len(b) {
					t.Errorf("%s: offset %d of %d", v.Technique, v.Offset, len(b))
				}
				return true
			})
			if held > size {
				t.Errorf("%s: %d bytes", s.Technique, held)
			}
		}
		if took := time.Since(start); took > 20*time.Second {
			t.Errorf("%d bytes took %v", len(b), took)
		}
	})
}

// seeds are heads of every kind, so that a mutation need not guess them, and a
// few whole files.
func seeds() (all [][]byte) {
	for _, k := range kinds() {
		all = append(all, append([]byte(k.magic), noise(300, 2)...))
		all = append(all, append([]byte(k.magic), make([]byte, 600)...))
	}
	var g, z bytes.Buffer
	gw, zw := gzip.NewWriter(&g), zlib.NewWriter(&z)
	gw.Write(words(50))
	zw.Write(words(50))
	gw.Close()
	zw.Close()
	return append(all, g.Bytes(), z.Bytes(), pdf("/FlateDecode", z.Bytes()))
}

// TestHeadsWithoutEndTakeLinearTime repeats each magic through a large piece.
func TestHeadsWithoutEndTakeLinearTime(t *testing.T) {
	stages := Stages()
	zlib := len(zlibKinds())
	for _, seed := range seeds()[2*zlib-4 : 2*len(kinds())] {
		for _, keep := range []int{8, 200} {
			unit := seed[:min(keep, len(seed))]
			b := bytes.Repeat(unit, 100_000/len(unit))
			start := time.Now()
			for _, s := range stages {
				s.Open(b, layer.NewRoom(1<<20), func(layer.View) bool { return true })
			}
			if took := time.Since(start); took > 3*time.Second {
				t.Errorf("%x: %v", unit[:8], took)
			}
		}
	}
}
