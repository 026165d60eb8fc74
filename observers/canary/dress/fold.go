package dress

import (
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// folding returns the stage's reader, which keeps its tables.
func folding(f folder) func([]byte, *sink) {
	upside := turnedTable()
	return func(b []byte, s *sink) {
		for _, a := range areas(b) {
			if s.done {
				return
			}
			text := b[a.from:a.to]
			if anyUnseen(text) {
				s.put(a.from, visible(text))
			}
			f.views(a.from, text, s)
			if len(text) <= whole {
				s.put(a.from, norm.NFC.Bytes(text))
				s.put(a.from, norm.NFD.Bytes(text))
				s.put(a.from, overturn(text, upside))
			}
		}
	}
}

// views yields the text folded, only its letters and digits, what ASCII it
// held, and what of it was dressed.
func (f folder) views(offset int, text []byte, s *sink) {
	folded := make([]byte, 0, len(text))
	bare := make([]byte, 0, len(text)/2)
	var dressed []byte
	dropped := 0
	for i := 0; i < len(text); {
		if c := text[i]; c < utf8.RuneSelf {
			folded, bare = append(folded, c), append(bare, c)
			i++
			continue
		}
		r, n := utf8.DecodeRune(text[i:])
		if i += n; r == utf8.RuneError {
			continue
		}
		from := len(folded)
		if folded = f.spell(folded, r); len(folded) == from {
			dropped++
		} else if folded[from] < utf8.RuneSelf {
			dressed = append(dressed, folded[from:]...)
		}
	}
	if len(text) > whole && dropped < shortest && len(figures(dressed)) < shortest {
		return
	}
	s.put(offset, folded)
	s.put(offset, figures(folded))
	s.put(offset, bare)
	s.put(offset, dressed)
	s.put(offset, figures(dressed))
}

// visible drops only what is drawn as nothing, as a secret may hold characters
// beyond ASCII itself.
func visible(text []byte) []byte {
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRune(text[i:])
		if !unseen(r) {
			out = append(out, text[i:i+n]...)
		}
		i += n
	}
	return out
}

// anyUnseen reports whether visible would drop a character.
func anyUnseen(text []byte) bool {
	for i := beyondASCII(text); i < len(text); {
		r, n := utf8.DecodeRune(text[i:])
		if unseen(r) {
			return true
		}
		if i += n; i < len(text) && text[i] < utf8.RuneSelf {
			i += beyondASCII(text[i:])
		}
	}
	return false
}

// figures keeps the letters and digits of ASCII.
func figures(b []byte) []byte {
	out := make([]byte, 0, len(b))
	for _, c := range b {
		if alnum(c) {
			out = append(out, c)
		}
	}
	return out
}

func alnum(c byte) bool { return c >= '0' && c <= '9' || letter(c) }

func letter(c byte) bool { c |= 0x20; return c >= 'a' && c <= 'z' }

// overturn reads text upside down, which also turns its order.
func overturn(text []byte, upside map[rune]rune) []byte {
	var turned []rune
	hits := 0
	for _, r := range string(text) {
		if to, have := upside[r]; have {
			if r >= utf8.RuneSelf {
				hits++
			}
			r = to
		}
		turned = append(turned, r)
	}
	if hits < 3 {
		return nil
	}
	var out []byte
	for i := len(turned) - 1; i >= 0; i-- {
		out = utf8.AppendRune(out, turned[i])
	}
	return out
}
