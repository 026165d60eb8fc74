package dress

import (
	"bytes"
	"maps"
	"slices"
)

const (
	marked  = 24 // characters whose presence in lines is read
	columns = 16 // of a line
	values  = 64 // that a column may have
)

// lines reads one choice a line: how it ends, whether it is empty, which
// characters it has, and which of a few values its columns have.
func lines(b []byte, s *sink) {
	windows(b, s, func(offset int, text []byte) {
		all := bytes.Split(text, []byte("\n"))
		if n := len(all); len(all[n-1]) == 0 {
			all = all[:n-1]
		}
		if 4*len(all) < fewest {
			return
		}
		s.each(offset, all, func(line []byte) bool { return bytes.HasSuffix(line, []byte("\r")) })
		s.each(offset, all, func(line []byte) bool { return len(bytes.TrimSpace(line)) == 0 })
		s.each(offset, all, func(line []byte) bool { return len(line) > 0 && (line[0] == ' ' || line[0] == '\t') })
		s.marks(offset, all)
		s.edges(offset, all)
		for _, cut := range []func(rune) bool{
			func(r rune) bool { return r == ' ' || r == '\t' },
			func(r rune) bool { return r == ',' || r == ';' || r == '|' || r == '\t' },
			func(r rune) bool {
				return r < '0' || r > '9' && r < 'A' || r > 'Z' && r < 'a' && r != '_' || r > 'z' && r < 0x80
			},
		} {
			s.columns(offset, all, cut)
		}
	})
}

func (s *sink) each(offset int, all [][]byte, is func([]byte) bool) {
	bits := make([]byte, len(all))
	for i, line := range all {
		bits[i] = bit(is(line))
	}
	s.stream(offset, bits)
}

// marks yields, for each character that some lines have and some do not, which.
func (s *sink) marks(offset int, all [][]byte) {
	if len(all) < fewest {
		return
	}
	has := make([][4]uint64, len(all))
	var count [256]int
	for i, line := range all {
		for _, c := range line {
			has[i][c>>6] |= 1 << (c & 63)
		}
		for c := range 256 {
			count[c] += int(has[i][c>>6] >> (c & 63) & 1)
		}
	}
	read := 0
	for c := range 256 {
		if alnum(byte(c)) || 8*count[c] < len(all) || 8*count[c] > 7*len(all) || read == marked {
			continue
		}
		read++
		bits := make([]byte, len(all))
		for i := range has {
			bits[i] = byte(has[i][c>>6] >> (c & 63) & 1)
		}
		s.modest(offset, bits)
	}
}

// edges yields the first and last characters of lines as symbols.
func (s *sink) edges(offset int, all [][]byte) {
	var first, last []int
	for _, line := range all {
		if line = bytes.TrimRight(line, "\r"); len(line) > 0 {
			first, last = append(first, int(line[0])), append(last, int(line[len(line)-1]))
		}
	}
	s.few(offset, first)
	s.few(offset, last)
}

// few yields symbols of which there are not many kinds.
func (s *sink) few(offset int, seq []int) {
	if len(distinct(seq, values+1)) <= values {
		s.symbols(offset, seq)
	}
}

// columns yields the values of each column as symbols, in alphabetical order.
func (s *sink) columns(offset int, all [][]byte, cut func(rune) bool) {
	var cells [columns]lexed
	for i := range cells {
		cells[i].names = map[string]int{}
	}
	for _, line := range all {
		rest, column := line, 0
		for ; column < columns && len(rest) > 0; column++ {
			rest = bytes.TrimLeftFunc(rest, cut)
			end := bytes.IndexFunc(rest, cut)
			if end < 0 {
				end = len(rest)
			}
			if c := &cells[column]; end > 0 && len(c.names) <= values {
				c.add(rest[:end])
			}
			rest = rest[end:]
		}
	}
	for i := range cells {
		c := &cells[i]
		if n := len(c.names); n < 2 || n > values || 2*len(c.seq) < len(all) {
			continue
		}
		s.symbols(offset, c.ordered())
		if n := len(c.names); n > 2 && n <= 16 {
			s.symbols(offset, c.byLength())
		}
	}
}

// byLength numbers values by length first, as numbers are ordered.
func (t *lexed) byLength() []int {
	names := slices.Sorted(maps.Keys(t.names))
	slices.SortStableFunc(names, func(x, y string) int { return len(x) - len(y) })
	rank := make([]int, len(t.count))
	for i, name := range names {
		rank[t.names[name]] = i
	}
	seq := make([]int, len(t.seq))
	for i, id := range t.seq {
		seq[i] = rank[id]
	}
	return seq
}
