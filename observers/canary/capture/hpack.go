package capture

import "golang.org/x/net/http2/hpack"

const (
	blockMost  = 1 << 16 // bytes of a header block that stands alone
	codedLeast = 24      // characters of a string that does: a quarter of all bytes decode as shorter ones
)

// openHPACK tries the whole as a header block (RFC 7541), then as one string in
// Huffman's code.
func openHPACK(b []byte, e *emitter) {
	if len(b) > blockMost || printable(b) { // of text no block is made: its lengths are below a blank, or it is in a code
		return
	}
	if fields, ok := headerBlock(b); ok {
		e.headerFields(fields)
		return
	}
	if s, ok := huffman(b); ok && len(s) >= codedLeast {
		e.give(s)
	}
}

func headerBlock(b []byte) (list []hpack.HeaderField, ok bool) {
	if !blockFits(b) {
		return nil, false
	}
	ok = true
	d := hpack.NewDecoder(4096, func(f hpack.HeaderField) {
		list = append(list, f)
		ok = ok && token(f.Name)
	})
	for at := 0; at < len(b) && ok; at += 64 { // so that other bytes are left soon
		if _, err := d.Write(b[at:min(len(b), at+64)]); err != nil {
			return nil, false
		}
	}
	return list, ok && d.Close() == nil && len(list) > 0
}

const staticTable = 61 // fields that have a number before any is added (RFC 7541, A)

// blockFits walks the representations of fields (RFC 7541, 6) up to the end,
// without decoding any.
func blockFits(b []byte) bool {
	for most := staticTable; len(b) > 0; {
		c, bits := b[0], 4
		switch {
		case c&0x80 != 0:
			bits = 7
		case c&0x40 != 0:
			bits = 6
		case c&0x20 != 0:
			bits = 5
		}
		n, rest, ok := prefixed(b, bits)
		switch {
		case !ok || bits == 7 && n == 0 || bits != 5 && n > most:
			return false
		case bits == 7 || bits == 5:
			b = rest
			continue
		case bits == 6:
			most++
		}
		if n == 0 { // a name of its own
			if rest, ok = afterString(rest); !ok {
				return false
			}
		}
		if b, ok = afterString(rest); !ok {
			return false
		}
	}
	return true
}

func afterString(b []byte) (rest []byte, ok bool) {
	n, rest, ok := prefixed(b, 7)
	if !ok || n > len(rest) {
		return nil, false
	}
	return rest[n:], true
}

// token is a field's name as HTTP/2 has it.
func token(s string) bool {
	for i := range len(s) {
		if c := s[i]; c <= ' ' || c >= 0x7f || c >= 'A' && c <= 'Z' {
			return false
		}
	}
	return len(s) > 0
}

// huffman decodes what is text afterwards.
func huffman(b []byte) ([]byte, bool) {
	if len(b) > 4096 || printable(b) {
		return nil, false
	}
	s, err := hpack.HuffmanDecodeToString(b)
	if err != nil || !printable([]byte(s)) {
		return nil, false
	}
	return []byte(s), true
}
