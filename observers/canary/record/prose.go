package record

import (
	"bytes"

	"postern/observers/canary/layer"
)

// openProse reads words, sentences and paragraphs as records, every n-th word,
// and the capitals, small letters, digits, punctuation and case of the text.
func openProse(b []byte, room *layer.Room, yield func(layer.View) bool) {
	if len(b) > large || !textual(b) || len(b) < 2*shortest {
		return
	}
	o := newOut("prose", len(b), room, yield)
	look := room.Look(b)
	for n, in := range classes() {
		if n > 3 && len(b) > 2*thoroughMost {
			return
		}
		if kept := look.Many(in); kept >= shortest && kept < len(b) && o.fits(kept) {
			o.give(0, filtered(b, in, kept))
		}
	}
	o.give(0, cases(b))
	list := []*table{one(tokens(b)), one(sentences(b)), one(paragraphs(b)), everyWord(tokens(b))}
	for _, t := range list[:3] {
		if t.trim(); len(t.cols) > 0 {
			giveTurnsOf(o, t, nil, acrostics())
		}
	}
	giveJoined(o, list[3], false)
}

func classes() []func(byte) bool {
	return []func(byte) bool{
		func(c byte) bool { return 'A' <= c && c <= 'Z' },
		func(c byte) bool { return '0' <= c && c <= '9' },
		func(c byte) bool { return nibble(c) >= 0 },
		func(c byte) bool { return '0' <= c && c <= '9' || 'A' <= c && c <= 'F' },
		func(c byte) bool { return '0' <= c && c <= '9' || 'A' <= c && c <= 'Z' },
		func(c byte) bool { return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' },
		func(c byte) bool { return 'a' <= c && c <= 'z' },
		alnum,
		func(c byte) bool { return alnum(c) || c == '+' || c == '/' || c == '=' },
		func(c byte) bool { return c > ' ' && !alnum(c) && c < 0x7f },
		func(c byte) bool { return c > ' ' && c < 0x7f },
		func(c byte) bool { return c > 0x7f },
		func(c byte) bool { return c <= ' ' },
	}
}

// filtered are the n bytes of b that are in a class.
func filtered(b []byte, in func(byte) bool, n int) []byte {
	var class [256]bool
	for c := range class {
		class[c] = in(byte(c))
	}
	kept := make([]byte, 0, n)
	for _, c := range b {
		if class[c] {
			kept = append(kept, c)
		}
	}
	return kept
}

// cases are the letters' cases as bits.
func cases(b []byte) []byte {
	var upper []bool
	for _, c := range b {
		if 'a' <= c|32 && c|32 <= 'z' {
			upper = append(upper, c&32 == 0)
		}
	}
	return bitStreams(upper)
}

// acrostics are the turns that prose can have.
func acrostics() []func([][]byte) []byte {
	return []func([][]byte) []byte{perPlace, perPlaceBack, ends, asLengths, asSymbols}
}

func one(c column) *table { return &table{cols: []column{c}} }

// tokens are what stands between spaces, without its punctuation.
func tokens(b []byte) column {
	t := spaced()
	var c column
	for i := 0; i < len(b); {
		from, to := t.next(b, i)
		s := bytes.Trim(b[from:to], `.,;:!?"'()[]`)
		if len(s) > 0 {
			c = append(c, cell{len(c), from, s})
		}
		i = to
	}
	return c
}

// sentences end with a full stop, a question or an exclamation mark.
func sentences(b []byte) column {
	var c column
	from := 0
	for i, sign := range b {
		if sign == '.' || sign == '!' || sign == '?' || i == len(b)-1 {
			if s := bytes.Trim(b[from:i+1], " \t\r\n.!?\"'"); len(s) > 0 {
				c = append(c, cell{len(c), from, s})
			}
			from = i + 1
		}
	}
	return c
}

// paragraphs have a blank line between them.
func paragraphs(b []byte) column {
	var c column
	off := 0
	for s := range bytes.SplitSeq(b, []byte("\n\n")) {
		if p := bytes.TrimSpace(s); len(p) > 0 {
			c = append(c, cell{len(c), off, p})
		}
		off += len(s) + 2
	}
	return c
}

const wordsApart = 8

// everyWord has a column for every n-th word from every start.
func everyWord(words column) *table {
	t := &table{}
	for n := 2; n <= wordsApart; n++ {
		for start := range n {
			var c column
			for i := start; i < len(words); i += n {
				c = append(c, words[i])
			}
			if len(c) > 1 {
				t.cols = append(t.cols, c)
			}
		}
	}
	return t
}
