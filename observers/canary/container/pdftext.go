package container

import "unicode/utf8"

// pdfTexts yields the strings of a page's content or of objects: all in one, and
// a line each.
func (w *work) pdfTexts(off int, b []byte) {
	var tight, lines []byte
	for at := 0; at < len(b); {
		var s []byte
		switch b[at] {
		case '(':
			s, at = pdfString(b, at+1)
		case '<':
			if at+1 < len(b) && b[at+1] == '<' {
				at += 2
				continue
			}
			end := at + 1
			for end < len(b) && (hexDigit(b[end]) >= 0 || b[end] <= ' ') {
				end++
			}
			if end < len(b) && b[end] == '>' {
				s = unhex(append(append([]byte{}, b[at+1:end]...), pdfPad(b[at+1:end])...))
			}
			at = max(end, at+1)
		default:
			at++
			continue
		}
		tight = append(tight, s...)
		lines = append(append(lines, s...), '\n')
	}
	w.view(Pdf, off, tight)
	w.view(Pdf, off, lines)
}

// pdfPad is the digit that an odd number of them lacks.
func pdfPad(b []byte) string {
	n := 0
	for _, c := range b {
		if hexDigit(c) >= 0 {
			n++
		}
	}
	return "0"[:n&1]
}

// pdfString reads up to the parenthesis that closes, without escapes.
func pdfString(b []byte, at int) (out []byte, end int) {
	for depth := 1; at < len(b); at++ {
		c := b[at]
		switch {
		case c == '\\' && at+1 < len(b):
			at++
			if v, n := octalEscape(b[at:]); n > 0 {
				out = append(out, v)
				at += n - 1
			} else if b[at] == '\r' || b[at] == '\n' {
				if b[at] == '\r' && at+1 < len(b) && b[at+1] == '\n' {
					at++
				}
			} else {
				out = append(out, unescaped(b[at]))
			}
			continue
		case c == '(':
			depth++
		case c == ')':
			if depth--; depth == 0 {
				return out, at + 1
			}
		}
		out = append(out, c)
	}
	return out, at
}

func octalEscape(b []byte) (v byte, n int) {
	for n < 3 && n < len(b) && b[n] >= '0' && b[n] <= '7' {
		v = v<<3 | b[n]&7
		n++
	}
	return v, n
}

func unescaped(c byte) byte {
	switch c {
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	case 'b':
		return '\b'
	case 'f':
		return '\f'
	}
	return c
}

// appendRune adds a character that a number stands for.
func appendRune(b []byte, v int) []byte {
	if v < 0 {
		v += 1 << 16
	}
	return utf8.AppendRune(b, rune(v))
}
