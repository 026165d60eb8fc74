package forms

import (
	"slices"

	"golang.org/x/text/encoding/charmap"
)

// charsets are texts in another character set or in wider units, and bytes
// that were taken for Latin-1.
func charsets(w *wardrobe) {
	for _, t := range w.texts {
		w.add("utf-16", t.bits, spread(t.b, 2))
		w.add("utf-32", t.bits, spread(t.b, 4))
		if b, err := charmap.CodePage037.NewEncoder().Bytes(t.b); err == nil {
			w.add("ebcdic", t.bits, b)
		}
	}
	for start := range 8 {
		w.add("gsm-7bit", w.texts[0].bits, septets(w.texts[0].b, start))
	}
	if r := w.raw; r.b != nil {
		w.add("16-bit-units", r.bits, spread(r.b, 2))
		w.add("32-bit-units", r.bits, spread(r.b, 4))
		w.add("latin-1-as-utf-8", r.bits, latin1(r.b))
		w.add("cp1252-as-utf-8", r.bits, cp1252(r.b))
	}
}

// spread puts each byte in a unit of n. The outermost NULs are left off, so
// that both byte orders look the same, and what is both counts once.
func spread(b []byte, n int) []byte {
	out := make([]byte, n*(len(b)-1)+1)
	for i, c := range b {
		out[n*i] = c
	}
	return out
}

func latin1(b []byte) []byte {
	var out []rune
	for _, c := range b {
		out = append(out, rune(c))
	}
	return []byte(string(out))
}

func cp1252(b []byte) []byte {
	out, _ := charmap.Windows1252.NewDecoder().Bytes(b)
	return out
}

// septets packs seven bits a character, the low ones first (3GPP TS 23.038),
// from some bit of a byte on, and keeps the whole bytes.
func septets(b []byte, start int) []byte {
	var out []byte
	acc, n := uint(0), uint(start)
	for _, c := range b {
		acc |= uint(c&127) << n
		n += 7
		for ; n >= 8; n -= 8 {
			out = append(out, byte(acc))
			acc >>= 8
		}
	}
	if start > 0 {
		out = slices.Delete(out, 0, 1)
	}
	return out
}
