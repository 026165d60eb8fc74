package capture

import "bytes"

// words yields which of a few words each unit chose, and the same character of
// each.
func (e *emitter) words(c [][]byte) {
	if len(c) < 2*viewLeast || len(c) > unitsMost || constant(c) {
		return
	}
	e.vocabulary(c)
	shortest := len(c[0])
	lengths := make([]uint64, len(c))
	for i, s := range c {
		shortest = min(shortest, len(s))
		lengths[i] = uint64(len(s))
	}
	e.numbers(1, lengths)
	for k := range min(shortest, 8) {
		e.give(lowBytes(byteAt(c, k), 0))
	}
	e.ends(c)
}

// vocabulary numbers the words as they first come, and in their order.
func (e *emitter) vocabulary(c [][]byte) {
	words := unique(c)
	if len(words) > 256 || len(words) > len(c)*7/8 {
		return
	}
	first := make(map[string]uint64, len(words))
	for i, w := range words {
		first[string(w)] = uint64(i)
	}
	rank := make(map[string]uint64, len(words))
	for _, w := range words {
		for _, o := range words {
			if bytes.Compare(o, w) < 0 {
				rank[string(w)]++
			}
		}
	}
	for _, number := range []map[string]uint64{rank, first} {
		out := make([]uint64, len(c))
		for i, s := range c {
			out[i] = number[string(s)]
		}
		e.numbers(1, out)
	}
}

// texts takes messages of text apart at their separators, as rows of fields.
func (e *emitter) texts(list [][]byte) {
	rows := make([]row, 0, len(list))
	for _, s := range list {
		if !printable(s) {
			return
		}
		rows = append(rows, bytes.FieldsFunc(s, separates))
	}
	if len(rows) > 1 {
		e.join(list, "\n")
		e.rows(rows)
	}
}

func separates(r rune) bool {
	return r == ':' || r == ',' || r == ';' || r == '|' || r == '/' || r == '=' || r == '-' || r == '_' || r == '.' || r <= ' '
}

func printable(s []byte) bool {
	for _, c := range s {
		if c < ' ' && c != '\n' && c != '\r' && c != '\t' || c > '~' {
			return false
		}
	}
	return len(s) > 0
}
