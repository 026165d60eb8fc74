package dress

import (
	"hash/maphash"

	"postern/observers/canary/layer"
)

const (
	shortest = 8        // bytes of a secret
	fewest   = 64       // bits in the choices of a piece that are worth reading
	windowed = 1 << 20  // bytes; longer pieces are sampled for choices
	slack    = 32 << 10 // bytes of views that even the smallest piece may have
	multiple = 4        // views may hold this many times the piece
	most     = 256      // views of one stage
)

// sink hands views on, each once, until the receiver or the room has enough.
type sink struct {
	technique layer.Technique
	piece     []byte
	room      *layer.Room
	yield     func(layer.View) bool
	seed      maphash.Seed
	seen      map[uint64]bool
	left      int
	done      bool
}

func newSink(t layer.Technique, b []byte, room *layer.Room, yield func(layer.View) bool) *sink {
	s := &sink{technique: t, piece: b, room: room, yield: yield, left: multiple*len(b) + slack}
	return s
}

// put yields b, which must not be changed afterwards. Views too short for a
// secret, equal to the piece or seen before are not worth a search.
func (s *sink) put(offset int, b []byte) {
	if s.done || len(b) < shortest || !s.fresh(b) {
		return
	}
	if len(b) > s.left || len(s.seen) > most {
		return
	}
	if !s.room.Take(len(b)) {
		s.done = true
		return
	}
	s.left -= len(b)
	s.done = !s.yield(layer.View{Technique: s.technique, Offset: offset, Bytes: b})
}

func (s *sink) fresh(b []byte) bool {
	if s.seen == nil {
		s.seed, s.seen = maphash.MakeSeed(), map[uint64]bool{}
		if len(s.piece) <= windowed {
			s.seen[maphash.Bytes(s.seed, s.piece)] = true
		}
	}
	sum := maphash.Bytes(s.seed, b)
	if s.seen[sum] {
		return false
	}
	s.seen[sum] = true
	return true
}
