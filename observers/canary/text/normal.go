package text

import (
	"bytes"

	"postern/observers/canary/layer"
)

const (
	shortPiece = 4 << 10 // bytes of a piece that is searched without its marks whatever it looks like
	tinyPiece  = 1 << 10 // that is also turned round
	longBlock  = 1 << 20 // bytes of lines that are joined
)

// openNormal joins the symbols of lines that look encoded, without all that
// stands between them: spaces, marks, the ends of lines.
func openNormal(b []byte, room *layer.Room, yield func(layer.View) bool) {
	n := &normal{out: out{room: room, yield: yield}, b: b}
	n.lines("hex-digits", hexadecimalLine, isHex)
	n.lines("base64-symbols", jumbledLine, func(c byte) bool { return runSymbols[c] && c != '*' })
	if len(b) <= shortPiece && textual(b) {
		n.keep("hex-digits", b, 0, isHex)
		n.keep("letters-and-digits", b, 0, isAlnum)
		n.keep("base64-symbols", b, 0, func(c byte) bool { return runSymbols[c] && c != '*' })
		n.keep("without-space", b, 0, func(c byte) bool { return c > ' ' })
	}
	if len(b) <= tinyPiece && textual(b) {
		n.put("reversed", 0, reversed(b))
	}
	n.flush()
}

type normal struct {
	out
	b []byte
}

// lines keeps the wanted symbols of neighbouring lines that look as they should.
func (n *normal) lines(t layer.Technique, looks func(line []byte) bool, wanted func(byte) bool) {
	start := -1
	for i := 0; i < len(n.b) && !n.ended; {
		k := bytes.IndexByte(n.b[i:], '\n')
		if k < 0 {
			k = len(n.b) - i
		}
		line := n.b[i : i+k]
		switch good := looks(line); {
		case good && start < 0:
			start = i
		case start >= 0 && (!good && len(bytes.TrimSpace(line)) > 0 || i-start > longBlock):
			n.keep(t, n.b[start:i], start, wanted)
			start = -1
		}
		i += k + 1
	}
	if start >= 0 {
		n.keep(t, n.b[start:], start, wanted)
	}
}

// keep yields the wanted symbols of b, where something stood between them.
func (n *normal) keep(t layer.Technique, b []byte, at int, wanted func(byte) bool) {
	b = bytes.TrimFunc(b, func(r rune) bool { return r < 256 && !wanted(byte(r)) })
	d := make([]byte, 0, len(b))
	for _, c := range b {
		if wanted(c) {
			d = append(d, c)
		}
	}
	if len(d) < len(b) && len(d) >= shortRun {
		n.offer(t, at, d)
	}
}

// hexadecimalLine reports whether most letters and figures of a line are
// hexadecimal digits.
func hexadecimalLine(line []byte) bool {
	digits, other := 0, 0
	for i, c := range line {
		switch {
		case hexSymbols[c]:
			digits++
		case kinds[c] != aMark:
			other++
		case !textBytes[c]:
			return false
		}
		if i&15 == 15 && other*2 > digits { // the line is prose so far
			return false
		}
	}
	return digits >= 2 && other*3 <= digits
}

// jumbledLine reports whether the kinds of a line's symbols alternate as those
// of words do not.
func jumbledLine(line []byte) bool {
	symbols, turns, last := 0, -1, uint8(aMark)
	for i, c := range line {
		if k := kinds[c]; k != aMark {
			symbols++
			if k != last {
				turns++
			}
			last = k
		} else if !textBytes[c] {
			return false
		}
		if i&15 == 15 && turns*5 < symbols {
			return false
		}
	}
	return symbols >= 4 && turns*4 >= symbols
}

// textual reports whether b is text that is not plainly prose.
func textual(b []byte) bool {
	var low, space, control int
	for _, c := range b {
		switch {
		case isLower(c):
			low++
		case isSpace(c):
			space++
		case c < ' ' || c >= 0x7f:
			control++
		}
	}
	n := len(b)
	prose := low*10 >= 7*n && space*4 <= n && space*12 >= n
	return n >= shortRun && control*32 <= n && !prose
}
