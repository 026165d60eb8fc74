package text

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"
)

var plainEscapes = map[byte]byte{'n': '\n', 't': '\t', 'r': '\r', 'a': 7, 'b': 8, 'f': 12, 'v': 11, 'e': 27}

// undoBackslash reads the escapes of C, JSON, JavaScript, Java, Go, Python,
// regular expressions and CSS.
func undoBackslash(dst, b []byte, i int) ([]byte, int, bool) {
	if i+1 >= len(b) {
		return dst, 0, false
	}
	switch c := b[i+1]; {
	case c == 'x':
		return undoX(dst, b, i)
	case c == 'u' || c == 'U':
		return undoU(dst, b, i)
	case c == 'o' || c == 'N':
		return undoBraced(dst, b, i, 2, 8)
	case c == '0' && longCSS(b, i):
		return undoCSS(dst, b, i)
	case isDigit(c):
		return undoDigits(dst, b, i)
	case c == '\n' || c == '\r':
		n := 2
		if c == '\r' && i+2 < len(b) && b[i+2] == '\n' {
			n = 3
		}
		return dst, n, i > 0 && isAlnum(b[i-1])
	case isHex(c) && plainEscapes[c] == 0:
		return undoCSS(dst, b, i)
	case plainEscapes[c] != 0:
		return append(dst, plainEscapes[c]), 2, inRun(b, i)
	case c == '\\':
		return append(dst, c), 2, i+2 < len(b) && bytes.IndexByte([]byte("xuU01234567"), b[i+2]) >= 0
	case c > ' ' && c < 127:
		return append(dst, c), 2, inRun(b, i) || c == '/' || c == '-'
	}
	return dst, 0, false
}

// inRun reports whether the eight bytes before i belong to one run, which the
// escape then interrupts.
func inRun(b []byte, i int) bool {
	if i < 8 {
		return false
	}
	for _, c := range b[i-8 : i] {
		if !runSymbols[c] {
			return false
		}
	}
	return jumbled(b[i-8 : i])
}

func undoX(dst, b []byte, i int) ([]byte, int, bool) {
	if i+2 < len(b) && b[i+2] == '{' {
		return undoBraced(dst, b, i, 2, 16)
	}
	if c, ok := hexPair(b, i+2); ok {
		return append(dst, c), 4, true
	}
	if v, n := number(b, i+2, 1, 16); n == 1 {
		return append(dst, byte(v)), 3, true
	}
	return dst, 0, false
}

// undoU reads \uXXXX, two of which may be one character, \u{X} and \UXXXXXXXX.
func undoU(dst, b []byte, i int) ([]byte, int, bool) {
	at, most := i+2, 4
	for at < len(b) && b[at] == 'u' { // Java allows several
		at++
	}
	if at < len(b) && b[at] == '{' {
		return undoBraced(dst, b, i, at-i, 16)
	}
	if b[i+1] == 'U' {
		most = 8
	}
	v, n := number(b, at, most, 16)
	if n < 4 {
		return dst, 0, false
	}
	if n < most {
		v, n = number(b, at, 4, 16)
	}
	n += at - i
	if utf16.IsSurrogate(v) && i+n+5 < len(b) && b[i+n] == '\\' {
		if low, m := number(b, i+n+2, 4, 16); m == 4 {
			if r := utf16.DecodeRune(v, low); r != utf8.RuneError {
				return utf8.AppendRune(dst, r), n + 6, true
			}
		}
	}
	return appendRune(dst, v), n, true
}

// undoBraced reads the number in braces at skip, as in \x{41}, \u{41}, \o{101}
// and \N{U+0041}.
func undoBraced(dst, b []byte, i, skip, base int) ([]byte, int, bool) {
	at := i + skip
	if at >= len(b) || b[at] != '{' {
		return dst, 0, false
	}
	at++
	if at+1 < len(b) && b[at] == 'U' && b[at+1] == '+' {
		at, base = at+2, 16
	}
	v, n := number(b, at, 8, base)
	if n == 0 || at+n >= len(b) || b[at+n] != '}' {
		return dst, 0, false
	}
	return appendRune(dst, v), at + n + 1 - i, true
}

// undoDigits reads octal digits, as C has them. What has none is the \048 of
// master files: three decimal digits.
func undoDigits(dst, b []byte, i int) ([]byte, int, bool) {
	if d, n := number(b, i+1, 3, 10); n == 3 && d < 256 {
		if _, o := number(b, i+1, 3, 8); o < 3 {
			return append(dst, byte(d)), 4, true
		}
	}
	if i+4 < len(b) && b[i+1] == '0' { // echo has \0 and three digits
		if v, n := number(b, i+2, 3, 8); n == 3 && v < 256 {
			return append(dst, byte(v)), 5, true
		}
	}
	v, n := number(b, i+1, 3, 8)
	if n == 0 {
		return dst, 0, false
	}
	return append(dst, byte(v)), n + 1, true
}

// longCSS reports whether six hexadecimal digits stand at i, of which C would
// read three.
func longCSS(b []byte, i int) bool {
	v, n := number(b, i+1, 6, 16)
	return n == 6 && v < 256 && bytes.HasPrefix(b[i+1:], []byte("0000"))
}

// undoCSS reads one to six hexadecimal digits and a space that ends them.
func undoCSS(dst, b []byte, i int) ([]byte, int, bool) {
	v, n := number(b, i+1, 6, 16)
	if n < 2 {
		return append(dst, b[i+1]), 2, false
	}
	if i+1+n < len(b) && isSpace(b[i+1+n]) {
		n++
	}
	return appendRune(dst, v), n + 1, true
}

// appendRune appends a character below 256 as a byte: escapes spell bytes more
// often than letters with accents. Half a pair that stands alone is a byte that was
// no text (Python's PEP 383).
func appendRune(dst []byte, v rune) []byte {
	if v >= 0 && v < 256 || v >= 0xdc80 && v <= 0xdcff {
		return append(dst, byte(v))
	}
	return utf8.AppendRune(dst, v)
}
