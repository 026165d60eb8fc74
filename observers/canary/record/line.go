package record

import "bytes"

// line is one record of text.
type line struct {
	off int
	s   []byte
}

// splitLines is b at each sep, empty lines left out.
func splitLines(b []byte, sep byte) []line {
	lines := make([]line, 0, 16)
	for off := 0; off < len(b); {
		end := bytes.IndexByte(b[off:], sep)
		if end < 0 {
			end = len(b) - off
		}
		s := bytes.TrimRight(b[off:off+end], "\r")
		if len(s) > 0 {
			lines = append(lines, line{off, s})
		}
		off += end + 1
	}
	return lines
}

// signs says which bytes belong to a token.
type signs [256]bool

// words are runs of letters and digits; wide are those with what base64,
// numbers and names have within; spaced are whatever stands between spaces.
func words() *signs {
	var t signs
	for c := range 256 {
		t[c] = alnum(byte(c)) || c >= 0x80
	}
	return &t
}

func wide() *signs {
	t := words()
	for _, c := range []byte("+/-_.~%:@!$*#^") {
		t[c] = true
	}
	return t
}

func spaced() *signs {
	var t signs
	for c := range 256 {
		t[c] = c > ' '
	}
	return &t
}

// next is the first token of s from i on; from is len(s) where there is none.
// Padding of base64 belongs to the token before it.
func (t *signs) next(s []byte, i int) (from, to int) {
	for i < len(s) && !t[s[i]] {
		i++
	}
	from = i
	for i < len(s) && t[s[i]] {
		i++
	}
	if i-from > 1 && i < len(s) && s[i] == '=' {
		end := i
		for end < len(s) && s[end] == '=' {
			end++
		}
		if end-i < 7 && (end == len(s) || !t[s[end]]) {
			i = end
		}
	}
	return from, i
}
