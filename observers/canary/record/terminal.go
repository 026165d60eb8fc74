package record

import (
	"bytes"
	"unicode/utf8"

	"postern/observers/canary/layer"
)

const terminalText layer.Technique = "terminal-text"

// openTerminal yields text without control sequences (ECMA-48), the numbers of
// those, and text as it stands after backspaces and carriage returns.
func openTerminal(b []byte, room *layer.Room, yield func(layer.View) bool) {
	esc := inText(b, 0x1b, room)
	bs := inText(b, '\b', room)
	cr := room.Look(b).Has('\r') && overstrike(b)
	if esc < 0 && bs < 0 && !cr || !textual(b) {
		return
	}
	o := newOut(terminalText, len(b), room, yield)
	o.left = 4 * len(b)
	if esc >= 0 {
		text, numbers, letters := withoutControls(b)
		o.give(0, text)
		o.give(esc, numbers)
		o.give(esc, letters)
		b = text
	}
	if bs >= 0 {
		o.give(0, rubbedOut(b))
		o.give(0, bytes.ReplaceAll(b, []byte{'\b'}, nil))
	}
	if cr {
		shown, hidden := overwritten(b)
		o.give(0, shown)
		o.give(0, hidden)
	}
}

const (
	terse    = 4 << 10 // bytes of a piece in which any mark counts
	onScreen = 32      // bytes on each side of a mark that belong to a screen's text
)

// inText is where the first mark is that stands in text, or -1: noise amid text is
// full of them.
func inText(b []byte, mark byte, room *layer.Room) int {
	if !room.Look(b).Has(mark) {
		return -1
	}
	for i, k := 0, 0; ; i++ {
		if k = bytes.IndexByte(b[i:], mark); k < 0 {
			return -1
		}
		if i += k; len(b) <= terse || shown(b[max(0, i-onScreen):min(len(b), i+onScreen)]) {
			return i
		}
	}
}

// shown reports whether a terminal would show b, or do what it says: a few bytes
// may be cut off, or of an old code page.
func shown(b []byte) bool {
	broken := 0
	for i := 0; i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		if r < ' ' && r != '\n' && r != '\r' && r != '\t' && r != 0x1b && r != '\b' && r != 7 {
			return false
		}
		if r == utf8.RuneError && n == 1 {
			broken++
		}
		i += n
	}
	return broken <= 6
}

// overstrike reports whether a carriage return stands without a new line.
func overstrike(b []byte) bool {
	for i := 0; i < len(b); {
		n := bytes.IndexByte(b[i:], '\r')
		if n < 0 {
			return false
		}
		if i += n + 1; i < len(b) && b[i] != '\n' && b[i] != '\r' && (len(b) <= terse || shown(b[max(0, i-onScreen):min(len(b), i+onScreen)])) {
			return true
		}
	}
	return false
}

// withoutControls parts the text from the parameters of its sequences, as low
// bytes, and from their final bytes.
func withoutControls(b []byte) (text, numbers, finals []byte) {
	text = make([]byte, 0, len(b))
	for i := 0; i < len(b); {
		if b[i] != 0x1b || i+1 == len(b) {
			text = append(text, b[i])
			i++
			continue
		}
		switch b[i+1] {
		case '[':
			end := i + 2
			for end < len(b) && (b[end] < 0x40 || b[end] > 0x7e) && b[end] >= ' ' {
				end++
			}
			numbers = lowBytes(numbers, b[i+2:end])
			if end < len(b) {
				finals = append(finals, b[end])
			}
			i = end + 1
		case ']', 'P', '_', '^':
			i = stringEnd(b, i+2)
		default:
			finals = append(finals, b[i+1])
			i += 2
		}
	}
	return text, numbers, finals
}

// stringEnd is after the bell or the terminator of a control string, which a
// line cannot outlast.
func stringEnd(b []byte, i int) int {
	for ; i < len(b) && b[i] != '\n'; i++ {
		if b[i] == 7 {
			return i + 1
		}
		if b[i] == 0x1b && i+1 < len(b) && b[i+1] == '\\' {
			return i + 2
		}
	}
	return i
}

// lowBytes appends every decimal number of s.
func lowBytes(to, s []byte) []byte {
	n, in := byte(0), false
	for _, c := range s {
		if '0' <= c && c <= '9' {
			n, in = 10*n+c-'0', true
			continue
		}
		if in {
			to = append(to, n)
		}
		n, in = 0, false
	}
	if in {
		to = append(to, n)
	}
	return to
}

func rubbedOut(b []byte) []byte {
	shown := make([]byte, 0, len(b))
	for _, c := range b {
		if c != '\b' && c != 0x7f {
			shown = append(shown, c)
		} else if n := len(shown); n > 0 && shown[n-1] != '\n' {
			shown = shown[:n-1]
		}
	}
	return shown
}

// overwritten is what a terminal shows after its carriage returns, and what
// went under.
func overwritten(b []byte) (shown, hidden []byte) {
	for l := range bytes.SplitSeq(b, []byte{'\n'}) {
		l = bytes.TrimRight(l, "\r")
		if i := bytes.LastIndexByte(l, '\r'); i >= 0 {
			hidden = append(hidden, bytes.ReplaceAll(l[:i], []byte{'\r'}, nil)...)
			l = l[i+1:]
		}
		shown = append(append(shown, l...), '\n')
	}
	return shown, hidden
}
