package canary

import (
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"strings"
)

// form is one way in which a canary appears as bytes. Every byte is fixed by
// the canary alone, whatever stands around it.
type form struct {
	text []byte
	fold bool // case is ignored
}

// usualForms lists those that an Index undoes, each once.
func usualForms(c Canary) []form {
	raw := c.raw()
	lower := c.Reveal()
	out := []form{{text: []byte(lower), fold: true}} // DNS servers see mixed case (0x20)
	add := func(texts ...[]byte) {
		for _, t := range texts {
			if !known(out, t) {
				out = append(out, form{text: t})
			}
		}
	}
	add(raw[:])
	add(base64Forms(raw[:])...)
	for _, text := range base32Forms(raw[:]) {
		out = append(out, form{text: text, fold: true}) // as in a name
	}
	for _, text := range []string{lower, strings.ToUpper(lower)} {
		add(base64Forms([]byte(text))...)
		digits := hex.EncodeToString([]byte(text)) // its own case: it has no letters
		add([]byte(digits), utf16Form(text))
	}
	return out
}

func known(fs []form, text []byte) bool {
	for _, f := range fs {
		if string(f.text) == string(text) {
			return true
		}
	}
	return false
}

// base64Forms encodes at the three positions modulo 3 where the bytes may
// stand in a longer text, and keeps the symbols that they alone decide.
func base64Forms(b []byte) [][]byte {
	var out [][]byte
	for _, enc := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
		for before := range 3 {
			s := enc.EncodeToString(append(make([]byte, before), b...))
			first := (8*before + 5) / 6
			last := 8 * (before + len(b)) / 6
			out = append(out, []byte(s[first:last]))
		}
	}
	return out
}

// base32Forms encodes at the five positions modulo 5 where the bytes may stand
// in a longer text, and keeps the symbols that they alone decide.
func base32Forms(b []byte) [][]byte {
	var out [][]byte
	for before := range 5 {
		s := base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(append(make([]byte, before), b...))
		first := (8*before + 4) / 5
		last := 8 * (before + len(b)) / 5
		out = append(out, []byte(s[first:last]))
	}
	return out
}

// utf16Form is what both byte orders have in common, so that text which is
// both (a NUL on either side) counts once: the outermost NUL is left off.
func utf16Form(text string) []byte {
	out := []byte{text[0]}
	for i := 1; i < len(text); i++ {
		out = append(out, 0, text[i])
	}
	return out
}
