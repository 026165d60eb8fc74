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
		w.add("raw-reversed", s.bits, reversed(s.b))
		for _, n := range []int{2, 4, 8} {
			w.add("swapped-words", s.bits, swapped(s.b, n))
			w.add("swapped-words", s.bits, reversed(swapped(s.b, n)))
			w.add("columns", s.bits, everyNth(s.b, n))
			w.add("columns", s.bits, reversed(everyNth(s.b, n)))
		}
		w.add("guid", s.bits, guid(s.b))
		w.add("complement", s.bits, mapped(s.b, func(c byte) byte { return ^c }))
		w.add("negated", s.bits, mapped(s.b, func(c byte) byte { return -c }))
		w.add("gray-code", s.bits, mapped(s.b, func(c byte) byte { return c ^ c>>1 }))
		w.add("bit-reversed", s.bits, mapped(s.b, bits.Reverse8))
		w.add("bit-reversed", s.bits, mapped(reversed(s.b), bits.Reverse8))
		for _, low := range []bool{false, true} {
			w.add("bit-planes", s.bits, planes(s.b, low))
			w.add("bit-planes", s.bits, mapped(planes(s.b, low), bits.Reverse8))
			w.add("halves-apart", s.bits, halves(s.b, low))
			w.add("halves-apart", s.bits, mapped(halves(s.b, low), func(c byte) byte { return c<<4 | c>>4 }))
		}
		for n := 1; n < 8; n++ {
			w.add("rotated-bits", s.bits, mapped(s.b, func(c byte) byte { return bits.RotateLeft8(c, n) }))
			w.add(ShiftedBits, s.bits*(8*len(s.b)-8)/(8*len(s.b)), shifted(s.b, n))
		}
	}
}

// guid is the mixed byte order of Windows (RFC 9562, section 4).
func guid(b []byte) []byte {
	if len(b) != 16 {
		return nil
	}
	out := append(reversed(b[:4]), reversed(b[4:6])...)
	return append(append(out, reversed(b[6:8])...), b[8:]...)
}

// shifted is a row of bits that begins inside a byte, without its ends.
func shifted(b []byte, n int) []byte {
	out := make([]byte, len(b)-1)
	for i := range out {
		out[i] = b[i]<<n | b[i+1]>>(8-n)
	}
	return out
}

// everyNth are every n-th byte, then those behind them.
func everyNth(b []byte, n int) []byte {
	out := make([]byte, 0, len(b))
	for first := range n {
		for i := first; i < len(b); i += n {
			out = append(out, b[i])
		}
	}
	return out
}

// planes are the highest bits of all bytes, then the next, down to the lowest,
// or the other way round.
func planes(b []byte, low bool) []byte {
	out := make([]byte, len(b)/8*8)
	for i := range out {
		plane := 7 - i/(len(b)/8)
		if low {
			plane = 7 - plane
		}
		for _, c := range b[i%(len(b)/8)*8:][:8] {
			out[i] = out[i]<<1 | c>>plane&1
		}
	}
	return out
}

// halves are the high halves of all bytes, two in a byte, then the low ones, or
// the other way round.
func halves(b []byte, low bool) []byte {
	var high, rest []byte
	for i := 0; i+1 < len(b); i += 2 {
		high = append(high, b[i]&0xf0|b[i+1]>>4)
		rest = append(rest, b[i]<<4|b[i+1]&15)
	}
	if low {
		high, rest = rest, high
	}
	return append(high, rest...)
}
