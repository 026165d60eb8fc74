package forms

import (
	"encoding/binary"
	"fmt"
)

// words are numbers of more than one byte, as dumps and debuggers write them,
// in either byte order.
func words(w *wardrobe) {
	for _, size := range []int{2, 4, 8} {
		hex := fmt.Sprintf("%%0%dx", 2*size)
		for _, order := range []binary.ByteOrder{binary.BigEndian, binary.LittleEndian} {
			for _, s := range w.sources() {
				w.words(list{"hex-words", hex, columns()[:1]}, s, size, order)
				if size == 2 {
					w.words(list{"octal-words", "%06o", columns()[:1]}, s, size, order)
				}
			}
			if w.raw.b != nil {
				w.words(list{"hex-words", hex, anyHow()}, w.raw, size, order)
				w.words(list{"hex-words", "0x" + hex, columns()}, w.raw, size, order)
				w.words(list{"decimal-words", "%d", columns()}, w.raw, size, order)
			}
		}
	}
}

func (w *wardrobe) words(l list, s source, size int, order binary.ByteOrder) {
	n := len(s.b) / size
	bits := s.bits * n * size / len(s.b)
	item := func(i int) any { return word(order, s.b[size*i:size*i+size]) }
	l.each(n, item, func(b []byte) { w.fold(l.technique, bits, b) })
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
