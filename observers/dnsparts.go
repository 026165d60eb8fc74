package observers

import (
	"strconv"
	"strings"
)

const maxParts = 64 // of one text

// part is one of several names that make up a text. Its first label says so:
// "word-index-number of parts".
type part struct {
	word      string
	index, of int
	text      []byte
}

// partOf reads a name as a part; most are none.
func partOf(n dnsName) (p part, ok bool) {
	if len(n) < 2 {
		return p, false
	}
	words := strings.Split(string(n[0]), "-")
	if len(words) != 3 {
		return p, false
	}
	index, err := strconv.ParseUint(words[1], 10, 8)
	if err != nil {
		return p, false
	}
	of, err := strconv.ParseUint(words[2], 10, 8)
	if err != nil || index >= of || of > maxParts {
		return p, false
	}
	return part{words[0], int(index), int(of), n[1]}, true
}

// parts are the names of one word so far.
type parts [maxParts][]byte

// add takes one part and returns the text once all are there.
func (s *parts) add(p part) ([]byte, bool) {
	s[p.index] = append([]byte{}, p.text...)
	var whole []byte
	for _, text := range s[:p.of] {
		if text == nil {
			return nil, false
		}
		whole = append(whole, text...)
	}
	return whole, true
}

// whole is what a name, as the last of several, makes up.
func whole(f *flows[string, parts], n dnsName) (text []byte, room bool) {
	p, ok := partOf(n)
	if !ok {
		return nil, true
	}
	complete := false
	room = f.with(p.word, func(s *parts) { text, complete = s.add(p) })
	if complete {
		f.forget(p.word)
	}
	return text, room
}
