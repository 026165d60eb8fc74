package forms

import "math/bits"

// linecodes are the rows of bits that a modem or a serial line makes of bytes,
// wherever in a byte they begin.
func linecodes(w *wardrobe) {
	for _, s := range w.few() {
		row := rowOf(s.b)
		w.row(s.bits, serial(s.b))
		w.row(s.bits, withParity(s.b))
		for _, kind := range []byte{0, 1} {
			levels := inverting(row, kind)
			w.row(s.bits, levels)
			w.row(s.bits, w.mapped(levels, func(level byte) byte { return level ^ 1 }))
		}
	}
}

// row adds a row of bits in each of its phases, without the bytes at the ends
// that hold other bits as well.
func (w *wardrobe) row(known int, row []byte) {
	for first := range 8 {
		packed := packRow(row[first:])
		w.add("line-code", known*8*len(packed)/len(row), packed)
	}
}

// rowOf is the bits of b, the highest first.
func rowOf(b []byte) []byte {
	row := make([]byte, 0, 8*len(b))
	for _, c := range b {
		for i := 7; i >= 0; i-- {
			row = append(row, c>>i&1)
		}
	}
	return row
}

func packRow(row []byte) []byte {
	out := make([]byte, len(row)/8)
	for i := range out {
		for _, bit := range row[8*i : 8*i+8] {
			out[i] = out[i]<<1 | bit
		}
	}
	return out
}

// serial is a start bit, eight bits with the lowest first, and a stop bit.
func serial(b []byte) []byte {
	var row []byte
	for _, c := range b {
		row = append(append(append(row, 0), rowOf([]byte{bits.Reverse8(c)})...), 1)
	}
	return row
}

// withParity has a ninth bit behind each byte, which makes the ones even.
func withParity(b []byte) []byte {
	var row []byte
	for _, c := range b {
		row = append(append(row, rowOf([]byte{c})...), byte(bits.OnesCount8(c))&1)
	}
	return row
}

// inverting is NRZI: the level changes at each bit of a kind.
func inverting(row []byte, at byte) []byte {
	var out []byte
	level := byte(0)
	for _, bit := range row {
		if bit == at {
			level ^= 1
		}
		out = append(out, level)
	}
	return out
}
