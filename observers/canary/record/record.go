// Package record puts together again what was split over records: it yields
// the same field over lines of one shape, every n-th character, the leaves of a
// document, the payloads of frames, and the pieces in the order that their
// numbers ask for.
//
// It promises linear time, and output within the Room and within a fixed
// multiple of the input. It does not promise every selection: a stream that
// needs two choices at once (every third character of every second line) is
// beyond it, and so are most selections from pieces above one mebibyte. Those
// bounds are part of what a selection is, so only a full Room is reported.
package record

import "postern/observers/canary/layer"

// Stages are the most plausible first: exact framing, then records, then
// selections that guess.
func Stages() []layer.Stage {
	var all []layer.Stage
	all = append(all, framings()...)
	all = append(all, structures()...)
	return append(all, selections()...)
}

// Selects reports whether a view of this technique is a guess at a selection,
// which is worth decoding but not worth selecting from again.
func Selects(t layer.Technique) bool {
	for _, s := range append(structures(), selections()...) {
		if s.Technique == t {
			return t != terminalText && t != markupText
		}
	}
	return false
}

func structures() []layer.Stage {
	return []layer.Stage{
		{Technique: "json-leaves", Open: openJSON},
		{Technique: terminalText, Open: openTerminal},
		{Technique: markupText, Open: openMarkupText},
		{Technique: "markup", Open: openMarkup},
		{Technique: "pairs", Open: openPairs},
		{Technique: "lines", Open: openLines},
		{Technique: "cells", Open: openCells},
		{Technique: "context", Open: openContext},
		{Technique: "names", Open: openNames},
	}
}

func selections() []layer.Stage {
	return []layer.Stage{
		{Technique: "quoted", Open: openQuoted},
		{Technique: "prose", Open: openProse},
		{Technique: "picked", Open: openPicked},
		{Technique: "transposed-token", Open: openTokens},
		{Technique: "stride", Open: openStride},
		{Technique: "numbers", Open: openNumbers},
	}
}
