package text

import (
	"math/bits"
	"slices"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

const (
	longMojibake = 4 << 10 // bytes of a run that are taken for mojibake: what is longer is a language
	pages        = 12
)

// codePages are the sets of single bytes that bytes are taken for, to be written
// as UTF-8, besides Latin-1 and Windows-1252, of which the folding of characters
// takes care.
func codePages() [pages]*charmap.Charmap {
	return [pages]*charmap.Charmap{
		charmap.CodePage437, charmap.CodePage850, charmap.CodePage852, charmap.CodePage866, charmap.KOI8R, charmap.Macintosh,
		charmap.Windows1250, charmap.Windows1251, charmap.ISO8859_2, charmap.ISO8859_5, charmap.ISO8859_15, charmap.CodePage858,
	}
}

// behind says which byte stands for a character in each of the code pages; 0 is
// none.
var behind = bytesBehind()

func bytesBehind() map[rune][pages]byte {
	all := map[rune][pages]byte{}
	for k, page := range codePages() {
		for c := 0x80; c < 0x100; c++ {
			r := page.DecodeByte(byte(c))
			if r == utf8.RuneError {
				continue
			}
			bytes := all[r]
			bytes[k] = byte(c)
			all[r] = bytes
		}
	}
	return all
}

// mojibake turns a run of characters back to bytes in each code page that has
// all of them. Those that have no place in a page stand for themselves below 256,
// as decoders leave them.
func (o *out) mojibake(at int, run []byte) {
	if len(run) > longMojibake {
		return
	}
	var d [pages][]byte
	left := pages
	var gone [pages]bool
	for len(run) > 0 && left > 0 {
		r, n := utf8.DecodeRune(run)
		run = run[n:]
		var bytes [pages]byte
		if r >= utf8.RuneSelf {
			bytes = behind[r]
		}
		for k, c := range bytes {
			switch {
			case gone[k]:
			case c != 0:
				d[k] = append(d[k], c)
			case r < 256:
				d[k] = append(d[k], byte(r))
			default:
				gone[k] = true
				left--
			}
		}
	}
	for k := range d {
		if !gone[k] {
			o.offer("mojibake", at, d[k])
		}
	}
}

// blocks begin where encodings in characters of many bits take them from.
func blocksOfCharacters() []rune {
	return []rune{0, 0x1200, 0x2800, 0x3400, 0x4dc0, 0x4e00, 0x5000, 0xa000, 0xac00, 0x10000, 0x1f300, 0x1f400, 0x20000}
}

// pointBits reads the numbers of characters, from the beginning of a block on, as
// groups of six bits or more.
func (o *out) pointBits(at int, run []byte) {
	if len(run) > longMojibake {
		return
	}
	var points []rune
	for len(run) > 0 {
		r, n := utf8.DecodeRune(run)
		run = run[n:]
		if r >= utf8.RuneSelf {
			points = append(points, r)
		}
	}
	if len(points) < least {
		return
	}
	low, high := slices.Min(points), slices.Max(points)
	for _, block := range blocksOfCharacters() {
		if block > low || block+1<<16 < high {
			continue
		}
		width := bits.Len(uint(high - block))
		if width < 6 || width == 8 || width > 16 || block == 0 && width == 16 {
			continue
		}
		vs := make([]uint64, 0, len(points))
		for _, r := range points {
			vs = append(vs, uint64(r-block))
		}
		o.offer("code-point-bits", at, packValues(vs, uint(width)))
	}
}
