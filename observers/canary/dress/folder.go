package dress

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// folder turns characters into the ASCII that they are drawn like.
type folder struct {
	plain map[rune]byte
	known *[0x10000]uint8 // what is to be done with each character below
}

// What is to be done with a character, where it is not the ASCII to put for it.
const (
	keep = 0x80 + iota // as it is
	drop               // it is invisible, or a mark
	part               // into what it is composed of
)

func newFolder() folder {
	f := folder{plain: map[rune]byte{}, known: new([0x10000]uint8)}
	for _, run := range countedRuns() {
		for r := run.first; r <= run.last; r++ {
			f.plain[r] = run.plain + byte(r-run.first)
		}
	}
	for _, a := range alikes() {
		for _, r := range a.dress {
			if _, have := f.plain[r]; !have {
				f.plain[r] = a.plain
			}
		}
	}
	for r := range f.known {
		f.known[r] = f.class(rune(r))
	}
	return f
}

// what looks r up, or judges it.
func (f folder) what(r rune) uint8 {
	if int(r) < len(f.known) {
		return f.known[r]
	}
	return f.class(r)
}

// class returns what is to be done with r.
func (f folder) class(r rune) uint8 {
	if c := f.one(r); c != 0 || r == 0 {
		return c
	}
	if unseen(r) || unicode.In(r, unicode.Mn, unicode.Me) {
		return drop
	}
	var raw [utf8.UTFMax]byte
	if n := utf8.EncodeRune(raw[:], r); len(norm.NFKD.Properties(raw[:n]).Decomposition()) > 0 {
		return part
	}
	return keep
}

// one returns the ASCII character that r stands for, or 0.
func (f folder) one(r rune) byte {
	if r < utf8.RuneSelf {
		return byte(r)
	}
	if c := f.plain[r]; c != 0 {
		return c
	}
	if c := digit(r); c != 0 {
		return c
	}
	if unicode.Is(unicode.Zs, r) {
		return ' '
	}
	return 0
}

// spell appends what r stands for: nothing where it is invisible or a mark,
// ASCII where it is drawn like that, else itself.
func (f folder) spell(dst []byte, r rune) []byte {
	class := f.what(r)
	switch class {
	case keep:
		return utf8.AppendRune(dst, r)
	case drop:
		return dst
	default:
		return append(dst, class)
	case part:
	}
	var raw [utf8.UTFMax]byte
	n := utf8.EncodeRune(raw[:], r)
	apart := norm.NFKD.Properties(raw[:n]).Decomposition()
	for _, part := range string(apart) {
		switch c := f.one(part); {
		case c != 0:
			dst = append(dst, c)
		case !unicode.In(part, unicode.Mn, unicode.Me):
			dst = utf8.AppendRune(dst, part)
		}
	}
	return dst
}

// digit returns the decimal digit that r is in any script, or 0. The decimal
// digits of a script stand together (Unicode Standard, 4.6).
func digit(r rune) byte {
	if r < utf8.RuneSelf || !unicode.Is(unicode.Nd, r) {
		return 0
	}
	for _, run := range unicode.Nd.R16 {
		if rune(run.Lo) <= r && r <= rune(run.Hi) {
			return '0' + byte((r-rune(run.Lo))%10)
		}
	}
	for _, run := range unicode.Nd.R32 {
		if rune(run.Lo) <= r && r <= rune(run.Hi) {
			return '0' + byte((r-rune(run.Lo))%10)
		}
	}
	return 0
}

// unseen reports whether r is drawn as nothing: what Unicode calls default
// ignorable, tags that carry text aside.
func unseen(r rune) bool {
	switch {
	case r < 0xad:
		return false
	case r == 0xad, r == 0x34f, r == 0x61c, r == 0x115f, r == 0x1160, r == 0x17b4, r == 0x17b5:
		return true
	case r >= 0x180b && r <= 0x180f, r >= 0x200b && r <= 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x2060 && r <= 0x206f:
		return true
	case r == 0x3164, r == 0xfeff, r == 0xffa0, r >= 0xfe00 && r <= 0xfe0f, r >= 0xfff0 && r <= 0xfffb:
		return true
	case r >= 0x1bca0 && r <= 0x1bca3, r >= 0x1d173 && r <= 0x1d17a, r >= 0xe0000 && r <= 0xe0fff:
		return true
	}
	return false
}

// turnedTable maps what is drawn upside down.
func turnedTable() map[rune]rune {
	table := map[rune]rune{}
	for _, pair := range strings.Fields(turned) {
		r := []rune(pair)
		table[r[0]] = r[1]
	}
	return table
}
