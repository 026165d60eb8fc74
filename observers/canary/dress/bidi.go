package dress

import (
	"slices"
	"unicode/utf8"
)

const deepest = 16 // nested overrides; what lies deeper keeps its order

// straighten yields text as it is drawn: what stands in a right-to-left
// override reads backwards (Unicode Standard Annex 9).
func straighten(b []byte, s *sink) {
	for _, a := range areas(b) {
		if text := b[a.from:a.to]; overridden(text) {
			s.put(a.from, drawn(text))
		}
	}
}

// overridden looks for U+202B, U+202E or U+2067, in UTF-8.
func overridden(text []byte) bool {
	for i := 0; i+2 < len(text); i++ {
		if text[i] == 0xe2 && (text[i+1] == 0x80 && (text[i+2] == 0xab || text[i+2] == 0xae) || text[i+1] == 0x81 && text[i+2] == 0xa7) {
			return true
		}
	}
	return false
}

// override is text being read between a control and its end.
type override struct {
	backwards bool
	runes     []rune
}

func drawn(text []byte) []byte {
	open := []override{{}}
	shut := func() {
		top := open[len(open)-1]
		open = open[:len(open)-1]
		if top.backwards {
			slices.Reverse(top.runes)
		}
		below := &open[len(open)-1]
		below.runes = append(below.runes, top.runes...)
	}
	for _, r := range string(text) {
		switch {
		case r == 0x202a || r == 0x202b || r == 0x202d || r == 0x202e || r >= 0x2066 && r <= 0x2068:
			if len(open) <= deepest {
				open = append(open, override{backwards: r == 0x202b || r == 0x202e || r == 0x2067})
			}
		case r == 0x202c || r == 0x2069:
			if len(open) > 1 {
				shut()
			}
		default:
			for r == '\n' && len(open) > 1 {
				shut()
			}
			open[len(open)-1].runes = append(open[len(open)-1].runes, r)
		}
	}
	for len(open) > 1 {
		shut()
	}
	var out []byte
	for _, r := range open[0].runes {
		out = utf8.AppendRune(out, r)
	}
	return out
}
