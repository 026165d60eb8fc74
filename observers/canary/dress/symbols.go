package dress

import (
	"math/big"
	"math/bits"
	"slices"
)

const (
	permuted = 1024 // symbols; longer streams of four are read in fewer orders
	numbered = 600  // symbols that may be the digits of one number
)

// symbols yields what a stream of symbols may spell, whatever they stand for:
// their ranks, their distances from the smallest, and choices between two.
func (s *sink) symbols(offset int, seq []int) {
	if len(seq) < shortest || s.done {
		return
	}
	kinds := distinct(seq, 257)
	if len(kinds) < 2 || len(kinds) > 256 || len(seq)*bits.Len(uint(len(kinds)-1)) < fewest {
		return
	}
	ranks := make([]byte, len(seq))
	for i, v := range seq {
		at, _ := slices.BinarySearch(kinds, v)
		ranks[i] = byte(at)
	}
	if !varied(ranks) {
		return
	}
	s.spread(offset, ranks, len(kinds))
	if span := kinds[len(kinds)-1] - kinds[0]; span >= len(kinds) && span < 256 {
		for i, v := range seq {
			ranks[i] = byte(v - kinds[0])
		}
		s.spread(offset, ranks, span+1)
	}
}

// distinct returns the sorted values, at most limit of them.
func distinct(seq []int, limit int) []int {
	kinds := make([]int, 0, 16)
	for _, v := range seq {
		at, have := slices.BinarySearch(kinds, v)
		if have {
			continue
		}
		if kinds = slices.Insert(kinds, at, v); len(kinds) >= limit {
			break
		}
	}
	return kinds
}

// spread yields digits of a base as bits, bytes, text and one number.
func (s *sink) spread(offset int, digits []byte, base int) {
	switch {
	case base == 2:
		s.stream(offset, digits)
		return
	case base == 3:
		s.ternary(offset, digits)
	case base == 4:
		s.quaternary(offset, digits)
	default:
		s.wide(offset, digits, bits.Len(uint(base-1)))
	}
	if base <= 6 {
		s.pairs(offset, digits, base)
	}
	if base > 3 && base <= 17 {
		s.parted(offset, digits, base)
	}
	if base <= 36 {
		s.put(offset, alphabet(nil, digits, "0123456789abcdefghijklmnopqrstuvwxyz"))
	} else {
		s.put(offset, slices.Clone(digits))
	}
	if base < 256 && len(digits) <= numbered {
		s.put(offset, number(digits, base))
		slices.Reverse(digits)
		s.put(offset, number(digits, base))
		slices.Reverse(digits)
	}
}

// wide yields digits of width bits, the first or the last bit first.
func (s *sink) wide(offset int, digits []byte, width int) {
	high := make([]byte, 0, len(digits)*width)
	low := make([]byte, 0, len(digits)*width)
	for _, v := range digits {
		for i := range width {
			high = append(high, v>>(width-1-i)&1)
			low = append(low, v>>i&1)
		}
	}
	s.plain(offset, high)
	s.plain(offset, low)
	if len(digits) <= permuted/4 && width < 8 {
		s.phases(offset, high)
		s.groups(offset, high, 7, 7, 0, 1)
	}
}

// pairs yields the choices between each two of a few symbols, as the others may
// be separators.
func (s *sink) pairs(offset int, digits []byte, base int) {
	for a := range base {
		for b := a + 1; b < base; b++ {
			var chosen []byte
			for _, v := range digits {
				if int(v) == a || int(v) == b {
					chosen = append(chosen, bit(int(v) == b))
				}
			}
			s.stream(offset, chosen)
		}
	}
}

func bit(v bool) byte {
	if v {
		return 1
	}
	return 0
}

// parted yields the symbols but for one that may be a separator: any of a few,
// the rarest of more.
func (s *sink) parted(offset int, digits []byte, base int) {
	if base <= 5 && len(digits) <= permuted/2 {
		for v := range base {
			s.without(offset, digits, base, byte(v))
		}
		return
	}
	count := make([]int, base)
	for _, v := range digits {
		count[v]++
	}
	s.without(offset, digits, base, byte(slices.Index(count, slices.Min(count))))
}

func (s *sink) without(offset int, digits []byte, base int, rarest byte) {
	rest := make([]byte, 0, len(digits))
	for _, v := range digits {
		if v > rarest {
			v--
		} else if v == rarest {
			continue
		}
		rest = append(rest, v)
	}
	if base == 4 {
		s.ternary(offset, rest)
	} else if base == 5 {
		s.quaternary(offset, rest)
	} else {
		s.wide(offset, rest, bits.Len(uint(base-2)))
	}
}

// number is the digits as one whole number, big end first.
func number(digits []byte, base int) []byte {
	n, b := new(big.Int), big.NewInt(int64(base))
	for _, v := range digits {
		n.Mul(n, b).Add(n, big.NewInt(int64(v)))
	}
	return n.Bytes()
}
