package dress

import (
	"cmp"
	"maps"
	"slices"
)

const (
	frequent = 8    // kinds of token that are compared
	common   = 24   // times that one of them occurs
	wordMax  = 32   // bytes of a token
	lexicon  = 4096 // kinds of token that are told apart
)

// tokens reads the choice between words, or between marks, that occur about
// equally often: true and false, single and double quotes, INFO and DEBUG.
func tokens(b []byte, s *sink) {
	windows(b, s, func(offset int, text []byte) {
		words, marks := lex(text)
		for _, t := range []lexed{words, marks} {
			s.choices(offset, t)
		}
		if len(words.count) <= 256 {
			s.symbols(offset, words.ordered())
			s.symbols(offset, words.seq)
		}
		s.symbols(offset, marks.seq)
	})
}

// lexed is a text as the numbers of its tokens, in order of appearance.
type lexed struct {
	names map[string]int
	seq   []int
	count []int
}

func (t *lexed) add(token []byte) {
	id, have := t.names[string(token)]
	if !have {
		if id = len(t.count); id == lexicon {
			return
		}
		t.names[string(token)] = id
		t.count = append(t.count, 0)
	}
	t.count[id]++
	t.seq = append(t.seq, id)
}

// ordered numbers the tokens in alphabetical order.
func (t *lexed) ordered() []int {
	rank := make([]int, len(t.count))
	for i, name := range slices.Sorted(maps.Keys(t.names)) {
		rank[t.names[name]] = i
	}
	seq := make([]int, len(t.seq))
	for i, id := range t.seq {
		seq[i] = rank[id]
	}
	return seq
}

func lex(text []byte) (words, marks lexed) {
	words, marks = lexed{names: map[string]int{}}, lexed{names: map[string]int{}}
	for i := 0; i < len(text); {
		c := text[i]
		if !wordly(c) {
			if i++; c > ' ' {
				marks.add(text[i-1 : i])
			}
			continue
		}
		from := i
		for i < len(text) && wordly(text[i]) {
			i++
		}
		if i-from <= wordMax {
			words.add(text[from:i])
		}
	}
	return words, marks
}

func wordly(c byte) bool { return alnum(c) || c == '_' || c >= 0x80 }

// choices yields, for each two of the most frequent tokens, which of both comes.
func (s *sink) choices(offset int, t lexed) {
	var top []int
	for id, n := range t.count {
		if n >= common {
			top = append(top, id)
		}
	}
	slices.SortStableFunc(top, func(x, y int) int { return cmp.Compare(t.count[y], t.count[x]) })
	top = top[:min(len(top), frequent)]
	// The least frequent carry a choice more often than what joins a text.
	for i := len(top) - 1; i > 0; i-- {
		for j := i - 1; j >= 0; j-- {
			if less, more := t.count[top[i]], t.count[top[j]]; 4*less >= more && less+more >= fewest && !s.done {
				s.between(offset, t.seq, top[i], top[j])
			}
		}
	}
	if len(top) >= 4 {
		s.symbols(offset, only(t.seq, top[:4]))
	}
}

func (s *sink) between(offset int, seq []int, a, b int) {
	bits := make([]byte, 0, 256)
	for _, v := range seq {
		if v == a || v == b {
			bits = append(bits, bit(v == b))
		}
	}
	if len(bits) <= every8/2 {
		s.stream(offset, bits)
	} else {
		s.modest(offset, bits)
	}
}

func only(seq, kinds []int) []int {
	var out []int
	for _, v := range seq {
		if slices.Contains(kinds, v) {
			out = append(out, v)
		}
	}
	return out
}
