package text

import (
	"bytes"
	"unicode/utf8"
)

const longName = 56 // letters and figures in a row

// jumbled reports whether a run is unlike a word or a name: it has figures
// between letters, or its kinds of symbols alternate more than capitals at the
// begin of words do, or it is long. Without punctuation no name is long.
func jumbled(b []byte) bool {
	if len(b) >= 256 || len(b) >= longName && bytes.IndexFunc(b, func(r rune) bool { return r >= utf8.RuneSelf || !isAlnum(byte(r)) }) < 0 {
		return true
	}
	turns, begins, figures := 0, 0, 0
	for i, c := range b {
		k := kinds[c]
		if k == aDigit {
			figures++
		}
		if i == 0 || k == kinds[b[i-1]] {
			continue
		}
		turns++
		if k == aLower && kinds[b[i-1]] == anUpper {
			begins++
		}
	}
	switch {
	case figures*4 >= len(b) || len(b) >= fullRun && !wordy(b):
		return true
	case figures > 0:
		return turns*5 >= len(b)
	}
	return (turns-begins)*4 >= len(b) && (turns-begins)*5 > begins*6
}

// pathLike reports whether a short run has more punctuation than base64 has, as
// paths and dates do.
func pathLike(b []byte) bool {
	if len(b) > pathRun {
		return false
	}
	marks, figures := 0, 0
	for i, c := range b {
		switch {
		case isDigit(c):
			figures++
		case !isLetter(c) && c != '+' && c != '*' && (i == 0 || b[i-1] != c):
			marks++
		}
	}
	return marks > 3 && marks*8 > len(b) || marks > 1 && figures*2 > len(b)
}

const (
	aMark = iota
	aDigit
	anUpper
	aLower
)

var kinds = kindTable()

func kindTable() *[256]uint8 {
	var t [256]uint8
	for c := range t {
		switch b := byte(c); {
		case isDigit(b):
			t[c] = aDigit
		case isUpper(b):
			t[c] = anUpper
		case isLower(b):
			t[c] = aLower
		}
	}
	return &t
}

func kind(c byte) uint8 { return kinds[c] }

// wordy reports whether b reads like words: no five consonants follow each other.
func wordy(b []byte) bool {
	n := 0
	for _, c := range b {
		switch c | 0x20 {
		case 'a', 'e', 'i', 'o', 'u', 'y', '-' | 0x20, '_' | 0x20, '/' | 0x20:
			n = 0
		default:
			if n++; n >= 6 {
				return false
			}
		}
	}
	return true
}
