package forms

import (
	"bytes"
	"encoding/binary"
	"math/big"

	"postern/observers/canary/layer"
)

// groups85 are the encodings of four bytes in five symbols, at each of four
// places, and of sixteen bytes in twenty (RFC 1924).
func groups85(w *wardrobe) {
	const rfc1924 = tens + uppers + lowers + "!#$%&()*+-;<=>?@^_`{|}~"
	alphabets := map[layer.Technique]string{
		"ascii85": printing[1:] + "`abcdefghijklmnopqrstu",
		"z85":     tens + lowers + uppers + ".-:+=^!/*?&<>()[]{}@%$#",
		"base85":  rfc1924,
	}
	for _, s := range w.few() {
		for before := range 4 {
			for _, groups := range cut85(s.b, before) {
				for t, symbols := range alphabets {
					w.add(t, s.bits*len(groups)*4/(5*len(s.b)), spelled(groups, symbols))
				}
			}
		}
	}
	if r := w.raw; len(r.b) == 16 {
		w.add("base85", r.bits, spelled(inBase(new(big.Int).SetBytes(r.b), 85, 20), rfc1924))
	}
}

// cut85 returns the symbols that b decides: those of its whole groups, and the
// first of a group whose end comes after. A carry from there makes it two.
func cut85(b []byte, before int) [][]byte {
	b = b[min(len(b), (4-before)%4):]
	var whole []byte
	for ; len(b) >= 4; b = b[4:] {
		whole = append(whole, five(binary.BigEndian.Uint32(b))...)
	}
	var low, high [4]byte
	copy(low[:], b)
	copy(high[copy(high[:], b):], "\xff\xff\xff\xff")
	a, z := five(binary.BigEndian.Uint32(low[:]))[:len(b)], five(binary.BigEndian.Uint32(high[:]))[:len(b)]
	out := [][]byte{append(bytes.Clone(whole), a...)}
	if !bytes.Equal(a, z) {
		out = append(out, append(bytes.Clone(whole), z...))
	}
	return out
}

func five(n uint32) []byte {
	var out [5]byte
	for i := len(out) - 1; i >= 0; i-- {
		out[i] = byte(n % 85)
		n /= 85
	}
	return out[:]
}
