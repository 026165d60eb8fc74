package container

import "math/bits"

// plausibleBrotli looks at the head of a stream (RFC 7932, 9): nearly everything
// that is not Brotli is refused without a decoder. What is stored as it stands
// is skipped: it was searched there.
func plausibleBrotli(b []byte) bool {
	h := headBits{b: b}
	if !h.window() {
		return false
	}
	for stored := 0; h.at < 8*len(b); {
		last := h.take(1) == 1
		if last && h.take(1) == 1 {
			return stored > 1
		}
		size, metadata, ok := h.size()
		switch {
		case !ok:
			return false
		case metadata:
			h.align()
			h.at += 8 * size
		case !last && h.take(1) == 1:
			if !h.align() {
				return false
			}
			h.at += 8 * size
			stored++
		default:
			return h.codes()
		}
	}
	return false
}

// headBits reads bits, the least significant first. What is not there is 0.
type headBits struct {
	b  []byte
	at int
}

// take reads at most 16 bits.
func (h *headBits) take(n uint) int {
	v := bitsLSB(h.b, h.at, n)
	h.at += int(n)
	return int(v)
}

// align goes on to the next byte, and says whether all before it is 0.
func (h *headBits) align() bool { return h.take(uint(-h.at&7)) == 0 }

// window reads how far back the stream refers, and refuses the large ones of
// RFC 9841.
func (h *headBits) window() bool {
	return h.take(1) == 0 || h.take(3) != 0 || h.take(3) != 1
}

// size is how many bytes a block stands for, or how many to skip are no data.
func (h *headBits) size() (n int, metadata, ok bool) {
	units, width := h.take(2)+4, uint(4)
	if metadata = units == 7; metadata {
		if h.take(1) != 0 {
			return 0, true, false
		}
		if units, width = h.take(2), 8; units == 0 {
			return 0, true, true
		}
	}
	last := 0
	for i := range units {
		last = h.take(width)
		n |= last << (uint(i) * width)
	}
	return n + 1, metadata, last != 0 || metadata && units == 1 || !metadata && units == 4
}

// count is a number of types or of codes, from 1 to 256.
func (h *headBits) count() int {
	if h.take(1) == 0 {
		return 1
	}
	n := uint(h.take(3))
	return 1 + 1<<n + h.take(n)
}

// codes asks of the first codes whether they are such as everyone writes.
func (h *headBits) codes() bool {
	for range 3 { // literals, commands, distances
		if types := h.count(); types > 1 {
			return h.code(types+2) && h.code(26)
		}
	}
	postfix := h.take(2)
	direct := h.take(4) << postfix
	h.take(2)
	for range 2 { // literals, distances
		if trees := h.count(); trees > 1 {
			runs := 0
			if h.take(1) == 1 {
				runs = h.take(4) + 1
			}
			return h.code(trees + runs)
		}
	}
	return h.code(256) && h.code(704) && h.code(16+direct+48<<postfix)
}

// code reads a prefix code, and says whether it is complete. One that goes on
// beyond the bytes is not.
func (h *headBits) code(symbols int) bool {
	skip := h.take(2)
	if skip == 1 {
		return h.simple(symbols) && h.at <= 8*len(h.b)
	}
	var lengths [18]uint8
	space, used := 32, 0
	for i := skip; i < len(lengths) && space > 0; i++ {
		v := brotliLength[bitsLSB(h.b, h.at, 4)]
		h.at += int(v & 7)
		if v >>= 3; v != 0 {
			lengths[brotliOrder[i]] = v
			space -= 32 >> v
			used++
		}
	}
	return (space == 0 || used == 1) && h.complete(symbols, brotliTable(&lengths, used == 1)) && h.at <= 8*len(h.b)
}

var (
	brotliOrder  = [18]uint8{1, 2, 3, 4, 0, 5, 17, 6, 16, 7, 8, 9, 10, 11, 12, 13, 14, 15}
	brotliLength = [16]uint8{2, 4<<3 | 2, 3<<3 | 2, 2<<3 | 3, 2, 4<<3 | 2, 3<<3 | 2, 1<<3 | 4, 2, 4<<3 | 2, 3<<3 | 2, 2<<3 | 3, 2, 4<<3 | 2, 3<<3 | 2, 5<<3 | 4} // the value, and how many bits
)

// simple lists up to four symbols, all different.
func (h *headBits) simple(symbols int) bool {
	var seen [4]int
	n := h.take(2) + 1
	for i := range n {
		s := h.take(uint(bits.Len(uint(symbols - 1))))
		for _, other := range seen[:i] {
			if s == other {
				return false
			}
		}
		if seen[i] = s; s >= symbols {
			return false
		}
	}
	if n == 4 {
		h.take(1)
	}
	return true
}

// brotliTable has the symbol and the length for each next five bits.
func brotliTable(lengths *[18]uint8, single bool) (table [32]uint8) {
	code := 0
	for l := 1; l <= 5; l++ {
		for s, n := range lengths {
			if int(n) != l {
				continue
			}
			if single {
				for k := range table {
					table[k] = uint8(s) << 3
				}
				return table
			}
			for k := int(bits.Reverse8(uint8(code))) >> (8 - l); k < len(table); k += 1 << l {
				table[k] = uint8(s)<<3 | uint8(l)
			}
			code++
		}
		code <<= 1
	}
	return table
}

// complete reads the lengths of a code's symbols until they fill it.
func (h *headBits) complete(symbols int, table [32]uint8) bool {
	space, prev, repeated, length := 1<<15, 8, 0, 0
	for n := 0; n < symbols && space > 0; {
		e := table[bitsLSB(h.b, h.at, 5)]
		h.at += int(e & 7)
		l := int(e >> 3)
		if l < 16 {
			if n, repeated = n+1, 0; l > 0 {
				prev = l
				space -= 1 << 15 >> l
			}
			continue
		}
		again := 0 // the length that is repeated
		if l == 16 {
			again = prev
		}
		if again != length {
			repeated, length = 0, again
		}
		before := repeated
		if repeated > 0 {
			repeated = (repeated - 2) << (l - 14)
		}
		repeated += h.take(uint(l-14)) + 3
		if n += repeated - before; n > symbols {
			return false
		}
		if again > 0 {
			space -= (repeated - before) << 15 >> again
		}
	}
	return space == 0
}
