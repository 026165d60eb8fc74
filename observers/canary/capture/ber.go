package capture

import "encoding/asn1"

const nestingMost = 32

// leaves are the contents of what BER encodes (X.690), by tag, and the numbers
// of object identifiers.
type leaves struct {
	byTag *flows[byte]
	arcs  []uint64
}

// openBER reads elements that fill the bytes: SNMP, LDAP, certificates.
func openBER(b []byte, e *emitter) {
	if b[0] != 0x30 || len(b) > 16*bytesMost {
		return
	}
	l := leaves{byTag: newFlows[byte]()}
	for rest := b; len(rest) > 0; {
		tag, s, after, ok := element(rest)
		if !ok || tag != 0x30 || !l.read(s, 0) {
			return
		}
		rest = after
	}
	for _, list := range l.byTag.lists() {
		e.units(list)
	}
	e.numbers(4, l.arcs)
}

// element is one with a tag of one byte and a definite length.
func element(b []byte) (tag byte, s, rest []byte, ok bool) {
	if len(b) < 2 || b[0]&0x1f == 0x1f {
		return 0, nil, nil, false
	}
	n, at := int(b[1]), 2
	if n >= 0x80 {
		if at += n & 0x7f; n == 0x80 || n > 0x84 || at > len(b) {
			return 0, nil, nil, false
		}
		n = 0
		for _, c := range b[2:at] {
			n = n<<8 | int(c)
		}
	}
	if n > len(b)-at {
		return 0, nil, nil, false
	}
	return b[0], b[at : at+n], b[at+n:], true
}

func (l *leaves) read(b []byte, depth int) bool {
	for len(b) > 0 {
		tag, s, rest, ok := element(b)
		if !ok || depth > nestingMost {
			return false
		}
		switch {
		case tag&0x20 != 0:
			if !l.read(s, depth+1) {
				return false
			}
		default:
			l.byTag.add(tag, s)
			l.byTag.add(0xff, s)
			if tag == 6 {
				l.object(b[:len(b)-len(rest)])
			}
		}
		b = rest
	}
	return true
}

func (l *leaves) object(b []byte) {
	var id asn1.ObjectIdentifier
	if _, err := asn1.Unmarshal(b, &id); err == nil {
		for _, n := range id {
			l.arcs = append(l.arcs, uint64(n))
		}
	}
}
