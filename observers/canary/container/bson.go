package container

import (
	"bytes"
	"encoding/binary"

	"postern/observers/canary/layer"
)

const (
	Bson layer.Technique = "bson"
	Der  layer.Technique = "der"
)

// readBson reads documents one after the other (bsonspec.org).
func readBson(l *leaves, b []byte) bool {
	for len(b) > 0 {
		n := int(int32(little(b, 0, 4)))
		if n < 5 || n > len(b) || b[n-1] != 0 || !bsonDocument(l, b[4:n-1], "", 0) {
			return false
		}
		b = b[n:]
	}
	return true
}

func bsonDocument(l *leaves, b []byte, path string, depth int) bool {
	for len(b) > 0 {
		kind := b[0]
		end := bytes.IndexByte(b[1:], 0)
		if end < 0 || depth > recordDepth || l.bad {
			return false
		}
		name := path + "." + string(b[1:1+min(end, 64)])
		if b[1] >= '0' && b[1] <= '9' {
			name = path + "[" // an element of an array
		}
		b = b[end+2:]
		n := bsonSize(kind, b)
		if n < 0 || n > len(b) {
			return false
		}
		switch v := b[:n]; kind {
		case 2, 13, 14:
			l.text(name, v[4:n-1])
		case 3, 4:
			if !bsonDocument(l, v[4:n-1], name, depth+1) {
				return false
			}
		case 5:
			l.text(name, v[5:])
		case 16, 18, 9, 17:
			l.num(name, uint64(little(v, 0, 4)))
		default:
			l.text(name, v)
		}
		b = b[n:]
	}
	return true
}

// bsonSize is how long a value is, or -1.
func bsonSize(kind byte, b []byte) int {
	told := func(extra, least int) int {
		n := int(int32(little(b, 0, 4))) + extra
		if len(b) < 4 || n < least {
			return -1
		}
		return n
	}
	switch kind {
	case 1, 9, 17, 18:
		return 8
	case 2, 13, 14:
		return told(4, 5)
	case 3, 4:
		return told(0, 5)
	case 5:
		return told(5, 5)
	case 7:
		return 12
	case 8:
		return 1
	case 10, 6:
		return 0
	case 16:
		return 4
	case 19:
		return 16
	}
	return -1
}

// readDer reads elements to the end, and joins the strings that come in pieces.
func readDer(l *leaves, b []byte) bool {
	return b[0]&0x20 != 0 && b[0]&0x1f != 0 && derElements(l, b, "", 0, true)
}

// derElements reads definite and, up to two zeros, indefinite lengths (X.690, 8.1).
func derElements(l *leaves, b []byte, path string, depth int, top bool) bool {
	for len(b) > 0 && !l.bad {
		body, rest, ok := derElement(b)
		if !ok || depth > recordDepth {
			return false
		}
		tag := b[0]
		switch name := path + string(rune('a'+int(tag&31))); {
		case tag == 0 && len(body) == 0:
		case tag&0x20 != 0:
			if !derElements(l, body, name, depth+1, false) {
				return false
			}
		case tag == 3 && len(body) > 0:
			l.text(name, body[1:])
		case tag&0xc0 == 0 && tag == 2 && len(body) <= 8:
			l.num(name, big(body))
		default:
			l.text(name, body)
		}
		b = rest
	}
	return true
}

func derElement(b []byte) (body, rest []byte, ok bool) {
	if len(b) < 2 || b[0]&31 == 31 {
		return nil, nil, false
	}
	n, at := uint64(b[1]), 2
	switch {
	case b[1] == 0x80: // to the end of what is around it
		return b[2:], nil, true
	case b[1] > 0x80:
		k := int(b[1] & 0x7f)
		if k > 4 || 2+k > len(b) {
			return nil, nil, false
		}
		n, at = big(b[2:2+k]), 2+k
	}
	if n > uint64(len(b)-at) {
		return nil, nil, false
	}
	return b[at : at+int(n)], b[at+int(n):], true
}

const Plist layer.Technique = "plist"

// openPlist shows the values of a binary property list: by kind, in the order of
// its table of objects, up to what is no object.
func openPlist(w *work, i int) int {
	b := w.b[i:]
	l := leaves{names: map[string]int{}}
	at := len("bplist00")
	for !l.bad {
		kind, body, next := plistObject(b, at)
		if next == 0 {
			break
		}
		switch {
		case kind == 1 && len(body) > 8:
			l.text("16", body)
		case kind == 1:
			l.num("1", big(body))
		case kind == 4, kind == 5:
			l.text(string(rune(kind)), body)
		case kind == 6:
			l.text("6", []byte(utf16Text(body, binary.BigEndian)))
		}
		at = next
	}
	l.c.show(w, Plist, i, true)
	return min(i+at, len(w.b))
}

// plistObject is one object, and where the next begins: 0 where there is none, as
// in a text that has but the name of the format.
func plistObject(b []byte, at int) (kind byte, body []byte, next int) {
	if at >= len(b) {
		return 0, nil, 0
	}
	kind, n := b[at]>>4, int(b[at]&15)
	at++
	if n == 15 && kind >= 4 && at < len(b) {
		if b[at]>>4 != 1 {
			return 0, nil, 0 // a length is an integer
		}
		k := 1 << (b[at] & 3)
		n = int(min(big(b[min(at+1, len(b)):min(at+1+k, len(b))]), 1<<30))
		at += 1 + k
	}
	switch kind {
	case 1, 2, 3: // numbers and dates of up to 16 bytes
		if n > 4 {
			return 0, nil, 0
		}
		n = 1 << n
	case 6, 13: // references of 13 are as many bytes as the file's trailer says, mostly one
		n *= 2
	case 4, 5, 10, 12:
	case 7, 9, 14, 15:
		return 0, nil, 0
	default:
		n = 0
	}
	return kind, b[min(at, len(b)):min(at+n, len(b))], at + n
}
