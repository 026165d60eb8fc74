package record

import (
	"hash/maphash"

	"postern/observers/canary/layer"
)

const (
	shortest = 8       // bytes: no secret is shorter
	large    = 1 << 20 // above this a piece gets the quick treatment
	mostly   = 400     // views a stage may yield for one piece
)

// out is where one stage puts its views: each once, within its allowance.
type out struct {
	technique layer.Technique
	room      *layer.Room
	yield     func(layer.View) bool
	left      int // of the allowance, in bytes
	views     int
	seed      maphash.Seed
	seen      map[uint64]bool
	over      bool
}

// allowance is what a stage may yield for n bytes: a tiny piece may be turned
// many ways, a large one less than once.
func allowance(n int) int {
	if n > large {
		return n / 4
	}
	return max(n, min(8*n, 256<<10), min(64*n, 96<<10), min(256*n, 32<<10))
}

func newOut(t layer.Technique, n int, room *layer.Room, yield func(layer.View) bool) *out {
	return &out{technique: t, room: room, yield: yield, left: allowance(n),
		views: mostly}
}

// give yields b unless it is too short to matter or was given before, and says
// whether more is wanted. b belongs to the receiver from then on.
func (o *out) give(off int, b []byte) bool {
	if o.over || len(b) < shortest {
		return !o.over
	}
	if o.seen == nil {
		o.seed, o.seen = maphash.MakeSeed(), map[uint64]bool{}
	}
	h := maphash.Bytes(o.seed, b)
	if o.seen[h] {
		return true
	}
	o.seen[h] = true
	return o.send(off, b)
}

// fits reports whether n bytes are within the allowance; where they are not, it is
// used up, as if they had been made.
func (o *out) fits(n int) bool {
	o.over = o.over || n > o.left
	return !o.over
}

func (o *out) send(off int, b []byte) bool {
	o.left -= len(b)
	o.views--
	if o.left < 0 || o.views < 0 || !o.room.Take(len(b)) {
		o.over = true
		return false
	}
	o.over = !o.yield(layer.View{Technique: o.technique, Offset: off, Bytes: b})
	return !o.over
}
