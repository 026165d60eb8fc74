package dress

import "slices"

// amounts reads numbers that a text shows without spelling them: as symbols, as
// bytes, and by what is left of them after a small division.
func (s *sink) amounts(offset int, seq []int) {
	if len(seq) < shortest || s.done {
		return
	}
	s.symbols(offset, seq)
	s.remainders(offset, seq)
}

// remainders yields the low byte, whether there is any, odd or even, and two
// and four bits of each number.
func (s *sink) remainders(offset int, seq []int) {
	if slices.Max(seq) == slices.Min(seq) {
		return
	}
	least := slices.Min(seq)
	low, odd, some := make([]byte, len(seq)), make([]byte, len(seq)), make([]byte, len(seq))
	for i, v := range seq {
		low[i], odd[i], some[i] = byte(v), byte(v&1), bit(v > least)
	}
	s.put(offset, low)
	s.modest(offset, odd)
	s.modest(offset, some)
	if len(seq) >= fewest/2 {
		s.wide(offset, masked(seq, 3), 2)
		s.wide(offset, masked(seq, 7), 3)
	}
	if 4*len(seq) >= fewest {
		s.wide(offset, masked(seq, 15), 4)
	}
}

func masked(seq []int, mask int) []byte {
	out := make([]byte, len(seq))
	for i, v := range seq {
		out[i] = byte(v & mask)
	}
	return out
}
