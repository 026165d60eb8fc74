package forms

import (
	"encoding/binary"
	"strconv"
	"sync"

	"postern/observers/canary/layer"
)

// numeral is how a number is written.
type numeral struct {
	technique  layer.Technique
	prefix     string
	base       int
	filled     bool // with zeros, to the width of the largest
	separators []separator
}

// numerals are those of words of some bytes, of a usual source and of the bytes
// that a text spells.
type numerals struct{ usual, raw []numeral }

var written = sync.OnceValue(func() map[int]numerals {
	out := map[int]numerals{}
	for _, size := range []int{2, 4, 8} {
		n := numerals{
			usual: []numeral{{"hex-words", "", 16, true, separators(columns()[:1])}},
			raw: []numeral{
				{"hex-words", "", 16, true, separators(anyHow())},
				{"hex-words", "0x", 16, true, separators(columns())},
				{"decimal-words", "", 10, false, separators(columns())},
			},
		}
		if size == 2 {
			n.usual = append(n.usual, numeral{"octal-words", "", 8, true, separators(columns()[:1])})
		}
		out[size] = n
	}
	return out
})

// words are numbers of more than one byte, as dumps and debuggers write them,
// in either byte order.
func words(w *wardrobe) {
	for _, size := range []int{2, 4, 8} {
		of := written()[size]
		for _, order := range []binary.ByteOrder{binary.BigEndian, binary.LittleEndian} {
			for _, s := range w.sources() {
				w.words(of.usual, s, size, order)
			}
			if w.raw.b != nil {
				w.words(of.raw, w.raw, size, order)
			}
		}
	}
}

// words are in small letters as they are written.
func (w *wardrobe) words(all []numeral, s source, size int, order binary.ByteOrder) {
	n := len(s.b) / size
	if n == 0 {
		return
	}
	var values [maxText / 2]uint64
	for i := range n {
		values[i] = word(order, s.b[size*i:size*i+size])
	}
	var items [maxText / 2]item
	var at [maxText / 2]*item
	for k := range all {
		as := &all[k]
		for i := range n {
			as.write(&items[i], values[i], size)
			at[i] = &items[i]
		}
		for k := range as.separators {
			w.put(as.technique, s.bits*n*size/len(s.b), w.join(at[:n], &as.separators[k]), true)
		}
	}
}

func (as *numeral) write(it *item, v uint64, size int) {
	width := 0
	if as.filled {
		width = 2 * size
		if as.base == 8 {
			width = (8*size + 2) / 3
		}
	}
	out := append(it.b[:0], as.prefix...)
	if as.base != 16 {
		var room [24]byte
		digits := strconv.AppendUint(room[:0], v, as.base)
		for range width - len(digits) {
			out = append(out, '0')
		}
		it.n = len(append(out, digits...))
		return
	}
	for i := range width {
		out = append(out, hexDigits[v>>(4*(width-1-i))&15])
	}
	it.n = len(out)
}

func word(order binary.ByteOrder, b []byte) uint64 {
	switch len(b) {
	case 2:
		return uint64(order.Uint16(b))
	case 4:
		return uint64(order.Uint32(b))
	}
	return order.Uint64(b)
}
