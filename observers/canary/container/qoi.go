package container

import (
	"encoding/binary"

	"postern/observers/canary/layer"
)

const Qoi layer.Technique = "qoi"

// openQoi decodes the "quite OK" format to samples.
func openQoi(w *work, i int) int {
	b := w.b[i:]
	if len(b) < 22 || b[12] < 3 || b[12] > 4 {
		return i
	}
	channels := int(b[12])
	n := uint64(binary.BigEndian.Uint32(b[4:])) * uint64(binary.BigEndian.Uint32(b[8:]))
	limit := int(min(n, uint64(w.limit()/4/channels)))
	w.samples(Qoi, i, qoiPixels(b[14:], limit, channels), channels)
	w.charge(len(b))
	return len(w.b)
}

// qoiPixels decodes at most limit pixels.
func qoiPixels(b []byte, limit, channels int) (out []byte) {
	var seen [64][4]byte
	p := [4]byte{0, 0, 0, 255}
	for at, n := 0, 0; at < len(b) && n < limit; {
		c, run := b[at], 1
		at++
		switch {
		case c >= 0xfe:
			k := int(c) - 0xfb
			if at+k > len(b) {
				return out
			}
			copy(p[:k], b[at:])
			at += k
		case c>>6 == 0:
			p = seen[c]
		case c>>6 == 1:
			p[0], p[1], p[2] = p[0]+c>>4&3-2, p[1]+c>>2&3-2, p[2]+c&3-2
		case c>>6 == 2:
			if at >= len(b) {
				return out
			}
			g := c&63 - 32
			p[0], p[1], p[2] = p[0]+g-8+b[at]>>4, p[1]+g, p[2]+g-8+b[at]&15
			at++
		default:
			run = int(c&63) + 1
		}
		seen[(int(p[0])*3+int(p[1])*5+int(p[2])*7+int(p[3])*11)&63] = p
		for ; run > 0 && n < limit; run, n = run-1, n+1 {
			out = append(out, p[:channels]...)
		}
	}
	return out
}
