// Package text takes apart bytes that look like encoded text: the base-N
// alphabets, escapes, lists of numbers, bit strings, code words, transfer
// encodings and character sets, at any offset and in every phase.
//
// It promises that a stage ends in time linear in its input, yields no more
// than its room, and keeps output of any bytes, printable or not. Small finds
// of one technique share a view, a line apart, so that ordinary text yields
// few. In a piece of more than 4 KiB the rarer orders of an alphabet are left
// out. It does not say that what it yields meant anything, nor undo a cipher
// with a key, nor an encoding whose runs are shorter than six bytes.
package text

import "postern/observers/canary/layer"

// Stages returns the decoders, each independent of the others.
func Stages() []layer.Stage {
	return []layer.Stage{
		{Technique: "base-n", Open: openRuns},
		{Technique: "even-groups", Open: openEven},
		{Technique: "quanta", Open: openQuanta},
		{Technique: "base85", Open: openGraph},
		{Technique: "escape", Open: openEscapes},
		{Technique: "transfer", Open: openLines},
		{Technique: "number-list", Open: openNumbers},
		{Technique: "float-list", Open: openFloats},
		{Technique: "bits", Open: openBits},
		{Technique: "charset", Open: openCharsets},
		{Technique: "words", Open: openWords},
		{Technique: "code", Open: openCode},
		{Technique: "normalised", Open: openNormal},
	}
}
