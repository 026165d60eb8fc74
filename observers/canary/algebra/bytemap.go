package algebra

import "math/bits"

// byteMaps are the maps of a byte that are linear over xor, so that the
// difference of the mapped is the mapped difference: rotations (by four: the
// nibbles change places), those of the reversed byte, neighbours swapped, and
// Gray code in both directions.
func byteMaps() []func(byte) byte {
	var out []func(byte) byte
	for n := range 8 {
		out = append(out,
			func(c byte) byte { return bits.RotateLeft8(c, n) },
			func(c byte) byte { return bits.RotateLeft8(bits.Reverse8(c), n) })
	}
	return append(out,
		swapBits, swapPairs,
		func(c byte) byte { return swapBits(swapPairs(c)) },
		func(c byte) byte { return swapBits(bits.RotateLeft8(c, 4)) },
		func(c byte) byte { return swapPairs(bits.RotateLeft8(c, 4)) },
		func(c byte) byte { return c ^ c>>1 },
		func(c byte) byte { c ^= c >> 1; c ^= c >> 2; return c ^ c>>4 })
}

func swapBits(c byte) byte  { return c&0x55<<1 | c>>1&0x55 }
func swapPairs(c byte) byte { return c&0x33<<2 | c>>2&0x33 }

func mapped(x []byte, f func(byte) byte) []byte {
	out := make([]byte, len(x))
	for i, c := range x {
		out[i] = f(c)
	}
	return out
}

func reversed(x []byte) []byte {
	out := make([]byte, len(x))
	for i, c := range x {
		out[len(x)-1-i] = c
	}
	return out
}

// misaligned lists the bytes that x alone decides where it begins within a
// byte, for the seven places and both orders of bits.
func misaligned(x []byte) [][]byte {
	var out [][]byte
	for _, c := range [][]byte{x, mapped(x, bits.Reverse8)} {
		for r := 1; r < 8; r++ {
			high, low := make([]byte, len(c)-1), make([]byte, len(c)-1)
			for i := range high {
				high[i] = c[i]<<r | c[i+1]>>(8-r)
				low[i] = c[i]>>r | c[i+1]<<(8-r)
			}
			out = append(out, high, low)
		}
	}
	return out
}

// packed lays values of the width out without gaps, the highest bit first or
// the lowest, at each of the eight places within a byte, and lists the bytes
// that the values alone decide.
func packed(values []uint16, width int) [][]byte {
	var out [][]byte
	for _, highFirst := range []bool{true, false} {
		for phase := range 8 {
			b := pack(values, width, phase, highFirst)
			if phase > 0 {
				b = b[1:]
			}
			if (phase+len(values)*width)%8 > 0 {
				b = b[:len(b)-1]
			}
			out = append(out, b)
		}
	}
	return out
}

func pack(values []uint16, width, at int, highFirst bool) []byte {
	out := make([]byte, (at+len(values)*width+7)/8)
	for _, v := range values {
		for i := range width {
			bit, to := v>>i&1, uint(at&7)
			if highFirst {
				bit, to = v>>(width-1-i)&1, 7-to
			}
			out[at>>3] |= byte(bit << to)
			at++
		}
	}
	return out
}
