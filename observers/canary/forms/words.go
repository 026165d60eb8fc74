package forms

import (
	"encoding/binary"
	"strconv"

	"postern/observers/canary/layer"
)

// numeral is how a number is written.
type numeral struct {
	technique   layer.Technique
	prefix      string
	base, width int // zeros fill up to the width
	separators  []string
}

// words are numbers of more than one byte, as dumps and debuggers write them,
// in either byte order.
func words(w *wardrobe) {
	for _, size := range []int{2, 4, 8} {
		for _, order := range []binary.ByteOrder{binary.BigEndian, binary.LittleEndian} {
			for _, s := range w.sources() {
				w.words(numeral{"hex-words", "", 16, 2 * size, columns()[:1]}, s, size, order)
				if size == 2 {
					w.words(numeral{"octal-words", "", 8, 6, columns()[:1]}, s, size, order)
				}
			}
			if w.raw.b != nil {
				w.words(numeral{"hex-words", "", 16, 2 * size, anyHow()}, w.raw, size, order)
				w.words(numeral{"hex-words", "0x", 16, 2 * size, columns()}, w.raw, size, order)
				w.words(numeral{"decimal-words", "", 10, 0, columns()}, w.raw, size, order)
			}
		}
	}
}

// words are in small letters as they are written.
func (w *wardrobe) words(as numeral, s source, size int, order binary.ByteOrder) {
	n := len(s.b) / size
	bits := s.bits * n * size / len(s.b)
	for _, sep := range as.separators {
		var out []byte
		for i := range n {
			if i > 0 {
				out = append(out, sep...)
			}
			out = as.append(out, word(order, s.b[size*i:size*i+size]))
		}
		w.put(as.technique, bits, out, true)
	}
}

func (as numeral) append(out []byte, v uint64) []byte {
	var room [64]byte
	digits := strconv.AppendUint(room[:0], v, as.base)
	out = append(out, as.prefix...)
	for range as.width - len(digits) {
		out = append(out, '0')
	}
	return append(out, digits...)
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
