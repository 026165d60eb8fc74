package text

import "bytes"

// dumpLine reads an offset and the groups behind it, as xxd, hexdump and od
// write them, up to the column of text.
func dumpLine(line []byte, is func(byte) bool, group func(digits []byte) bool) bool {
	line = bytes.TrimPrefix(line, []byte("0x"))
	i := offsetDigits(line)
	if i < 4 || i > 16 || i == len(line) {
		return false
	}
	if line[i] == ':' || line[i] == '|' {
		i++
	}
	groups, width := 0, 0
	for i < len(line) {
		from := i
		for i < len(line) && (line[i] == ' ' || line[i] == '\t') {
			i++
		}
		if i-from == 0 || groups > 0 && i-from > 3 {
			break
		}
		if i+2 < len(line) && line[i] == '0' && line[i+1] == 'x' {
			i += 2
		}
		from = i
		for i < len(line) && is(line[i]) {
			i++
		}
		n := i - from
		if n < 2 || i < len(line) && line[i] > ' ' || groups > 0 && n > width {
			break
		}
		if width = max(width, n); !group(line[from:i]) {
			break
		}
		groups++
	}
	return groups > 0
}

func offsetDigits(line []byte) int {
	i := 0
	for i < len(line) && hexSymbols[line[i]] {
		i++
	}
	return i
}

func decodeDump(dst, line []byte) ([]byte, bool) {
	ok := dumpLine(line, isHex, func(d []byte) bool {
		if len(d)%2 != 0 || len(d) > 16 {
			return false
		}
		dst = pack(dst, d, hexAlphabet, 4)
		return true
	})
	return dst, ok
}

// decodeDumpWords reads groups of more than a byte, least significant first.
func decodeDumpWords(dst, line []byte) ([]byte, bool) {
	ok := dumpLine(line, isHex, func(d []byte) bool {
		if len(d)%4 != 0 || len(d) > 16 {
			return false
		}
		dst = append(dst, reversed(pack(nil, d, hexAlphabet, 4))...)
		return true
	})
	return dst, ok
}

// decodeOctalDump reads od's groups of three digits, a byte, or six, two bytes
// with the less significant first.
func decodeOctalDump(dst, line []byte) ([]byte, bool) {
	ok := dumpLine(line, func(c byte) bool { return c-'0' < 8 }, func(d []byte) bool {
		v, n := number(d, 0, 6, 8)
		switch {
		case n != len(d) || n != 3 && n != 6:
			return false
		case n == 3:
			dst = append(dst, byte(v))
		default:
			dst = append(dst, byte(v), byte(v>>8))
		}
		return true
	})
	return dst, ok
}

// decodeCharDump reads od's fields of four columns: a character, an escape, or
// three octal digits.
func decodeCharDump(dst, line []byte) ([]byte, bool) {
	i := offsetDigits(line)
	if i < 4 || i > 16 || (len(line)-i)%4 != 0 || len(line) == i {
		return dst, false
	}
	for ; i < len(line); i += 4 {
		field := bytes.TrimLeft(line[i:i+4], " ")
		v, n := number(field, 0, 3, 8)
		switch {
		case n == 3 && len(field) == 3:
			dst = append(dst, byte(v))
		case len(field) == 2 && field[0] == '\\':
			dst, _, _ = undoBackslash(dst, field, 0)
		case len(field) == 1:
			dst = append(dst, field[0])
		case len(field) == 0:
			dst = append(dst, ' ')
		default:
			return dst, false
		}
	}
	return dst, true
}

// yEnc decodes what follows =ybegin, or =ypart, to =yend, or to a byte of zero,
// which it never writes.
func (o *out) yEnc(b []byte) {
	for !o.ended {
		i := bytes.Index(b, []byte("=ybegin "))
		if i < 0 {
			return
		}
		end := bytes.Index(b[i:], []byte("=yend"))
		if end < 0 {
			end = len(b) - i
		}
		if n := bytes.IndexByte(b[i:i+end], 0); n >= 0 {
			end = n
		}
		o.offer("yenc", i, unpackY(b[i:i+end]))
		b = b[i+end:]
	}
}

func unpackY(b []byte) []byte {
	var d []byte
	for len(b) > 0 {
		line := b
		if n := bytes.IndexByte(b, '\n'); n >= 0 {
			line = b[:n]
		}
		b = b[min(len(line)+1, len(b)):]
		line = bytes.TrimRight(line, "\r")
		if bytes.HasPrefix(line, []byte("=y")) {
			continue
		}
		for i := 0; i < len(line); i++ {
			c := line[i]
			if c == '=' && i+1 < len(line) {
				i++
				c = line[i] - 64
			}
			d = append(d, c-42)
		}
	}
	return d
}

var binHexAlphabet = alphabetOf("!\"#$%&'()*+,-012345689@ABCDEFGHIJKLMNPQRSTUVXYZ[`abcdefhijklmpqr", false)

// binHex decodes BinHex 4 between its colons, and undoes its repeats: 0x90 and
// a count.
func (o *out) binHex(b []byte) {
	i := bytes.Index(b, []byte("BinHex"))
	if i < 0 {
		return
	}
	k := bytes.IndexByte(b[i:], '\n')
	if k < 0 {
		return
	}
	from := i + k
	if k = bytes.IndexByte(b[from:], ':'); k < 0 {
		return
	}
	body := b[from+k+1:]
	if k = bytes.IndexByte(body, ':'); k >= 0 {
		body = body[:k]
	}
	o.offer("binhex", i, o.within(unrepeat(pack(nil, body, binHexAlphabet, 6), o.room.Left())))
}

// unrepeat goes on until there is more than is wanted.
func unrepeat(b []byte, most int) []byte {
	var d []byte
	for i := 0; i < len(b) && len(d) <= most; i++ {
		if b[i] != 0x90 || i+1 == len(b) {
			d = append(d, b[i])
			continue
		}
		i++
		if b[i] == 0 {
			d = append(d, 0x90)
			continue
		}
		for range int(b[i]) - 1 {
			if len(d) > 0 {
				d = append(d, d[len(d)-1])
			}
		}
	}
	return d
}
