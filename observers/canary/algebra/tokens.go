package algebra

import "postern/observers/canary/words"

// splitter says which bytes stand between tokens, and what each counts as.
type splitter struct {
	border [256]bool
	folded [256]byte // no notice is taken of the case of letters
}

func splitAt(between func(c byte) bool) *splitter {
	t := &splitter{}
	for c := range t.border {
		t.border[c], t.folded[c] = between(byte(c)), byte(c)
		if c < 0x80 && class(byte(c)) == 'a' {
			t.folded[c] |= 0x20
		}
	}
	return t
}

// splitters are made once: many inputs are short.
type splitters struct{ words, gaps, blacks, lines, cells *splitter }

func newSplitters() splitters {
	return splitters{splitAt(betweenWords), splitAt(withinWords), splitAt(betweenBlacks), splitAt(betweenLines), splitAt(betweenCells)}
}

// class tells what may be part of a word: a letter or a byte of a character
// that is not ASCII, or a figure.
func class(c byte) byte {
	switch {
	case c >= 0x80, c|0x20 >= 'a' && c|0x20 <= 'z':
		return 'a'
	case c >= '0' && c <= '9':
		return '0'
	}
	return 0
}

func betweenWords(c byte) bool  { return class(c) == 0 }
func withinWords(c byte) bool   { return class(c) != 0 }
func betweenBlacks(c byte) bool { return c <= ' ' }
func betweenLines(c byte) bool  { return c == '\n' || c == '\r' }
func betweenCells(c byte) bool {
	return c == ',' || c == ';' || c == '|' || c == '\t' || c == '"' || betweenLines(c)
}

// allTokens: each symbol is a word, a line, a cell, what stands between words,
// or how long these are.
func (s *search) allTokens() {
	s.tokens(s.split.words, 4)
	s.tokens(s.split.gaps, 1)
	s.tokens(s.split.blacks, 2)
	s.tokens(s.split.lines, 2)
	s.tokens(s.split.cells, 2)
}

func (s *search) tokens(at *splitter, most int) {
	q := s.symbols
	q.reset()
	q.lengths = q.lengths[:0]
	s.takeOut(at)
	if len(q.id) < minSymbols {
		return
	}
	s.grouped(most)
	s.equalSymbols(q.lengths, func(i int) int { return int(q.place[i]) })
}

// takeOut takes out the tokens, blanks around them left out, by a hash that takes
// no notice of the case of letters, and their lengths.
func (s *search) takeOut(at *splitter) {
	q, b, border, folded := s.symbols, s.b, &at.border, &at.folded
	trim := !border['a']
	for i := 0; i < len(b); {
		for i < len(b) && (border[b[i]] || trim && b[i] == ' ') {
			i++
		}
		start := i
		for i < len(b) && !border[b[i]] {
			i++
		}
		end := i
		for trim && end > start && b[end-1] == ' ' {
			end--
		}
		if end > start {
			var h uint64
			for _, c := range b[start:end] {
				h = (h ^ uint64(folded[c]) + 1) * words.Mixer
			}
			q.add(hash(h), start)
			q.lengths = append(q.lengths, hash(uint64(end-start)))
		}
	}
}
