package capture

// openHTTP3 reads frames (RFC 9114, 7.1) that lead to the end, and the literals
// of their field sections; the static table has nothing of anybody's.
func openHTTP3(b []byte, e *emitter) {
	data, literals, ok := http3(b)
	if !ok {
		return
	}
	e.units(data)
	e.units(literals)
	e.join(literals, "\n")
}

func http3(b []byte) (data, literals [][]byte, ok bool) {
	for at := 0; at < len(b); {
		kind, n, ok1 := quicInt(b[at:])
		size, m, ok2 := quicInt(b[min(len(b), at+n):])
		if !ok1 || !ok2 || kind > 0x0d || size > uint64(len(b)-at-n-m) {
			return nil, nil, false
		}
		s := b[at+n+m : at+n+m+int(size)]
		switch kind {
		case 0:
			data = appendSome(data, s)
		case 1:
			list, ok := qpack(s)
			if !ok {
				return nil, nil, false
			}
			literals = append(literals, list...)
		}
		at += n + m + int(size)
	}
	return data, literals, len(literals) > 0
}

// quicInt reads a number of 1, 2, 4 or 8 bytes (RFC 9000, 16).
func quicInt(b []byte) (v uint64, n int, ok bool) {
	if len(b) == 0 {
		return 0, 0, false
	}
	if n = 1 << (b[0] >> 6); n > len(b) {
		return 0, n, false
	}
	v = uint64(b[0] & 0x3f)
	for _, c := range b[1:n] {
		v = v<<8 | uint64(c)
	}
	return v, n, true
}

// qpack reads field lines (RFC 9204, 4.5) and keeps their strings.
func qpack(b []byte) (list [][]byte, ok bool) {
	if len(b) < 2 {
		return nil, false
	}
	b = b[2:]
	for len(b) > 0 {
		c := b[0]
		var s []byte
		switch {
		case c&0x80 != 0: // indexed
			_, b, ok = prefixed(b, 6)
		case c&0xc0 == 0x40: // name by index
			if _, b, ok = prefixed(b, 4); ok {
				s, b, ok = literal(b, 7)
			}
		case c&0xe0 == 0x20: // name as a string
			if s, b, ok = literal(b, 3); ok {
				list = appendSome(list, s)
				s, b, ok = literal(b, 7)
			}
		case c&0xf0 == 0x10:
			_, b, ok = prefixed(b, 4)
		default:
			if _, b, ok = prefixed(b, 3); ok {
				s, b, ok = literal(b, 7)
			}
		}
		if !ok {
			return nil, false
		}
		list = appendSome(list, s)
	}
	return list, len(list) > 0
}

// prefixed reads a number that starts within a byte (RFC 7541, 5.1).
func prefixed(b []byte, bits int) (n int, rest []byte, ok bool) {
	if len(b) == 0 {
		return 0, nil, false
	}
	most := 1<<bits - 1
	if n = int(b[0]) & most; n < most {
		return n, b[1:], true
	}
	for i := 1; i < len(b) && i < 5; i++ {
		n += int(b[i]&0x7f) << (7 * (i - 1))
		if b[i] < 0x80 {
			return n, b[i+1:], true
		}
	}
	return 0, nil, false
}

// literal is a string whose first byte says, above its length, whether it is in
// Huffman's code.
func literal(b []byte, bits int) (s, rest []byte, ok bool) {
	if len(b) == 0 {
		return nil, nil, false
	}
	coded := b[0]>>bits&1 == 1
	n, rest, ok := prefixed(b, bits)
	if !ok || n > len(rest) {
		return nil, nil, false
	}
	s, rest = rest[:n], rest[n:]
	if coded {
		if s, ok = huffman(s); !ok && n > 0 {
			return nil, nil, false
		}
	}
	return s, rest, true
}
