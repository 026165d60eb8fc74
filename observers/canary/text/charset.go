package text

import (
	"encoding/binary"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"postern/observers/canary/layer"
)

const fewWide = 8 // characters of a text in a wide or foreign set

// openCharsets folds text in other character sets to bytes.
func openCharsets(b []byte, room *layer.Room, yield func(layer.View) bool) {
	o := &out{room: room, yield: yield}
	o.wide(b)
	o.ebcdic(b)
	o.multibyte(b)
	o.septets(b)
	o.flush()
}

// wide finds runs of bytes that are one, or three, zeros apart: UTF-16 and
// UTF-32 of either end, marked or not.
func (o *out) wide(b []byte) {
	const odd = 0xff00ff00ff00ff00
	end := 0
	for i := 0; i+8 <= len(b) && !o.ended; i += 8 {
		// Every run of eight characters has eight bytes here, half of them zeros.
		x := binary.LittleEndian.Uint64(b[i:])
		if x&odd != 0 && x&^odd != 0 || x == 0 {
			continue
		}
		from := i
		for from > end && from+3 < len(b) && (b[from-1] == 0) == (b[from+3] == 0) {
			from--
		}
		if end = max(end, o.wideRun(b, from)); end > i {
			i = end - 8
		}
	}
}

// wideRun yields the bytes between single zeros, or between threes, from i on,
// and returns where they end.
func (o *out) wideRun(b []byte, i int) int {
	from := i
	if b[i] == 0 {
		for i < len(b) && b[i] == 0 {
			i++
		}
	}
	n, step := i, 0
	for k := i + 1; k < len(b) && k <= i+4; k++ {
		if b[k] != 0 {
			step = k - i
			break
		}
	}
	if step != 2 && step != 4 {
		return i
	}
	for n < len(b) && b[n] != 0 && zeros(b[n+1:min(len(b), n+step)]) {
		n += step
	}
	if (n-i)/step < fewWide {
		return i
	}
	d := make([]byte, 0, (n-i)/step)
	for k := i; k < min(n+1, len(b)); k += step { // the last character may end the zeros
		d = append(d, b[k])
	}
	o.offer("utf-16", from, d)
	return min(n, len(b))
}

func zeros(b []byte) bool {
	for _, c := range b {
		if c != 0 {
			return false
		}
	}
	return true
}

var (
	ebcdicText    = ebcdicSet()
	ebcdicLetters = setOf(ebcdicRange(0xf0, 0xfa) + ebcdicRange(0x81, 0x8a) + ebcdicRange(0x91, 0x9a) + ebcdicRange(0xa2, 0xaa) + ebcdicRange(0xc1, 0xca) + ebcdicRange(0xd1, 0xda) + ebcdicRange(0xe2, 0xea))
)

func ebcdicRange(from, to int) string {
	b := make([]byte, 0, to-from)
	for c := from; c < to; c++ {
		b = append(b, byte(c))
	}
	return string(b)
}

// ebcdicSet is the code points of EBCDIC that are letters, digits, and marks.
func ebcdicSet() *set {
	s := *ebcdicLetters
	for c := 0x40; c < 0x80; c++ {
		s[c] = true
	}
	for _, c := range []byte{0x15, 0x25, 0x0d, 0x05, 0xc0, 0xd0, 0xe0, 0xa1, 0xad, 0xbd} {
		s[c] = true
	}
	return &s
}

// ebcdic finds words of EBCDIC, and translates the text that they stand in.
func (o *out) ebcdic(b []byte) {
	end := 0
	eachRun(b, ebcdicLetters, fewWide, func(s span) bool {
		if s.from < end {
			return !o.ended
		}
		from := s.from
		for from > end && ebcdicText[b[from-1]] {
			from--
		}
		for end = s.to; end < len(b) && ebcdicText[b[end]]; end++ {
		}
		if o.room.Left() < end-from {
			o.room.Take(end - from)
			return false
		}
		d := make([]byte, end-from)
		for i, c := range b[from:end] {
			r := charmap.CodePage037.DecodeByte(c)
			d[i] = byte(r)
		}
		o.offer("ebcdic", from, d)
		return !o.ended
	})
}

