package forms

import (
	"sync"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"

	"postern/observers/canary/layer"
)

// charsets are texts in another character set or in wider units, and bytes
// that were taken for Latin-1.
func charsets(w *wardrobe) {
	for _, t := range w.texts {
		w.add("utf-16", t.bits, w.spread(t.b, 2))
		w.add("utf-32", t.bits, w.spread(t.b, 4))
		w.add("ebcdic", t.bits, w.ebcdic(t.b))
		w.characters(t)
	}
	for start := range 8 {
		w.add("gsm-7bit", w.texts[0].bits, w.septets(w.texts[0].b, start))
	}
	if r := w.raw; r.b != nil {
		w.add("16-bit-units", r.bits, w.spread(r.b, 2))
		w.add("32-bit-units", r.bits, w.spread(r.b, 4))
		w.spell(misread(), r)
	}
}

// characters are those of a text that is not ASCII alone, in the units of other
// character sets: it was taken to be UTF-8.
func (w *wardrobe) characters(t source) {
	if !utf8.Valid(t.b) || utf8.RuneCount(t.b) == len(t.b) {
		return
	}
	for _, order := range []unicode.Endianness{unicode.LittleEndian, unicode.BigEndian} {
		w.encoded("utf-16", t, unicode.UTF16(order, unicode.IgnoreBOM))
	}
	for _, order := range []utf32.Endianness{utf32.LittleEndian, utf32.BigEndian} {
		w.encoded("utf-32", t, utf32.UTF32(order, utf32.IgnoreBOM))
	}
	for _, set := range []encoding.Encoding{charmap.ISO8859_1, charmap.ISO8859_15, charmap.Windows1252, charmap.CodePage437, charmap.Macintosh} {
		w.encoded("8-bit-characters", t, set)
	}
}

// encoded adds a text in a character set that has all of it.
func (w *wardrobe) encoded(as layer.Technique, t source, set encoding.Encoding) {
	if b, err := set.NewEncoder().Bytes(t.b); err == nil {
		w.add(as, t.bits, b)
	}
}

// spread puts each byte in a unit of n. The outermost NULs are left off, so
// that both byte orders look the same, and what is both counts once.
func (r *room) spread(b []byte, n int) []byte {
	out := r.take(n*(len(b)-1) + 1)
	clear(out)
	for i, c := range b {
		out[n*i] = c
	}
	return out
}

// ebcdic is a text in that character set, or nothing where it has none.
func (r *room) ebcdic(b []byte) []byte {
	out := r.take(len(b))
	for i, c := range b {
		if c >= 0x80 {
			out, _ = charmap.CodePage037.NewEncoder().Bytes(b) // nil for what it lacks
			return out
		}
		out[i], _ = charmap.CodePage037.EncodeRune(rune(c))
	}
	return out
}

// misread are bytes that were taken for characters, in UTF-8.
var misread = sync.OnceValue(func() []spelling {
	out := []spelling{{technique: "latin-1-as-utf-8"}, {technique: "cp1252-as-utf-8"}}
	for c := range 256 {
		out[0].items[c] = itemOf([]byte(string(rune(c))))
		out[1].items[c] = itemOf([]byte(string(charmap.Windows1252.DecodeByte(byte(c)))))
	}
	for i := range out {
		out[i].separators = separators(tight())
	}
	return out
})

// septets packs seven bits a character, the low ones first (3GPP TS 23.038),
// from some bit of a byte on, and keeps the whole bytes.
func (r *room) septets(b []byte, start int) []byte {
	room := r.take(len(b))
	out, acc, n := room[:0], uint(0), uint(start)
	for _, c := range b {
		acc |= uint(c&127) << n
		n += 7
		for ; n >= 8; n -= 8 {
			out = append(out, byte(acc))
			acc >>= 8
		}
	}
	if start > 0 {
		return r.trim(room, len(out))[1:]
	}
	return r.trim(room, len(out))
}
