package dress

import "bytes"

const fewMixed = 16 // letters in the rarer case; prose that starts its sentences has fewer in a short piece

// cases reads capital and small letters as bits, of every letter, of each word
// and of each line, and joins each kind.
func cases(b []byte, s *sink) {
	windows(b, s, func(offset int, text []byte) {
		var bits, first, any, odd []byte
		var large, small, inside []byte
		word := false
		for _, c := range text {
			if !letter(c) {
				word = false
				continue
			}
			up := bit(c&0x20 == 0)
			bits = append(bits, up)
			if up == 1 {
				large = append(large, c)
			} else {
				small = append(small, c)
			}
			if !word {
				first, any = append(first, up), append(any, up)
			} else if odd = append(odd, up); up == 1 {
				any[len(any)-1], inside = 1, append(inside, c)
			}
			word = true
		}
		if len(large) < shortest || len(small) < shortest {
			return
		}
		s.put(offset, large)
		s.put(offset, inside)
		if len(small) < len(text)/2 {
			s.put(offset, small)
		}
		if min(len(large), len(small)) < fewMixed {
			return
		}
		s.stream(offset, bits)
		s.stream(offset, first)
		s.stream(offset, any)
		s.stream(offset, odd)
		s.stream(offset, lineCase(text))
	})
}

// lineCase yields the case of the first letter of each line.
func lineCase(text []byte) []byte {
	var bits []byte
	for line := range bytes.Lines(text) {
		if at := bytes.IndexFunc(line, func(r rune) bool { return r < 0x80 && letter(byte(r)) }); at >= 0 {
			bits = append(bits, bit(line[at]&0x20 == 0))
		}
	}
	return bits
}
