package algebra

import "postern/observers/canary/words"

// splitter says which bytes stand between tokens.
type splitter func(c byte) bool

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
	s.tokens(betweenWords, 4)
	s.tokens(withinWords, 1)
	s.tokens(betweenBlacks, 2)
	s.tokens(betweenLines, 2)
	s.tokens(betweenCells, 2)
}

func (s *search) tokens(between splitter, most int) {
	q := s.symbols
	q.reset()
	q.lengths = q.lengths[:0]
	s.split(between)
	if len(q.id) < minSymbols {
		return
	}
	s.grouped(most)
	s.equalSymbols(q.lengths, func(i int) int { return int(q.place[i]) })
}

// split takes out the tokens, blanks around them left out, by a hash that takes
// no notice of the case of letters, and their lengths.
func (s *search) split(between splitter) {
	q, b := s.symbols, s.b
	var border [256]bool
	var folded [256]byte
	for c := range border {
		border[c], folded[c] = between(byte(c)), byte(c)
		if c < 0x80 && class(byte(c)) == 'a' {
			folded[c] |= 0x20
		}
	}
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
