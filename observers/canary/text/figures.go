package text

import "postern/observers/canary/layer"

// figures reads a run of decimal digits: as one number, and as numbers of one
// width, or of the widths that text has, without anything between them.
func (r *runs) figures(b []byte, offset int) {
	if len(b) <= longNumeral {
		r.numbers(decimal, b, offset)
		for base := uint64(topFigure(b)) + 1; base < 10; base++ {
			r.gather("integer-base-n", offset, bytesOf(b, numeral{base: base, alphabet: decimal[0].alphabet}))
		}
	}
	if len(b) < 16 || len(b) > longPhase {
		return
	}
	r.fixed("decimal-packed", b, offset, 3, 10)
	r.fixed("octal-packed", b, offset, 3, 8)
	r.fixed("decimal-packed", b, offset, 2, 10)
	r.gather("decimal-packed", offset, textWidths(b))
}

func topFigure(b []byte) byte {
	top := byte('0')
	for _, c := range b {
		top = max(top, c)
	}
	return max(top-'0', 1)
}

// fixed reads numbers of one width from each phase.
func (r *runs) fixed(t layer.Technique, b []byte, offset, width, base int) {
	for p := range width {
		d := make([]byte, 0, len(b)/width)
		for i := p; i+width <= len(b); i += width {
			v := 0
			for _, c := range b[i : i+width] {
				v = v*base + int(c-'0')
			}
			d = append(d, byte(v))
		}
		r.gather(t, offset+p, d)
	}
}

// textWidths reads the codes of ASCII text: three figures from 100 on, else two.
func textWidths(b []byte) []byte {
	var d []byte
	for len(b) >= 2 {
		width := 2
		if b[0] == '1' && len(b) >= 3 {
			width = 3
		}
		v := 0
		for _, c := range b[:width] {
			v = v*10 + int(c-'0')
		}
		d = append(d, byte(v))
		b = b[width:]
	}
	return d
}
