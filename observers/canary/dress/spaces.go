package dress

import (
	"unicode"
	"unicode/utf8"
)

// blanks are the runs of horizontal white space of a text, each by the bytes
// that it consists of, where it stands.
type blanks struct {
	between, sentence, leading, trailing, every []int
	trail                                       []int // the characters of trailing runs
	octal                                       []int // spaces between tabs in them
	wide, ends                                  []int // runs with anything but one space; per-line amounts
	program                                     []int // every space, tab and line end
}

// spaces reads the choice between kinds and numbers of space.
func spaces(b []byte, s *sink) {
	windows(b, s, func(offset int, text []byte) {
		k := survey(text)
		if 2*len(k.program) > len(text) || len(k.trail) >= fewest {
			s.program(offset, k.program)
		}
		s.symbols(offset, k.trail)
		s.snow(offset, k.octal)
		for _, seq := range [][]int{k.between, k.sentence, k.trailing, k.leading} {
			s.symbols(offset, seq)
		}
		s.amounts(offset, k.ends)
		s.amounts(offset, k.wide)
		s.symbols(offset, k.every)
	})
}

// survey reads text once. A run's number orders runs by length, then content.
func survey(text []byte) (k blanks) {
	start, last := true, byte(0)
	for i := 0; i < len(text); {
		n, spaced := blank(text[i:])
		if !spaced {
			last, start = text[i], text[i] == '\n'
			if start {
				k.program = append(k.program, 2)
				if n > 0 && (i == 0 || !ends(text[:i])) {
					k.trailing, k.ends = append(k.trailing, 0), append(k.ends, 0)
				}
			}
			i += n
			continue
		}
		from := i
		for spaced {
			i += n
			if i == len(text) {
				break
			}
			n, spaced = blank(text[i:])
		}
		closing := i == len(text)
		k.run(text[from:i], start, closing || text[i] == '\n' || text[i] == '\r', last)
		if closing {
			k.inner(text[from:i], last)
		}
		start = false
	}
	return k
}

// ends reports whether text ends in a run that was already counted.
func ends(text []byte) bool {
	if text[len(text)-1] == '\r' {
		text = text[:len(text)-1]
	}
	r, _ := utf8.DecodeLastRune(text)
	return r == ' ' || r == '\t' || unicode.Is(unicode.Zs, r)
}

func (k *blanks) run(run []byte, leading, trailing bool, before byte) {
	id := identity(run)
	for _, r := range string(run) {
		k.every = append(k.every, int(r))
		if r == ' ' || r == '\t' {
			k.program = append(k.program, int(bit(r == '\t')))
		}
	}
	switch {
	case trailing:
		k.trailing, k.ends = append(k.trailing, id), append(k.ends, len(run))
		k.tail(run)
	case leading:
		k.leading = append(k.leading, id)
	default:
		k.inner(run, before)
	}
}

// inner counts a run between words, or after the last one.
func (k *blanks) inner(run []byte, before byte) {
	id := identity(run)
	k.between, k.wide = append(k.between, id), append(k.wide, len(run))
	if before == '.' || before == '!' || before == '?' {
		k.sentence = append(k.sentence, id)
	}
}

// tail reads the characters of a trailing run, and how many spaces stand before
// each tab of it.
func (k *blanks) tail(run []byte) {
	if run[0] == '\t' && len(k.octal) == 0 {
		run = run[1:]
		k.trail = append(k.trail, '\t')
	}
	held := 0
	for _, r := range string(run) {
		k.trail = append(k.trail, int(r))
		if r == '\t' {
			k.octal, held = append(k.octal, held), 0
			continue
		}
		held++
	}
	if held > 0 {
		k.octal = append(k.octal, held)
	}
}

// snow reads up to seven spaces between tabs as three bits.
func (s *sink) snow(offset int, octal []int) {
	if 3*len(octal) >= fewest {
		s.wide(offset, masked(octal, 7), 3)
	}
}

// program reads spaces, tabs and line ends as numbers between line ends.
func (s *sink) program(offset int, seq []int) {
	digits := masked(seq, 3)
	s.put(offset, separated(digits))
	var long []byte
	for i, from := 0, 0; i < len(digits); i++ {
		if digits[i] == 2 {
			if i-from > 4 {
				long = append(long, digits[from:i+1]...)
			}
			from = i + 1
		}
	}
	s.put(offset, separated(long))
}

// blank returns the length of the first character, and whether it is horizontal
// white space.
func blank(text []byte) (int, bool) {
	if c := text[0]; c < utf8.RuneSelf {
		return 1, c == ' ' || c == '\t'
	}
	r, n := utf8.DecodeRune(text)
	return n, unicode.Is(unicode.Zs, r)
}

// identity numbers a short run by its bytes; a long one by its length.
func identity(run []byte) int {
	if len(run) > 6 {
		return 1<<56 + len(run)
	}
	v := len(run)
	for _, c := range run {
		v = v<<8 | int(c)
	}
	return v
}
