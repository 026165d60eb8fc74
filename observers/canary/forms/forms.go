// Package forms finds secrets whose dress maps them to fixed strings: the
// strings are made beforehand, and one pass looks for all of them at once.
//
// It promises that every form that Of lists is found at any offset, whatever
// stands around it: forms are cut to the symbols that the secret alone decides.
// It does not undo anything: what depends on a key, on a line's width or on
// what stands before belongs to other finders and to the stages.
package forms

import (
	"bytes"
	"hash/maphash"
	"slices"

	"postern/observers/canary/layer"
	"postern/observers/canary/secret"
)

const (
	minText  = 8   // bytes in a secret
	minShort = 8   // bytes in a form of a short secret
	minForm  = 15  // bytes in any other: 128 bits shifted within a byte fill no more
	maxText  = 128 // bytes of a secret that are dressed; a literal has all
)

// Form is one way in which a secret appears as bytes.
type Form struct {
	secret.Redacted
	Text      []byte
	Fold      bool // the case of ASCII letters is ignored; those of Text are small
	Technique layer.Technique
	Bits      int // how much of the secret it shows
}

// source is what an encoder may have been given: bytes, and how many bits of
// the secret are in them.
type source struct {
	b    []byte
	bits int
}

// wardrobe makes the forms of one secret after the other. A form's text lies in
// its room, until the next secret.
type wardrobe struct {
	room
	text  []byte   // as its owner wrote it
	whole int      // bits
	texts []source // the part of it that counts: as it is, in lower case, in upper
	raw   source   // what it spells, or nothing
	least int      // bytes in a form
	made  func(Form)
	seed  maphash.Seed
	known known
}

// Of lists the forms of one secret, each once.
func Of(s secret.Secret) []Form { return listed(s, maphash.MakeSeed()) }

func listed(s secret.Secret, seed maphash.Seed) []Form {
	out := make([]Form, 0, usualCount)
	w := wardrobe{seed: seed, made: func(f Form) { out = append(out, f) }}
	w.dress(s)
	return out
}

const usualCount = 950 // forms of a secret of 32 digits, about

// dress makes every form of one secret, each once, always in the same order.
func (w *wardrobe) dress(s secret.Secret) {
	w.measure(s)
	if len(w.text) < minText {
		return
	}
	for _, family := range []func(*wardrobe){
		plain, charsets, bitwise, linecodes, deflated, grouped, groups85, groups45, running91, numbers, addresses, lists, words, digits, escapes, spoken,
	} {
		family(w)
	}
}

func (w *wardrobe) measure(s secret.Secret) {
	w.reset()
	w.known.reset()
	w.text, w.whole, w.least, w.texts, w.raw = s.Text(), s.Bits(), minForm, w.texts[:0], source{}
	core := digitsOf(w.text, s.Raw())
	if len(core) < minForm {
		w.least = minShort
	}
	bits := w.whole
	if len(core) > maxText {
		bits = bits * maxText / len(core)
		core = core[:maxText]
	}
	for _, b := range [][]byte{core, w.mapped(core, lowerByte), w.mapped(core, upperByte)} {
		if !slices.ContainsFunc(w.texts, func(s source) bool { return bytes.Equal(s.b, b) }) {
			w.texts = append(w.texts, source{b, bits})
		}
	}
	if n := min(len(s.Raw()), maxText); n > 0 {
		w.raw = source{s.Raw()[:n], 8 * n}
	}
}

// digitsOf leaves off what stands before the digits: it hides none of them.
func digitsOf(text, raw []byte) []byte {
	n := len(text) - 2*len(raw)
	if len(raw) == 0 || n < 0 {
		return text
	}
	for i, c := range raw {
		if at := text[n+2*i:]; lowerByte(at[0]) != hexDigits[c>>4] || lowerByte(at[1]) != hexDigits[c&15] {
			return text
		}
	}
	return text[n:]
}

// sources are what a usual encoder may have been given; of rare ones it is
// enough to know what they do to the text as it is, and to what it spells.
func (w *wardrobe) sources() []source {
	if w.raw.b == nil {
		return w.texts
	}
	return append(slices.Clip(w.texts), w.raw)
}

func (w *wardrobe) few() []source {
	if w.raw.b == nil {
		return w.texts[:1]
	}
	return []source{w.texts[0], w.raw}
}

// wholes are what an encoder that takes its input for one number may have been
// given: there, what stands before the digits hides them.
func (w *wardrobe) wholes() []source {
	all := w.few()
	if whole := w.text[:min(len(w.text), maxText)]; !bytes.Equal(whole, all[0].b) {
		all = append(slices.Clip(all), source{whole, w.whole})
	}
	return all
}

func (w *wardrobe) add(t layer.Technique, bits int, text []byte) { w.put(t, bits, text, false) }
func (w *wardrobe) fold(t layer.Technique, bits int, text []byte) {
	w.put(t, bits, w.mapped(text, lowerByte), true)
}

// put takes a text that nothing changes until the next secret. Where case is
// ignored its letters are small.
func (w *wardrobe) put(t layer.Technique, bits int, text []byte, fold bool) {
	if len(text) >= w.least && !w.known.before(maphash.Bytes(w.seed, text), fold) {
		w.made(Form{Text: text, Fold: fold, Technique: t, Bits: bits})
	}
}
