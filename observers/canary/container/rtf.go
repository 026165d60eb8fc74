package container

import (
	"bytes"
	"strconv"

	"postern/observers/canary/layer"
)

const Rtf layer.Technique = "rtf"

// openRtf yields the text without control words, and the bytes that runs of
// hexadecimal digits (pictures, embedded objects) spell.
func openRtf(w *work, i int) int {
	b := w.b[i:]
	var text []byte
	skip := 0 // characters that stand in for the last one of Unicode
	for at := 0; at < len(b); {
		switch c := b[at]; {
		case c == '\\':
			at, text, skip = rtfControl(b, at+1, text, skip)
		case c == '{' || c == '}' || c == '\r' || c == '\n':
			at++
		case skip > 0:
			skip--
			at++
		default:
			text = append(text, c)
			at++
		}
	}
	w.charge(len(b))
	w.view(Rtf, i, text)
	for _, run := range hexRuns(text) {
		w.view(Rtf, i, run)
	}
	return len(w.b)
}

// rtfControl reads one control word or symbol.
func rtfControl(b []byte, at int, text []byte, skip int) (int, []byte, int) {
	if at >= len(b) {
		return at, text, skip
	}
	c := b[at]
	if c == '\'' && at+3 <= len(b) {
		if v := unhex(b[at+1 : at+3]); len(v) == 1 && skip == 0 {
			text = append(text, v...)
		}
		return at + 3, text, max(skip-1, 0)
	}
	if c|0x20 < 'a' || c|0x20 > 'z' {
		if c == '\\' || c == '{' || c == '}' {
			text = append(text, c)
		}
		return at + 1, text, skip
	}
	end := at
	for end < len(b) && b[end]|0x20 >= 'a' && b[end]|0x20 <= 'z' {
		end++
	}
	word := string(b[at:min(end, at+32)])
	num := end
	for num < len(b) && num < end+10 && (b[num] == '-' && num == end || b[num]-'0' < 10) {
		num++
	}
	if v, err := strconv.Atoi(string(b[end:num])); err == nil && word == "u" {
		text, skip = appendRune(text, v), 1
	}
	if num < len(b) && b[num] == ' ' {
		num++
	}
	return num, text, skip
}

// hexRuns decodes runs of at least 64 digits.
func hexRuns(b []byte) (runs [][]byte) {
	for len(b) > 0 && len(runs) < 64 {
		n := 0
		for n < len(b) && hexDigit(b[n]) >= 0 {
			n++
		}
		if n >= 64 {
			runs = append(runs, unhex(b[:n]))
		}
		next := bytes.IndexFunc(b[n:], func(r rune) bool { return r < 128 && hexDigit(byte(r)) >= 0 })
		if next < 0 {
			break
		}
		b = b[n+next:]
	}
	return runs
}
