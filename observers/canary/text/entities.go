package text

import (
	"bytes"
	"html"
)

// commonEntities are so frequent in mark-up that they tell nothing.
var commonEntities = map[string]bool{"&lt;": true, "&gt;": true, "&quot;": true, "&nbsp;": true, "&apos;": true, "&amp;": true}

// undoEntity reads the character references of HTML and XML, with or without
// the semicolon.
func undoEntity(dst, b []byte, i int) ([]byte, int, bool) {
	if i+2 < len(b) && b[i+1] == '#' {
		return undoReference(dst, b, i)
	}
	n := i + 1
	for n < len(b) && n < i+34 && isAlnum(b[n]) {
		n++
	}
	if n >= len(b) || b[n] != ';' || n == i+1 {
		return dst, 0, false
	}
	name := string(b[i : n+1])
	meant := html.UnescapeString(name)
	if meant == name {
		return dst, 0, false
	}
	doubled := name == "&amp;" && n+1 < len(b) && (b[n+1] == '#' || isAlnum(b[n+1]))
	return append(dst, meant...), len(name), doubled || !commonEntities[name]
}

func undoReference(dst, b []byte, i int) ([]byte, int, bool) {
	at, base := i+2, 10
	if b[at]|0x20 == 'x' {
		at, base = at+1, 16
	}
	v, n := number(b, at, 7, base)
	if n == 0 {
		for z := at; z < len(b) && z < at+20 && b[z] == '0'; z++ {
			n++
		}
		return dst, 0, false
	}
	for v == 0 && n == 7 && at+n < len(b) && at-i < 64 { // leading zeros
		at += n
		v, n = number(b, at, 7, base)
	}
	end := at + n
	if end < len(b) && b[end] == ';' {
		end++
	}
	return appendRune(dst, v), end - i, true
}

// undoUTF7 reads the shifted part of RFC 2152.
func undoUTF7(dst, b []byte, i int) ([]byte, int, bool) { return undoShift(dst, b, i, "+/") }

// undoIMAP reads that of RFC 3501.
func undoIMAP(dst, b []byte, i int) ([]byte, int, bool) { return undoShift(dst, b, i, "+,") }

func undoShift(dst, b []byte, i int, last string) ([]byte, int, bool) {
	if i+1 < len(b) && b[i+1] == '-' {
		return append(dst, b[i]), 2, false
	}
	n := i + 1
	for n < len(b) && n-i < 1024 && (isAlnum(b[n]) || bytes.IndexByte([]byte(last), b[n]) >= 0) {
		n++
	}
	u := pack(nil, b[i+1:n], base64Alphabet, 6)
	if n-i < 4 || len(u) < 2 || n < len(b) && b[n] != '-' && b[i] == '&' {
		return dst, 0, false
	}
	for k := 0; k+1 < len(u); k += 2 {
		v := rune(u[k])<<8 | rune(u[k+1])
		if u[k] > 3 && n-i < 8 { // words after a plus sign are none
			return dst, 0, false
		}
		dst = appendRune(dst, v)
	}
	if n < len(b) && b[n] == '-' {
		n++
	}
	return dst, n - i, u[0] == 0
}
