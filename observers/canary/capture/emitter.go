package capture

import (
	"hash/maphash"
	"slices"

	"postern/observers/canary/layer"
)

const (
	viewLeast = 6       // bytes: fewer are no evidence of anything
	viewsMost = 1 << 15 // of one piece
	unitsMost = 1 << 13 // of one flow whose fields are followed
	bytesMost = 1 << 20 // of one list whose orders and selections are tried
)

// emitter yields each content once, while there is room.
type emitter struct {
	technique layer.Technique
	room      *layer.Room
	yield     func(layer.View) bool
	seed      maphash.Seed
	seen      map[uint64]struct{}
	off       int
	done      bool
}

func newEmitter(t layer.Technique, room *layer.Room, yield func(layer.View) bool) *emitter {
	return &emitter{technique: t, room: room, yield: yield}
}

// at is the emitter for what came from an offset.
func (e *emitter) at(off int) *emitter {
	e.off = off
	return e
}

func (e *emitter) give(b []byte) { e.join([][]byte{b}, "") }

// join yields the parts with a separator between them.
func (e *emitter) join(parts [][]byte, sep string) {
	n := max(0, len(parts)-1) * len(sep)
	for _, p := range parts {
		n += len(p)
	}
	if e.done || n < viewLeast || !e.fresh(parts, sep) {
		return
	}
	if !e.room.Take(n) {
		e.done = e.room.Left() < viewLeast
		return
	}
	out := make([]byte, 0, n)
	for i, p := range parts {
		if i > 0 {
			out = append(out, sep...)
		}
		out = append(out, p...)
	}
	e.done = !e.yield(layer.View{Technique: e.technique, Offset: e.off, Bytes: out})
}

func (e *emitter) fresh(parts [][]byte, sep string) bool {
	if len(e.seen) >= viewsMost {
		e.room.Spend()
		e.done = true
		return false
	}
	if e.seen == nil {
		e.seed, e.seen = maphash.MakeSeed(), map[uint64]struct{}{}
	}
	var h maphash.Hash
	h.SetSeed(e.seed)
	for i, p := range parts {
		if i > 0 {
			h.WriteString(sep)
		}
		h.Write(p)
	}
	sum := h.Sum64()
	_, old := e.seen[sum]
	e.seen[sum] = struct{}{}
	return !old
}

// both yields the parts in their order and in the opposite one.
func (e *emitter) both(parts [][]byte) {
	e.join(parts, "")
	if total(parts) <= bytesMost {
		e.join(reversed(parts), "")
	}
}

func reversed[T any](list []T) []T {
	out := slices.Clone(list)
	slices.Reverse(out)
	return out
}

func total(parts [][]byte) int {
	n := 0
	for _, p := range parts {
		n += len(p)
	}
	return n
}

// unique drops what came before, byte for byte.
func unique(list [][]byte) [][]byte {
	seen := make(map[string]struct{}, len(list))
	var out [][]byte
	for _, s := range list {
		if _, old := seen[string(s)]; !old {
			seen[string(s)] = struct{}{}
			out = append(out, s)
		}
	}
	return out
}

func constant(list [][]byte) bool {
	for _, s := range list {
		if string(s) != string(list[0]) {
			return false
		}
	}
	return true
}
