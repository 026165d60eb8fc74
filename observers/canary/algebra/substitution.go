package algebra

import (
	"encoding/base32"
	"encoding/base64"
	"encoding/binary"
	"unicode"
	"unicode/utf8"

	"postern/observers/canary/words"
)

// take holds the sequence of the digits, or of the characters of another text,
// and that of the digits in base64 and base32, whose alphabets then may be any.
// Of the bytes themselves these have too few symbols that are equal. The
// symbols of any digits have much in common, so a part is not enough.
func (e *equality) take(c carrier, whole int) {
	if c.kind == nibble || c.foreign {
		e.hold(sequence{c.secret, c.bytes, c.bits, whole, minSymbols})
	}
	if c.kind == text {
		for before := range 3 {
			x := base64At(c.bytes, before)
			e.hold(sequence{c.secret, x, 3, whole, len(x)})
		}
		for before := range 5 {
			x := base32At(c.bytes, before)
			e.hold(sequence{c.secret, x, 2, whole, len(x)})
		}
	}
}

// base64At is the symbols that x alone decides after so many bytes.
func base64At(x []byte, before int) []byte {
	s := base64.RawStdEncoding.EncodeToString(append(make([]byte, before), x...))
	return []byte(s[(8*before+5)/6 : 8*(before+len(x))/6])
}

func base32At(x []byte, before int) []byte {
	s := base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(append(make([]byte, before), x...))
	return []byte(s[(8*before+4)/5 : 8*(before+len(x))/5])
}

// symbols is room for a sequence that was taken out of the input: what stands
// for each symbol, and where it was.
type symbols struct {
	id, lengths []uint16
	place       []int32
	bytes       []byte
	masked      []byte
}

func (q *symbols) reset() { q.id, q.place = q.id[:0], q.place[:0] }

func (q *symbols) add(id uint16, place int) {
	q.id, q.place = append(q.id, id), append(q.place, int32(place))
}

// hash names a symbol by 16 bits: two of a secret's sixteen symbols get the same
// name, and hide it, once in 500.
func hash(x uint64) uint16 { return uint16(x * words.Mixer >> 48) }

func (s *search) substitutions() {
	small, widest := len(s.b) <= smallInput, 4
	if small {
		widest = 8
	}
	if s.grade == selected {
		widest = 4
	}
	s.groups(s.b, widest, nil)
	s.halves()
	if s.grade == selected {
		return
	}
	if len(s.b) >= minSymbols && (small || mostlyText(s.b)) {
		s.runes()
		s.allTokens()
	}
	if small && len(s.b) >= minSymbols {
		s.bare()
		s.everyOther()
		s.runLengths()
	}
	if len(s.b) <= keyedInput {
		s.modularKeys()
		s.clearText()
	}
	if s.grade == full && len(s.b) <= tinyInput && !allText(s.b) {
		s.fields()
	}
}

// allText reports bytes that are all printable ASCII or white space. Fields of
// bits are not: 24 of them fill twelve bytes, which are that once in 2^15.
func allText(b []byte) bool {
	for _, c := range b {
		if c-' ' >= 0x7f-' ' && c-'\t' > '\r'-'\t' {
			return false
		}
	}
	return true
}

// mostlyText reports few control characters; random bytes have one in nine.
func mostlyText(b []byte) bool {
	controls := 0
	for _, c := range b {
		if c < ' ' && c != '\n' && c != '\r' && c != '\t' && c != 0 {
			controls++
		}
	}
	return controls <= len(b)/16
}

// equalBytes looks for symbols of one byte in b[lo:hi]; place tells where in the
// input they come from, unless b is the input.
func (s *search) equalBytes(b []byte, lo, hi int, place func(int) int) {
	if s.done || len(s.equality.sequences) == 0 {
		return
	}
	s.equality.passBytes(b, lo, hi, func(end int, word uint64) {
		equal(s, b, end, word, place)
	})
}

