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
	"encoding/hex"
	"hash/maphash"
	"slices"

	"postern/observers/canary/layer"
	"postern/observers/canary/secret"
)

const (
	minText    = 8   // bytes in a secret
	minShort   = 8   // bytes in a form of a short secret
	minForm    = 15  // bytes in any other: 128 bits shifted within a byte fill no more
	usualCount = 800 // forms of a secret of 32 digits, about
	maxText    = 128 // bytes of a secret that are dressed; a literal has all
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

// wardrobe collects the forms of one secret.
type wardrobe struct {
	text  []byte   // as its owner wrote it
	whole int      // bits
	texts []source // the part of it that counts: as it is, in lower case, in upper
	raw   source   // what it spells, or nothing
	least int      // bytes in a form
	out   []Form
	seed  maphash.Seed
	seen  map[uint64]bool // by a hash of the text: whether case is ignored
}

// Of lists the forms of one secret, each once.
func Of(s secret.Secret) []Form {
	w := newWardrobe(s)
	if len(w.text) < minText {
		return nil
	}
	for _, family := range []func(*wardrobe){
		plain, charsets, bitwise, deflated, grouped, groups85, groups45, running91, numbers, addresses, lists, words, digits, escapes, spoken,
	} {
		family(w)
	}
	return w.out
}

func newWardrobe(s secret.Secret) *wardrobe {
	w := &wardrobe{text: s.Text(), whole: s.Bits(), least: minForm, seed: maphash.MakeSeed(), seen: make(map[uint64]bool, usualCount), out: make([]Form, 0, usualCount)}
	core := digitsOf(w.text, s.Raw())
	if len(core) < minForm {
		w.least = minShort
	}
	bits := w.whole
	if len(core) > maxText {
		bits = bits * maxText / len(core)
		core = core[:maxText]
	}
	for _, b := range [][]byte{core, mapped(core, lowerByte), mapped(core, upperByte)} {
		if !slices.ContainsFunc(w.texts, func(s source) bool { return bytes.Equal(s.b, b) }) {
			w.texts = append(w.texts, source{b, bits})
		}
	}
	if n := min(len(s.Raw()), maxText); n > 0 {
		w.raw = source{s.Raw()[:n], 8 * n}
	}
	return w
}

// digitsOf leaves off what stands before the digits: it hides none of them.
func digitsOf(text, raw []byte) []byte {
	if n := len(text) - 2*len(raw); len(raw) > 0 && n >= 0 && bytes.EqualFold(text[n:], []byte(hex.EncodeToString(raw))) {
		return text[n:]
	}
	return text
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
	return append(w.few(), source{w.text[:min(len(w.text), maxText)], w.whole})
}

func (w *wardrobe) add(t layer.Technique, bits int, text []byte) { w.put(t, bits, text, false) }
func (w *wardrobe) fold(t layer.Technique, bits int, text []byte) {
	w.put(t, bits, mapped(text, lowerByte), true)
}

func (w *wardrobe) put(t layer.Technique, bits int, text []byte, fold bool) {
	if len(text) < w.least {
		return
	}
	sum := maphash.Bytes(w.seed, text)
	folds, known := w.seen[sum]
	if known && (folds || !fold) {
		return
	}
	w.seen[sum] = fold
	w.out = append(w.out, Form{Text: text, Fold: fold, Technique: t, Bits: bits})
}
