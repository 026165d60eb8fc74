package container

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"fmt"
	"testing"

	"postern/observers/canary/layer"
	"postern/observers/canary/layer/layertest"
)

// FuzzStages feeds every stage: no more than the room, and memory that grows
// with the input, the room, and the largest window of a format only.
func FuzzStages(f *testing.F) {
	for _, seed := range seeds() {
		f.Add(seed)
	}
	for _, b := range layertest.Hostile() {
		f.Add(b)
	}
	f.Add(words(50))
	stages := Stages()
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, s := range stages {
			layertest.Stage(t, s, b, layertest.Bounds{Room: 1 << 18, Memory: 40 << 20, Each: 256})
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
			layertest.Linear(t, fmt.Sprintf("%x", unit[:8]), func(b []byte) {
				for _, s := range stages {
					s.Open(b, layer.NewRoom(1<<20), func(layer.View) bool { return true })
				}
			}, b[:len(b)/layertest.Larger], b)
		}
	}
}
