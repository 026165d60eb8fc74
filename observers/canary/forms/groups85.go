package forms

import (
	"bytes"
	"encoding/binary"
)

// groups85 are the encodings of four bytes in five symbols, at each of four
// places, and of sixteen bytes in twenty (RFC 1924).
func groups85(w *wardrobe) {
	const rfc1924 = tens + uppers + lowers + "!#$%&()*+-;<=>?@^_`{|}~"
	alphabets := [...]alphabet{
		{technique: "ascii85", symbols: printing[1:] + "`abcdefghijklmnopqrstu"},
		{technique: "z85", symbols: tens + lowers + uppers + ".-:+=^!/*?&<>()[]{}@%$#"},
		{technique: "base85", symbols: rfc1924},
	}
	for _, s := range w.few() {
		for before := range 4 {
			low, high := w.cut85(s.b, before)
			for _, groups := range [][]byte{low, high} {
				for i := range alphabets {
					w.add(alphabets[i].technique, s.bits*len(groups)*4/(5*len(s.b)), w.spelled(groups, alphabets[i].symbols))
				}
				if bytes.Equal(low, high) {
					break
				}
			}
		}
	}
	if r := w.raw; len(r.b) == 16 {
		w.add("base85", r.bits, w.spelled(w.inBase(r.b, 85, 20), rfc1924))
	}
}

// cut85 returns the symbols that b decides: those of its whole groups, and the
// first of a group whose end comes after. A carry from there makes it two.
func (r *room) cut85(b []byte, before int) (low, high []byte) {
	b = b[min(len(b), (4-before)%4):]
	whole, rest := len(b)/4, len(b)%4
	low = r.take(5*whole + rest)
	for i := range whole {
		*(*[5]byte)(low[5*i:]) = five(binary.BigEndian.Uint32(b[4*i:]))
	}
	high = r.clone(low)
	var zeros, ones [4]byte
	copy(zeros[:], b[4*whole:])
	copy(ones[copy(ones[:], b[4*whole:]):], "\xff\xff\xff\xff")
	a, z := five(binary.BigEndian.Uint32(zeros[:])), five(binary.BigEndian.Uint32(ones[:]))
	copy(low[5*whole:], a[:rest])
	copy(high[5*whole:], z[:rest])
	return low, high
}

func five(n uint32) (out [5]byte) {
	for i := len(out) - 1; i >= 0; i-- {
		out[i] = byte(n % 85)
		n /= 85
	}
	return out
}
