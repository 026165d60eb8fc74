package dress

import (
	"slices"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// glyph is a character by what it is drawn like.
type glyph struct {
	plain   byte
	dressed bool
	r       rune
}

// lookingAlike returns the stage's reader: the choice between an ASCII character
// and those that are drawn like it is one bit, and so is the choice between a
// composed letter and its parts.
func lookingAlike(f folder) func([]byte, *sink) {
	return func(b []byte, s *sink) {
		left := 2 * whole
		for _, a := range areas(b) {
			text := b[a.from:min(a.to, a.from+min(whole, left))]
			if left -= len(text); s.done || len(text) < fewest {
				return
			}
			glyphs := f.glyphs(text)
			s.carriers(a.from, glyphs)
			s.composed(a.from, text)
		}
	}
}

func (f folder) glyphs(text []byte) []glyph {
	all := make([]glyph, 0, len(text))
	var spelt []byte
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRune(text[i:])
		if i += n; r < utf8.RuneSelf {
			all = append(all, glyph{byte(r), false, r})
			continue
		}
		if spelt = f.spell(spelt[:0], r); len(spelt) > 0 && spelt[0] < utf8.RuneSelf {
			all = append(all, glyph{spelt[0], true, r})
		}
	}
	return all
}

// carriers yields which of the characters that may be dressed are.
func (s *sink) carriers(offset int, all []glyph) {
	var plain, dressed [128]int
	for _, g := range all {
		if g.dressed {
			dressed[g.plain]++
		} else {
			plain[g.plain]++
		}
	}
	shown := func(c byte) bool { return dressed[c] > 0 }
	anyCase := func(c byte) bool { return shown(c) || letter(c) && shown(c^0x20) }
	for _, carries := range []func(byte) bool{shown, anyCase, letter, alnum} {
		s.stream(offset, chosen(all, carries))
	}
	s.plain(offset, chosen(all, func(c byte) bool { return c >= 'a' && c <= 'z' }))
	s.plain(offset, chosen(all, func(c byte) bool { return c > ' ' }))
	for _, known := range usual() {
		s.plain(offset, chosen(all, func(c byte) bool { return shown(c) || among(known, c) }))
	}
	for c := range plain {
		if dressed[c] > 0 && plain[c]+dressed[c] >= fewest/2 {
			s.variants(offset, all, byte(c))
		}
	}
}

// usual are the letters of which programs that write this way know a double,
// as a text need not show a double of a rare one.
func usual() []string {
	return []string{
		"aceopxy",
		"aceiopxy",
		"aceopsxy",
		"aceijopsxy",
		"aceio",
		"aeo",
		"aeiou",
		"aceopABCEHKMOPTX",
		"aceopxyABCEHKMOPTX",
		"aceiopsxyjABCEHIJKMOPSTXY",
		"ABCEHIKMNOPTXYZ",
	}
}

func among(set string, c byte) bool {
	for i := range len(set) {
		if set[i] == c {
			return true
		}
	}
	return false
}

func chosen(all []glyph, carries func(byte) bool) []byte {
	var bits []byte
	for _, g := range all {
		if carries(g.plain) {
			bits = append(bits, bit(g.dressed))
		}
	}
	return bits
}

// variants yields which of the forms of one character stands at each place.
func (s *sink) variants(offset int, all []glyph, c byte) {
	var seq []int
	for _, g := range all {
		if g.plain == c {
			seq = append(seq, int(g.r))
		}
	}
	s.symbols(offset, seq)
}

// composed yields, for each letter that can be written as one character or as
// several, which it is.
func (s *sink) composed(offset int, text []byte) {
	var bits []byte
	for rest := text; len(rest) > 0; {
		n := norm.NFD.NextBoundary(rest, true)
		if n <= 0 {
			n = 1
		}
		if n > 1 {
			if whole := norm.NFC.Bytes(rest[:n]); utf8.RuneCount(whole) < utf8.RuneCount(norm.NFD.Bytes(rest[:n])) {
				bits = append(bits, bit(slices.Equal(whole, rest[:n])))
			}
		}
		rest = rest[n:]
	}
	s.stream(offset, bits)
}
