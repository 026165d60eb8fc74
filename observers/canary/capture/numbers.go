package capture

import (
	"encoding/binary"
	"slices"
)

// numbers yields a column of numbers of some bytes each: all their bytes in
// both orders, each byte of them, the few lowest bits, and, where they take few
// values, which of these each takes.
func (e *emitter) numbers(width int, v []uint64) {
	if len(v) < viewLeast || len(v) > unitsMost || e.done {
		return
	}
	least, most := slices.Min(v), slices.Max(v)
	if least == most {
		return
	}
	for width > 1 && most>>(8*width-8) == 0 {
		width--
	}
	e.give(lowBytes(v, 0))
	for k := 1; k < width; k++ {
		e.give(lowBytes(v, k))
	}
	if width > 1 {
		e.give(wide(v, width, binary.BigEndian))
		e.give(wide(v, width, binary.LittleEndian))
	}
	for _, w := range []int{2, 3, 4} {
		if w < width {
			e.give(wide(v, w, binary.BigEndian))
			e.give(wide(above(v, width-w), w, binary.BigEndian))
		}
	}
	e.choices(v, least, most)
}

// above drops the lowest bytes.
func above(v []uint64, bytes int) []uint64 {
	out := make([]uint64, len(v))
	for i, x := range v {
		out[i] = x >> (8 * bytes)
	}
	return out
}

// rebased yields numbers that stand above a round base, such as ports.
func (e *emitter) rebased(v []uint64, bases ...uint64) {
	for _, base := range bases {
		if len(v) < viewLeast || slices.Min(v) < base || slices.Max(v) > base+0xffff {
			continue
		}
		out := make([]uint64, len(v))
		for i := range v {
			out[i] = v[i] - base
		}
		e.numbers(2, out)
	}
}

func lowBytes(v []uint64, k int) []byte {
	out := make([]byte, len(v))
	for i, x := range v {
		out[i] = byte(x >> (8 * k))
	}
	return out
}

func wide(v []uint64, width int, order binary.ByteOrder) []byte {
	out := make([]byte, 0, width*len(v))
	var buf [8]byte
	for _, x := range v {
		order.PutUint64(buf[:], x)
		if order == binary.ByteOrder(binary.BigEndian) {
			out = append(out, buf[8-width:]...)
		} else {
			out = append(out, buf[:width]...)
		}
	}
	return out
}

// choices yields the bits of numbers that take few values, and the lowest bits
// of the others.
func (e *emitter) choices(v []uint64, least, most uint64) {
	values := distinct(v, 17)
	switch n := len(values); {
	case n <= 2:
		e.packed(ranks(v, values), 1)
	case n <= 4:
		e.packed(ranks(v, values), 2)
	case n <= 16 && most-least < 16:
		e.packed(shifted(v, least), 4)
		fallthrough
	case n <= 16:
		e.packed(ranks(v, values), 4)
	}
	if len(values) > 2 {
		e.packed(v, 1)
		e.packed(v, 2)
		e.packed(v, 4)
	}
}

// distinct are the values in order, or most of them where there are more.
func distinct(v []uint64, most int) []uint64 {
	var values []uint64
	for _, x := range v {
		i, found := slices.BinarySearch(values, x)
		if found {
			continue
		}
		if values = slices.Insert(values, i, x); len(values) >= most {
			break
		}
	}
	return values
}

func ranks(v, values []uint64) []uint64 {
	out := make([]uint64, len(v))
	for i, x := range v {
		n, _ := slices.BinarySearch(values, x)
		out[i] = uint64(n)
	}
	return out
}

func shifted(v []uint64, by uint64) []uint64 {
	out := make([]uint64, len(v))
	for i, x := range v {
		out[i] = x - by
	}
	return out
}

// packed yields the lowest bits of each number, most and least significant
// first, from each place where a byte can begin.
func (e *emitter) packed(v []uint64, width int) {
	per := 8 / width
	for phase := range per {
		if len(v)-phase < per*viewLeast {
			return
		}
		big := make([]byte, (len(v)-phase)/per)
		little := make([]byte, len(big))
		for i := range per * len(big) {
			x := byte(v[phase+i]) & (1<<width - 1)
			big[i/per] |= x << (8 - width - i%per*width)
			little[i/per] |= x << (i % per * width)
		}
		e.give(big)
		e.give(little)
	}
}

// bits packs truths as numbers do.
func (e *emitter) bits(v []bool) {
	out := make([]uint64, len(v))
	for i, x := range v {
		if x {
			out[i] = 1
		}
	}
	if len(out) > 0 && len(distinct(out, 2)) == 2 {
		e.packed(out[:min(len(out), 8*unitsMost)], 1)
	}
}
