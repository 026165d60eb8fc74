package dress

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

const concealed = 128 << 10 // bytes from the first invisible character of an area on that are read

// concealing returns the stage's reader: the choice of characters that are drawn
// as nothing, and of marks over letters: which, after which letters, how many.
func concealing(f folder) func([]byte, *sink) {
	mark := func(r rune) bool { return r >= 0x300 && f.what(r) == drop && !unseen(r) }
	return func(b []byte, s *sink) {
		chosen, marks := 4*concealed, whole
		for _, a := range areas(b) {
			text := b[a.from:a.to]
			if s.done {
				return
			}
			if from, to, some := around(text); some && chosen > 0 {
				to = min(to, from+concealed)
				s.attached(a.from+from, text[from:to], unseen)
				chosen -= to - from
			}
			if text = text[:min(len(text), marks)]; len(text) >= shortest {
				s.attached(a.from, text, mark)
				marks -= len(text)
			}
		}
	}
}

// around returns where in text the invisible characters stand, from the start
// of the first one's line on, and whether there are enough.
func around(text []byte) (from, to int, some bool) {
	count := 0
	for i := beyondASCII(text); i < len(text); {
		r, n := utf8.DecodeRune(text[i:])
		if i += n; unseen(r) {
			if count++; count == 1 {
				from = bytes.LastIndexByte(text[:i], '\n') + 1
			}
			to = i
		}
		if i < len(text) && text[i] < utf8.RuneSelf {
			i += beyondASCII(text[i:])
		}
	}
	return from, min(len(text), to+block), count >= shortest
}

// attached reads the characters of one kind as symbols, and how many follow
// each other character, each letter or digit, and each word.
func (s *sink) attached(offset int, text []byte, kind func(rune) bool) {
	var seq, counts, letters, runs []int
	held := 0
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRune(text[i:])
		if i += n; r >= 0xad && kind(r) {
			seq = append(seq, int(r))
			held++
			for _, c := range [][]int{counts, letters} {
				if len(c) > 0 {
					c[len(c)-1]++
				}
			}
			continue
		}
		if held > 0 {
			runs, held = append(runs, held), 0
		}
		counts = append(counts, 0)
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			letters = append(letters, 0)
		}
	}
	if held > 0 {
		runs = append(runs, held)
	}
	if len(seq) == 0 {
		return
	}
	s.symbols(offset, seq)
	s.amounts(offset, runs)
	s.amounts(offset, counts)
	s.amounts(offset, letters)
	s.amounts(offset, perWord(text, kind))
}

// perWord counts the characters of a kind in each word between spaces.
func perWord(text []byte, kind func(rune) bool) []int {
	var counts []int
	in := false
	for _, r := range string(text) {
		switch {
		case r == ' ' || r == '\n' || r == '\t':
			in = false
			continue
		case !in:
			in, counts = true, append(counts, 0)
		}
		if kind(r) {
			counts[len(counts)-1]++
		}
	}
	return counts
}
