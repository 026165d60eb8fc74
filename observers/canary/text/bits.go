package text

import (
	"bytes"
	mathbits "math/bits"

	"postern/observers/canary/layer"
)

const (
	fewBits  = 48      // symbols in a string of bits
	manyBits = 1 << 14 // bits that are read in every phase and group; the rest in the first
)

// openBits finds strings of two symbols, whatever they are, and of four; blanks
// at the ends of lines; and letters whose case carries bits.
func openBits(b []byte, room *layer.Room, yield func(layer.View) bool) {
	s := &symbols{out{room: room, yield: yield}, b}
	for i := 0; i+fewBits <= len(b) && !s.ended; {
		// A run covers a probe, and a probe of other bytes has too many symbols.
		probe := i + fewBits/2
		if several(b[probe : probe+fewBits/4]) {
			i = probe
			continue
		}
		end := probe
		for _, f := range fews {
			end = max(end, s.few(i, probe, f))
		}
		i = end
	}
	s.blanks()
	s.cases()
	s.flush()
}

// several reports whether b has more symbols than the strings here and their
// separators have.
func several(b []byte) bool {
	var seen uint64
	for _, c := range b {
		seen |= 1 << (c & 63)
	}
	return mathbits.OnesCount64(seen) > 6
}

// fewKind is a kind of string: of so many symbols, between others that count
// for nothing.
type fewKind struct {
	n    int
	skip *set
}

var fews = []fewKind{
	{2, setOf("")},
	{2, setOf(" \t\r\n,|-;")},
	{4, setOf(" \t\r\n")},
}

// symbols finds strings of few symbols.
type symbols struct {
	out
	b []byte
}

// few decodes the run that covers probe and does not begin before low, and
// returns where it ends.
func (s *symbols) few(low, probe int, f fewKind) int {
	if _, _, ok := collect(s.b[probe:probe+fewBits/4], f.n, f.skip); !ok {
		return probe
	}
	from := s.back(low, probe, f.n, f.skip)
	found, size, _ := collect(s.b[from:], f.n, f.skip)
	if found.n > f.n/2 && size >= fewBits {
		s.string(found, from, f.n)
	}
	return max(from+found.read, probe)
}

// blanks reads the spaces and tabs at the ends of lines as bits.
func (s *symbols) blanks() {
	var run []byte
	for i := 0; i < len(s.b) && len(run) < manyBits; i++ {
		k := bytes.IndexByte(s.b[i:], '\n')
		if k < 0 {
			break
		}
		i += k
		from := i
		for from > 0 && (s.b[from-1] == ' ' || s.b[from-1] == '\t') {
			from--
		}
		for _, c := range s.b[from:i] {
			run = append(run, '0'+c&1)
		}
	}
	if len(run) >= fewBits && !plain(run) {
		s.bits("trailing-blanks", 0, run)
	}
}

// back returns where the run that covers probe begins, not before low.
func (s *symbols) back(low, probe, n int, skip *set) int {
	seen, _, _ := collect(s.b[probe:probe+fewBits/4], n, skip)
	i := probe
	for i > low && (skip[s.b[i-1]] || seen.add(s.b[i-1], n)) {
		i--
	}
	return i
}

// few is which symbols a run has, in the order of their values at the end.
type fewSymbols struct {
	symbols [4]byte
	n       int
	read    int // bytes until the run ends
}

func (f *fewSymbols) add(c byte, most int) bool {
	for _, s := range f.symbols[:f.n] {
		if s == c {
			return true
		}
	}
	if f.n == most {
		return false
	}
	f.symbols[f.n] = c
	f.n++
	return true
}

// collect reads b while it has no more than n symbols. It is ok where that is
// all of b, and some of it counts.
func collect(b []byte, n int, skip *set) (f fewSymbols, size int, ok bool) {
	for f.read < len(b) {
		c := b[f.read]
		if !skip[c] {
			if !f.add(c, n) {
				return f, size, false
			}
			size++
		}
		f.read++
	}
	return f, size, size > 0
}

