// Package dress takes text out of Unicode dress and bits out of the choices in
// which a text can hide them: invisible characters, look-alikes, kinds of
// space, case, quotes, markup, words, line shapes, and low bits of samples.
//
// It promises stages that are quick where nothing is chosen between, whose
// views stay within a small multiple of the piece, and that never panic.
//
// It does not know which of two alternatives is meant: it yields both, and both
// orders. A choice in ASCII is read where a piece of up to 64 KiB holds it, and
// in windows of a longer one; one in other characters in the first 128 to 512 KiB
// that have it; low bits up to 4 MiB, and beside the lowest of every byte in the
// first 64 KiB. A choice hidden beyond these bounds, or one among more views than
// a stage may have, is beyond this package, and not counted as unread.
package dress

import "postern/observers/canary/layer"

// Stages returns every stage of the package.
func Stages() []layer.Stage {
	f := newFolder()
	return []layer.Stage{
		stage("fold", folding(f)),
		stage("bidi", straighten),
		stage("compact", compact),
		stage("code-points", codePoints),
		stage("invisible", concealing(f)),
		stage("look-alike", lookingAlike(f)),
		stage("spaces", spaces),
		stage("case", cases),
		stage("markup", markup),
		stage("tokens", tokens),
		stage("neighbours", neighbours),
		stage("lines", lines),
		stage("lengths", lengths),
		stage("low-bits", lowBits),
	}
}

// Selects reports whether a view of this technique is a guess at a choice: worth
// every decoder, but not worth being read for choices again.
func Selects(t layer.Technique) bool {
	switch t {
	case "invisible", "look-alike", "spaces", "case", "markup", "tokens", "neighbours", "lines", "lengths", "low-bits":
		return true
	}
	return false
}

// stage gives a reader of pieces its sink.
func stage(t layer.Technique, open func([]byte, *sink)) layer.Stage {
	return layer.Stage{Technique: t, Open: func(b []byte, room *layer.Room, yield func(layer.View) bool) {
		if len(b) < shortest {
			return
		}
		open(b, newSink(t, b, room, yield))
	}}
}