// equalSymbols looks at the sequence taken out.
func (s *search) equalSymbols(id []uint16, place func(int) int) {
	if s.done || len(id) < minSymbols {
		return
	}
	s.equality.passWide(id, func(end int, word uint64) { equal(s, id, end, word, place) })
}

func equal[S symbol](s *search, in []S, end int, word uint64, place func(int) int) {
	s.equality.Each(word, func(number, at int) bool {
		of := s.equality.sequences[number]
		lo, hi := extent(in, end, of.symbols, at)
		if hi-lo < of.least || surety(of.symbols[lo:hi]) < minSurety {
			return true
		}
		where, bits, technique := end-at+lo, (hi-lo)*of.bits, Unknown
		if place != nil {
			where, technique = place(where), Grouped
		}
		if hi-lo == len(of.symbols) {
			bits = of.whole
		}
		s.report(of.secret, technique, where, bits)
		return !s.done
	})
}

// groups: each symbol is as many bytes, up to the widest, or one of them with a constant filler.
func (s *search) groups(b []byte, widest int, place func(int) int) {
	for width := 2; width <= widest && width*minSymbols <= len(b) && !s.done; width++ {
		for phase := range width {
			id := s.symbols.id[:0]
			p := phase
			for mask := ^uint64(0) >> (64 - 8*width); p+8 <= len(b); p += width {
				id = append(id, hash(binary.LittleEndian.Uint64(b[p:])&mask))
			}
			for ; p+width <= len(b); p += width {
				id = append(id, hash(little(b[p:p+width])))
			}
			s.symbols.id = id
			s.equalSymbols(id, func(i int) int {
				if i = phase + i*width; place != nil {
					i = place(i)
				}
				return i
			})
		}
	}
}

// halves: each symbol is half a byte, the upper first or the lower.
func (s *search) halves() {
	if 2*len(s.b) < minSymbols {
		return
	}
	out := s.symbols.bytes[:0]
	for _, first := range []int{4, 0} {
		out = out[:0]
		for _, c := range s.b {
			out = append(out, c>>first&15, c>>(4-first)&15)
		}
		s.equalBytes(out, 0, len(out), func(i int) int { return i / 2 })
	}
	s.symbols.bytes = out
}

// runes: each symbol is a character that is not ASCII, or up to three of them,
// or one with what joins it. ASCII between them is left out.
func (s *search) runes() {
	q := s.symbols
	q.reset()
	for i := 0; i < len(s.b); {
		r, n := utf8.DecodeRune(s.b[i:])
		if r >= utf8.RuneSelf && n > 1 {
			q.add(hash(uint64(r)), i)
		}
		i += n
	}
	if len(q.id) < minSymbols {
		return
	}
	s.grouped(3)
	s.clusters()
}

// clusters joins what is drawn as one: marks, selectors, skin tones, tags, what
// a joiner joins, and pairs of regional letters.
func (s *search) clusters() {
	q := s.symbols
	q.reset()
	var open uint64
	start, joined, flags := -1, false, 0
	for i := 0; i < len(s.b); {
		r, n := utf8.DecodeRune(s.b[i:])
		flag := r >= 0x1F1E6 && r <= 0x1F1FF
		switch {
		case start >= 0 && (joined || extends(r) || flag && flags%2 == 1):
			open = (open + uint64(r)) * words.Mixer
		case start >= 0:
			q.add(hash(open), start)
			fallthrough
		default:
			start, open = -1, uint64(r)
			if r >= utf8.RuneSelf && n > 1 {
				start = i
			}
		}
		joined = r == 0x200D
		if flags++; !flag {
			flags = 0
		}
		i += n
	}
	if start >= 0 {
		q.add(hash(open), start)
	}
	s.grouped(1)
}

func extends(r rune) bool {
	return r == 0x200D || r >= 0x1F3FB && r <= 0x1F3FF || r >= 0xE0000 && r <= 0xE01EF || r >= 0x300 && unicode.Is(unicode.M, r)
}

