package text

import (
	"bytes"
	"strings"
)

const (
	fewNames = 8  // names of characters in a row
	nameGap  = 32 // bytes between what they end with
)

// characterNames reads the names that Unicode gives to figures and letters, as
// LATIN SMALL LETTER A, one after the other, in any brackets.
func (o *out) characterNames(b []byte) {
	var d []byte
	start, end := 0, 0
	for i := 0; i < len(b) && !o.ended; {
		k := nextName(b[i:])
		if k < 0 {
			break
		}
		i += k
		c, n := character(b[i:])
		if n == 0 {
			i++
			continue
		}
		if len(d) > 0 && i-end > nameGap {
			o.named(start, d)
			d = d[:0]
		}
		if len(d) == 0 {
			start = i
		}
		d = append(d, c)
		i += n
		end = i
	}
	o.named(start, d)
}

func (o *out) named(at int, d []byte) {
	if len(d) >= fewNames {
		o.offer("character-names", at, bytes.Clone(d))
	}
}

// nextName returns where the next word is that such a name ends with, or -1.
func nextName(b []byte) int {
	best := -1
	for _, word := range []string{"DIGIT ", "LETTER ", "digit ", "letter "} {
		within := b
		if best >= 0 {
			within = b[:min(len(b), best+len(word))]
		}
		if k := bytes.Index(within, []byte(word)); k >= 0 && (best < 0 || k < best) {
			best = k
		}
	}
	return best
}

// character reads DIGIT SEVEN or LETTER A.
func character(b []byte) (c byte, n int) {
	word, rest, _ := bytes.Cut(b, []byte(" "))
	n = len(word) + 1
	end := 0
	for end < len(rest) && isLetter(rest[end]) {
		end++
	}
	last := strings.ToLower(string(rest[:end]))
	if len(word) == len("LETTER") {
		if end == 1 {
			return last[0], n + 1
		}
		return 0, 0
	}
	for i, name := range counted[:10] {
		if name == last {
			return '0' + byte(i), n + end
		}
	}
	return 0, 0
}
