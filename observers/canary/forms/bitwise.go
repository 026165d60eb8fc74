package forms

import (
	"math/bits"

	"postern/observers/canary/layer"
)

// ShiftedBits is a row of bits that begins inside a byte. Who reads bits at
// each of their phases finds the same row in all of them.
const ShiftedBits layer.Technique = "shifted-bits"

// bitwise are bytes in another order, and bytes whose bits were moved or
// turned. XOR and addition of constants are left to the algebra.
func bitwise(w *wardrobe) {
	for _, s := range w.few() {
		w.add("raw", s.bits, s.b)
		backward := w.reversed(s.b)
		w.add("raw-reversed", s.bits, backward)
		for _, n := range []int{2, 4, 8} {
			words, columns := w.swapped(s.b, n), w.everyNth(s.b, n)
			w.add("swapped-words", s.bits, words)
			w.add("swapped-words", s.bits, w.reversed(words))
			w.add("columns", s.bits, columns)
			w.add("columns", s.bits, w.reversed(columns))
		}
		w.add("guid", s.bits, w.guid(s.b))
		w.add("complement", s.bits, w.mapped(s.b, func(c byte) byte { return ^c }))
		w.add("negated", s.bits, w.mapped(s.b, func(c byte) byte { return -c }))
		w.add("gray-code", s.bits, w.mapped(s.b, func(c byte) byte { return c ^ c>>1 }))
		w.add("bit-reversed", s.bits, w.mapped(s.b, bits.Reverse8))
		w.add("bit-reversed", s.bits, w.mapped(backward, bits.Reverse8))
		for _, low := range []bool{false, true} {
			planes, halves := w.planes(s.b, low), w.halves(s.b, low)
			w.add("bit-planes", s.bits, planes)
			w.add("bit-planes", s.bits, w.mapped(planes, bits.Reverse8))
			w.add("halves-apart", s.bits, halves)
			w.add("halves-apart", s.bits, w.mapped(halves, func(c byte) byte { return c<<4 | c>>4 }))
		}
		for n := 1; n < 8; n++ {
			w.add("rotated-bits", s.bits, w.mapped(s.b, func(c byte) byte { return bits.RotateLeft8(c, n) }))
			w.add(ShiftedBits, s.bits*(8*len(s.b)-8)/(8*len(s.b)), w.shifted(s.b, n))
		}
	}
}

// guid is the mixed byte order of Windows (RFC 9562, section 4).
func (r *room) guid(b []byte) []byte {
	if len(b) != 16 {
		return nil
	}
	out := r.clone(b)
	for i, from := range []int{3, 2, 1, 0, 5, 4, 7, 6} {
		out[i] = b[from]
	}
	return out
}

// shifted is a row of bits that begins inside a byte, without its ends.
func (r *room) shifted(b []byte, n int) []byte {
	out := r.take(len(b) - 1)
	for i := range out {
		out[i] = b[i]<<n | b[i+1]>>(8-n)
	}
	return out
}

// everyNth are every n-th byte, then those behind them.
func (r *room) everyNth(b []byte, n int) []byte {
	room := r.take(len(b))
	out := room[:0]
	for first := range n {
		for i := first; i < len(b); i += n {
			out = append(out, b[i])
		}
	}
	return room
}

// planes are the highest bits of all bytes, then the next, down to the lowest,
// or the other way round.
func (r *room) planes(b []byte, low bool) []byte {
	row := len(b) / 8 // bytes that the bits of one plane fill
	out := r.take(8 * row)
	for i := range row {
		n := transposed([8]byte(b[8*i:]))
		for plane := range 8 {
			at := plane
			if low {
				at = 7 - plane
			}
			out[at*row+i] = byte(n >> (56 - 8*plane))
		}
	}
	return out
}

// transposed are the highest bits of eight bytes in the highest byte, down to
// the lowest (Warren, Hacker's Delight, section 7-3).
func transposed(b [8]byte) uint64 {
	var x uint64
	for _, c := range b {
		x = x<<8 | uint64(c)
	}
	for _, step := range []struct {
		mask  uint64
		shift uint
	}{{0x00aa00aa00aa00aa, 7}, {0x0000cccc0000cccc, 14}, {0x00000000f0f0f0f0, 28}} {
		t := (x ^ x>>step.shift) & step.mask
		x ^= t ^ t<<step.shift
	}
	return x
}

// halves are the high halves of all bytes, two in a byte, then the low ones, or
// the other way round.
func (r *room) halves(b []byte, low bool) []byte {
	half := len(b) / 2
	out := r.take(2 * half)
	high, rest := out[:half], out[half:]
	if low {
		high, rest = rest, high
	}
	for i := range half {
		high[i] = b[2*i]&0xf0 | b[2*i+1]>>4
		rest[i] = b[2*i]<<4 | b[2*i+1]&15
	}
	return out
}
