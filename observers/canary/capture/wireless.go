package capture

// wireless keeps the elements of management frames (IEEE 802.11, 9.3.3), as the
// name of a network, and opens data frames that hold IP.
func (d *dissector) wireless(p packet, b []byte) {
	if len(b) < 24 {
		d.other(p, b)
		return
	}
	p.has |= hasMAC
	copy(p.to[:], b[4:])
	copy(p.from[:], b[10:])
	head := 24
	switch kind, sub := b[0]>>2&3, b[0]>>4; {
	case kind == 0 && (sub == 8 || sub == 5): // beacon, probe response
		p.options, head = elements(b[min(len(b), 36):]), 36
	case kind == 0 && sub == 4: // probe request
		p.options = elements(b[24:])
	case kind == 2:
		if sub&8 != 0 {
			head = 26
		}
		if s := b[min(len(b), head):]; len(s) > 8 && s[0] == 0xaa && s[1] == 0xaa {
			d.typed(p, uint16(s[6])<<8|uint16(s[7]), s[8:])
			return
		}
	}
	d.other(p, b[min(len(b), head):])
}

// elements are the name of the network, then what vendors added.
func elements(b []byte) []byte {
	var out []byte
	for len(b) >= 2 {
		s, rest := counted(b[1:], 1)
		if b[0] == 0 {
			out = append(out, s...)
		}
		b = rest
	}
	return out
}
