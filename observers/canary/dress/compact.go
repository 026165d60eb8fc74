package dress

import "bytes"

const (
	spelled = 16 // characters in a row that a mistyped or spaced word has
	fence   = 4  // kinds of punctuation that are taken out one at a time
)

// compact takes out what was put between characters, and writes the digits that
// were mistyped as letters.
func compact(b []byte, s *sink) {
	retyped(b, s)
	if len(b) > whole {
		apart(b, s)
		return
	}
	if !textual(b) {
		return
	}
	s.put(0, figures(b))
	s.put(0, unspaced(b))
	for _, c := range commonest(b, fence) {
		s.put(0, bytes.ReplaceAll(b, []byte{c}, nil))
	}
}

// unspaced takes out all white space of ASCII.
func unspaced(b []byte) []byte {
	out := make([]byte, 0, len(b))
	for _, c := range b {
		if c > ' ' {
			out = append(out, c)
		}
	}
	return out
}

// commonest returns the kinds of punctuation that b holds most of.
func commonest(b []byte, most int) []byte {
	var count [256]int
	for _, c := range b {
		count[c]++
	}
	var found []byte
	for len(found) < most {
		best := 0
		for c := '!'; c < 0x7f; c++ {
			if !alnum(byte(c)) && count[c] > count[best] && count[c] >= 4 {
				best = int(c)
			}
		}
		if best == 0 || count[best] == 0 {
			break
		}
		found, count[best] = append(found, byte(best)), 0
	}
	return found
}

// apart yields runs of letters and digits that stand alone, one by one.
func apart(b []byte, s *sink) {
	class := classes()
	for i := 1; i+4 < len(b); i += spelled {
		if at := class[b[i]]; at == class[b[i+1]] || at != class[b[i+2]] || at == class[b[i+3]] {
			continue
		}
		from, to := i, i
		for from > 1 && alone(b, from-2) {
			from -= 2
		}
		if !alone(b, from) {
			from++
		}
		for to = from; to < len(b) && alone(b, to); to += 2 {
		}
		if to-from >= 2*spelled {
			s.put(from, figures(b[from:min(to, len(b))]))
			i = to
		}
	}
}

func classes() (is [256]bool) {
	for c := range is {
		is[c] = alnum(byte(c))
	}
	return is
}

// alone reports whether a letter or digit stands at i with none beside it.
func alone(b []byte, i int) bool {
	return i >= 0 && i < len(b) && alnum(b[i]) && (i == 0 || !alnum(b[i-1])) && (i+1 == len(b) || !alnum(b[i+1]))
}