// string decodes a run of two symbols, or four.
func (s *symbols) string(f fewSymbols, from, n int) {
	lo, hi := f.symbols[0], f.symbols[1]
	if lo > hi {
		lo, hi = hi, lo
	}
	run := make([]byte, 0, f.read)
	for _, c := range s.b[from : from+f.read] {
		if bytes.IndexByte(f.symbols[:f.n], c) >= 0 {
			run = append(run, c)
		}
	}
	if n == 4 {
		s.quads(from, run, f)
		return
	}
	if plain(run) {
		return
	}
	for i, c := range run {
		run[i] = '0'
		if c == hi {
			run[i] = '1'
		}
	}
	s.bits("bits", from, run)
	s.fivers(from, run)
}

// plain reports whether one symbol is nearly all of the run, as in rules and
// indents.
func plain(run []byte) bool {
	n := bytes.Count(run, run[:1])
	return n*10 < len(run) || n*10 > len(run)*9
}

// bits yields the bytes that a string of 0 and 1 spells: in eights and in
// sevens, either end first, of either sense.
func (o *out) bits(t layer.Technique, at int, run []byte) {
	for p := range 8 {
		if p > 0 && len(run) > manyBits || len(run) <= p {
			break
		}
		o.bytesOfBits(t, at, run[p:])
	}
	if len(run) <= manyBits {
		for p := range 7 {
			o.gather(t+"-7", at, sevens(run[min(p, len(run)):]))
		}
	}
}

func (o *out) bytesOfBits(t layer.Technique, at int, run []byte) {
	d := make([]byte, 0, len(run)/8)
	for ; len(run) >= 8; run = run[8:] {
		v := byte(0)
		for _, c := range run[:8] {
			v = v<<1 | c&1
		}
		d = append(d, v)
	}
	swapped := make([]byte, len(d))
	for i, v := range d {
		swapped[i] = mathbits.Reverse8(v)
	}
	o.offer(t, at, d)
	o.offer(t+"-inverted", at, inverted(d))
	o.offer(t+"-reversed", at, swapped)
	o.offer(t+"-reversed", at, inverted(swapped))
}

func inverted(b []byte) []byte {
	d := make([]byte, len(b))
	for i, c := range b {
		d[i] = ^c
	}
	return d
}

// sevens reads seven bits a byte.
func sevens(run []byte) []byte {
	d := make([]byte, 0, len(run)/7)
	for ; len(run) >= 7; run = run[7:] {
		v := byte(0)
		for _, c := range run[:7] {
			v = v<<1 | c&1
		}
		d = append(d, v)
	}
	return d
}

// quads decodes a run of four symbols, two bits each, in all their orders.
func (s *symbols) quads(at int, run []byte, f fewSymbols) {
	if f.n < 3 || len(run) > manyBits || plain(run) {
		return
	}
	for n := range 24 {
		var value [256]byte
		k, free := n, []byte{0, 1, 2, 3}
		for i, c := range f.symbols[:f.n] {
			radix := 4 - i
			value[c] = free[k%radix]
			free = append(free[:k%radix:k%radix], free[k%radix+1:]...)
			k /= radix
		}
		d := make([]byte, 0, len(run)/4)
		for i := 0; i+4 <= len(run); i += 4 {
			d = append(d, value[run[i]]<<6|value[run[i+1]]<<4|value[run[i+2]]<<2|value[run[i+3]])
		}
		s.gather("quaternary", at, d)
	}
}

var vowelSymbols = setOf("aeiouAEIOU")

// cases reads the case of letters as bits, where it changes inside words, and
// the letters are words: in symbols of base64 vowels are fewer.
func (s *symbols) cases() {
	letters, vowels, odd := 0, 0, 0
	for i := 1; i < len(s.b); i++ {
		if isLetter(s.b[i]) {
			letters++
			if vowelSymbols[s.b[i]] {
				vowels++
			}
			if isUpper(s.b[i]) && isLower(s.b[i-1]) {
				odd++
			}
		}
		if letters == 512 && odd*16 < letters {
			return
		}
	}
	if bytes.Count(s.b, []byte(" "))*12 < letters || vowels*10 < letters*3 || letters*5 < len(s.b)*3 || letters < fewBits || odd*16 < letters || letters > manyBits {
		return
	}
	var run []byte
	for _, c := range s.b {
		if isLetter(c) {
			run = append(run, '0'+(^c>>5&1))
		}
	}
	s.bits("letter-case", 0, run)
	s.fivers(0, run)
}
