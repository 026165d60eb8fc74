package capture

import "golang.org/x/net/http2/hpack"

const blockMost = 1 << 16 // bytes of a header block that stands alone

// openHPACK tries the whole as a header block (RFC 7541), then as one string in
// Huffman's code.
func openHPACK(b []byte, e *emitter) {
	if len(b) > blockMost {
		return
	}
	if fields, ok := headerBlock(b); ok {
		e.headerFields(fields)
		return
	}
	if s, ok := huffman(b); ok {
		e.give(s)
	}
}

func headerBlock(b []byte) (list []hpack.HeaderField, ok bool) {
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