var highBytes = highSet()

func highSet() *set {
	var s set
	for c := 0x80; c < 256; c++ {
		s[c] = true
	}
	return &s
}

const highBits = 0x8080808080808080

// multibyte folds characters of several bytes to the low byte of their number:
// bytes written as Latin-1 or Windows-1252 and then as UTF-8, overlong forms,
// full-width digits, patterns of Braille, letters of mathematics, emoji.
func (o *out) multibyte(b []byte) {
	for i := 0; i+1 < len(b) && !o.ended; {
		if i+8 <= len(b) && binary.LittleEndian.Uint64(b[i:])&highBits == 0 {
			i += 8
			continue
		}
		end := min(i+8, len(b)-1)
		// The lead and the second byte of a character, in one comparison.
		for i < end && (b[i]&0xc0^0xc0)|(b[i+1]&0xc0^0x80) != 0 {
			i++
		}
		if i == end {
			continue
		}
		if !frequent(b[i:]) {
			i++
			continue
		}
		from := i
		for from > 0 && i-from < 16 && b[from-1] < 0x80 {
			from--
		}
		i = o.foldRun(b, from, i)
	}
}

// frequent reports whether b begins with two characters of several bytes not far
// from each other.
func frequent(b []byte) bool {
	_, n := looseRune(b)
	if n < 2 {
		return false
	}
	for k := n; k < len(b) && k < n+8; k++ {
		if b[k] >= 0x80 {
			_, m := looseRune(b[k:])
			return m > 1
		}
	}
	return false
}

// foldRun folds from from on while characters of several bytes are frequent.
func (o *out) foldRun(b []byte, from, i int) int {
	var low, high []byte
	wide, since := 0, 0
	k := from
	for k < len(b) && since < 12 {
		if len(low) >= o.room.Left() {
			o.room.Spend()
			break
		}
		r, n := looseRune(b[k:])
		if n == 0 {
			break
		}
		if n > 1 {
			wide, since = wide+1, 0
		} else if k > i {
			since++
		}
		low = append(low, fold(r))
		if n > 2 {
			high = append(high, byte(r>>8), byte(r))
		}
		k += n
	}
	if wide >= 4 && wide*4 >= len(low)-since-(i-from) { // what leads in and out does not count
		o.offer("code-points", from, low)
		o.offer("code-points-wide", from, high)
		o.braille(from, b[from:k])
		o.emoji(from, b[from:k])
		o.mojibake(from, b[from:k])
		o.pointBits(from, b[from:k])
	}
	return max(k, i+1)
}

// looseRune decodes UTF-8, overlong forms and surrogates included.
func looseRune(b []byte) (r rune, n int) {
	c := b[0]
	switch {
	case c < 0x80:
		return rune(c), 1
	case c < 0xc0:
		return 0, 0
	case c < 0xe0:
		r, n = rune(c&0x1f), 2
	case c < 0xf0:
		r, n = rune(c&0xf), 3
	case c < 0xf8:
		r, n = rune(c&7), 4
	case c < 0xfc:
		r, n = rune(c&3), 5
	default:
		r, n = rune(c&1), 6
	}
	if len(b) < n {
		return 0, 0
	}
	for _, c := range b[1:n] {
		if c>>6 != 2 {
			return 0, 0
		}
		r = r<<6 | rune(c&0x3f)
	}
	return r, n
}

// fold gives the byte that a character stands for.
func fold(r rune) byte {
	switch {
	case r < 256:
		return byte(r)
	case r >= 0xff01 && r <= 0xff5e: // full width
		return byte(r - 0xfee0)
	}
	if c, ok := charmap.Windows1252.EncodeRune(r); ok {
		return c
	}
	return byte(r)
}

// emoji reads base100: a byte and 0x1f3f7 make the number of the character.
func (o *out) emoji(at int, b []byte) {
	var d []byte
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		if v := r - 0x1f3f7; v >= 0 && v < 256 {
			d = append(d, byte(v))
		}
		b = b[n:]
	}
	o.offer("base100", at, d)
}
