package dress

import (
	"bytes"
	"encoding/binary"
)

const (
	samples = 4 << 20  // bytes; low bits of longer pieces are not read
	densely = 64 << 10 // bytes; of longer pieces this much is read in fewer ways
)

// sampling says which bytes of a piece are samples, and which bits of one.
type sampling struct {
	skip, stride int
	take         int // samples of each stride
	shift, bits  int // the lowest bit, and how many
}

// lowBits reads the bits of samples that nobody sees or hears: the lowest, the
// lowest two, and the highest, of every byte or of some.
func lowBits(b []byte, s *sink) {
	if len(b) < fewest || len(b) > samples {
		return
	}
	text := textual(b)
	if text && len(b) > densely {
		return
	}
	s.planes(0, b, text)
	if pixels, ok := bitmap(b); ok {
		s.planes(0, pixels, false)
	}
}

// planes reads a long piece's lowest bits throughout, and the rest at its start.
func (s *sink) planes(offset int, b []byte, text bool) {
	s.plane(offset, b, sampling{0, 1, 1, 0, 1})
	if text {
		return
	}
	ways := wider(len(b))
	b = b[:min(len(b), densely)]
	for _, w := range ways {
		if !s.done && w.skip < len(b) {
			s.plane(offset, b, w)
		}
	}
}

func (s *sink) plane(offset int, b []byte, w sampling) {
	bits := w.read(b[w.skip:])
	s.plain(offset+w.skip, bits)
	if len(bits) <= exotic {
		s.phases(offset+w.skip, bits)
		s.groups(offset+w.skip, bits, 7, 7, 0, 1)
	}
}

// wider lists what is read beside the lowest bit of every byte. 44 and 54 are
// the usual headers of WAVE and BMP.
func wider(n int) []sampling {
	ways := []sampling{{44, 1, 1, 0, 1}, {54, 1, 1, 0, 1}, {0, 1, 1, 0, 2}, {0, 4, 3, 0, 1}, {0, 1, 1, 7, 1}}
	for stride := 2; stride <= 4; stride++ {
		for skip := range stride {
			ways = append(ways, sampling{skip, stride, 1, 0, 1})
		}
	}
	if n <= densely {
		for _, skip := range []int{44, 45, 54, 55, 56} {
			ways = append(ways, sampling{skip, 2, 1, 0, 1}, sampling{skip, 3, 1, 0, 1}, sampling{skip, 4, 1, 0, 1})
		}
		ways = append(ways, sampling{54, 4, 3, 0, 1}, sampling{0, 1, 1, 1, 1}, sampling{0, 1, 1, 2, 1}, sampling{0, 1, 1, 0, 4}, sampling{0, 1, 1, 0, 3})
	}
	return ways
}

func (w sampling) read(b []byte) []byte {
	bits := make([]byte, 0, len(b)/w.stride*w.take*w.bits+w.take*w.bits)
	if w.take == 1 && w.bits == 1 {
		for at := 0; at < len(b); at += w.stride {
			bits = append(bits, b[at]>>w.shift&1)
		}
		return bits
	}
	for at := 0; at < len(b); at += w.stride {
		for i := at; i < min(at+w.take, len(b)); i++ {
			for shift := w.bits - 1; shift >= 0; shift-- {
				bits = append(bits, b[i]>>(w.shift+shift)&1)
			}
		}
	}
	return bits
}

// bitmap returns the samples of an uncompressed Windows bitmap as they are
// drawn: from the top, red first, without the padding of its rows.
func bitmap(b []byte) ([]byte, bool) {
	if len(b) < 54 || !bytes.HasPrefix(b, []byte("BM")) {
		return nil, false
	}
	start, width := int(binary.LittleEndian.Uint32(b[10:])), int(int32(binary.LittleEndian.Uint32(b[18:])))
	height, depth := int(int32(binary.LittleEndian.Uint32(b[22:]))), int(binary.LittleEndian.Uint16(b[28:]))/8
	row := (width*depth + 3) &^ 3
	down := height < 0
	if height = max(height, -height); width <= 0 || height == 0 || depth < 1 || depth > 4 || start > len(b) || row > len(b) || height > (len(b)-start)/row {
		return nil, false
	}
	pixels := make([]byte, 0, width*height*depth)
	for y := range height {
		at := start + (height-1-y)*row
		if down {
			at = start + y*row
		}
		for x := range width {
			pixels = append(pixels, pixel(b[at+x*depth:], depth)...)
		}
	}
	return pixels, true
}

// pixel turns blue, green, red into red, green, blue.
func pixel(p []byte, depth int) []byte {
	switch depth {
	case 3:
		return []byte{p[2], p[1], p[0]}
	case 4:
		return []byte{p[2], p[1], p[0], p[3]}
	}
	return p[:depth]
}