// grouped looks at the sequence taken out, at every second, third ... of it and
// at two, three ... of it as one, up to most.
func (s *search) grouped(most int) {
	q := s.symbols
	n := len(q.id)
	s.equalSymbols(q.id, func(i int) int { return int(q.place[i]) })
	for width := 2; width <= most; width++ {
		for phase := range width {
			place := func(i int) int { return int(q.place[phase+i*width]) }
			id := q.id[:n]
			for i := phase; i < n; i += width {
				id = append(id, q.id[i])
			}
			s.equalSymbols(id[n:], place)
			id = id[:n]
			for i := phase; i+width <= n; i += width {
				var h uint64
				for _, part := range q.id[i : i+width] {
					h = (h + uint64(part) + 1) * words.Mixer
				}
				id = append(id, hash(h))
			}
			s.equalSymbols(id[n:], place)
			q.id = id[:n] // with what room there is now
		}
	}
}

// bare: what is put between the symbols is left out.
func (s *search) bare() {
	q := s.symbols
	out, places := q.bytes[:0], q.place[:0]
	for i, c := range s.b {
		if class(c) != 0 {
			out, places = append(out, c), append(places, int32(i))
		}
	}
	q.bytes, q.place = out, places
	if len(out) < minSymbols || len(out) == len(s.b) {
		return
	}
	place := func(i int) int { return int(places[i]) }
	s.equalBytes(out, 0, len(out), place)
	s.groups(out, 4, place)
}

// everyOther: symbols of one byte stand apart, with anything between.
func (s *search) everyOther() {
	for stride := 2; stride <= 8 && stride*minSymbols < len(s.b)+stride; stride++ {
		for phase := range stride {
			out := s.symbols.bytes[:0]
			for i := phase; i < len(s.b); i += stride {
				out = append(out, s.b[i])
			}
			s.symbols.bytes = out
			s.equalBytes(out, 0, len(out), func(i int) int { return phase + i*stride })
		}
	}
}

// runLengths: each symbol is how often a byte is repeated.
func (s *search) runLengths() {
	q := s.symbols
	q.reset()
	for i := 0; i < len(s.b); {
		start := i
		for i < len(s.b) && s.b[i] == s.b[start] {
			i++
		}
		q.add(hash(uint64(i-start)), start)
	}
	s.grouped(2)
}

// fields: each symbol is as many bits, at any place within a byte, the highest
// bit first or the lowest.
func (s *search) fields() {
	for width := 4; width <= 7; width++ {
		for phase := range width {
			place := func(i int) int { return (phase + i*width) / 8 }
			s.symbols.bytes = highFields(s.symbols.bytes[:0], s.b, width, phase)
			s.equalBytes(s.symbols.bytes, 0, len(s.symbols.bytes), place)
			s.symbols.bytes = lowFields(s.symbols.bytes[:0], s.b, width, phase)
			s.equalBytes(s.symbols.bytes, 0, len(s.symbols.bytes), place)
		}
	}
}

// highFields appends the fields that begin phase bits in, the highest bit first.
func highFields(out, b []byte, width, phase int) []byte {
	held, have := uint(0), -phase
	for _, c := range b {
		held = held<<8 | uint(c)
		for have += 8; have >= width; {
			have -= width
			out = append(out, byte(held>>have&(1<<width-1)))
		}
	}
	return out
}

// lowFields is the same, the lowest bit first.
func lowFields(out, b []byte, width, phase int) []byte {
	if len(b) == 0 {
		return out
	}
	held, have := uint(b[0])>>phase, 8-phase // a phase is less than a width, and that less than eight
	for _, c := range b[1:] {
		for ; have >= width; have -= width {
			out = append(out, byte(held&(1<<width-1)))
			held >>= width
		}
		held |= uint(c) << have
		have += 8
	}
	for ; have >= width; have -= width {
		out = append(out, byte(held&(1<<width-1)))
		held >>= width
	}
	return out
}
