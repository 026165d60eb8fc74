package fragment

import (
	"encoding/binary"

	"postern/observers/canary/layer"
)

// search is one Find.
type search struct {
	*finder
	b      []byte
	yield  func(layer.Match) bool
	done   bool
	pieces []piece
	seen   map[alignment]int // up to which symbol
}

// piece is the symbols of a strand from lo to hi, at a place in the input.
type piece struct {
	strand, lo, hi, at int
}

// alignment is a strand laid on the input so that it begins at the place.
type alignment struct{ strand, place int }

// pass looks at a word every step.
func (s *search) pass(l *lookup, step int) {
	if s.done {
		return
	}
	p, or, mask := 0, l.or(), l.mask()
	for ; p+8 <= len(s.b); p += step {
		if w := binary.LittleEndian.Uint64(s.b[p:])&mask | or; l.May(w) {
			s.candidate(l, w, p)
		}
	}
	for ; p+l.width <= len(s.b); p += step {
		if w := little(s.b[p:p+l.width]) | or; l.May(w) {
			s.candidate(l, w, p)
		}
	}
}

// candidate takes the whole of each piece around the word at p, once.
func (s *search) candidate(l *lookup, w uint64, p int) {
	if s.done {
		return
	}
	l.Each(w, func(number, at int) bool {
		on := alignment{number, p - at}
		if at < s.seen[on] {
			return true
		}
		if lo, hi := s.extent(&s.strands[number], p-at, at); hi-lo >= shortest {
			s.note(on, hi)
			s.take(piece{number, lo, hi, p - at + lo})
		}
		return !s.done
	})
}

func (s *search) note(on alignment, hi int) {
	if s.seen == nil {
		s.seen = map[alignment]int{}
	}
	if len(s.seen) < maxPieces {
		s.seen[on] = hi
	}
}

// extent is how far around the symbol at the input is the strand, which would
// begin at the place.
func (s *search) extent(st *strand, place, at int) (lo, hi int) {
	lo, hi = at, at
	for hi < len(st.symbols) && place+hi < len(s.b) && st.same(s.b[place+hi], st.symbols[hi]) {
		hi++
	}
	for hi > at && lo > 0 && place+lo > 0 && st.same(s.b[place+lo-1], st.symbols[lo-1]) {
		lo--
	}
	return lo, hi
}

// take reports what is enough by itself, and keeps what may add up.
func (s *search) take(p piece) {
	st := &s.strands[p.strand]
	if n := p.hi - p.lo; n >= st.least && st.tells(p.lo, p.hi) {
		s.report(st.secret, Piece, p.at, st.holds(n))
	}
	if (st.family == digits || st.family == rawBytes) && len(s.b) <= sumInput && len(s.pieces) < maxPieces {
		s.pieces = append(s.pieces, p)
	}
}

func (s *search) report(secret int, technique layer.Technique, at, bits int) {
	if !s.done {
		s.done = !s.yield(layer.Match{Secret: secret, Technique: technique, Offset: at, Bits: bits})
	}
}
