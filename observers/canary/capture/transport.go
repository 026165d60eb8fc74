package capture

import "encoding/binary"

// transport goes on by the number of a protocol (IANA, protocol-numbers).
func (d *dissector) transport(p packet, b []byte) {
	p.payload = b
	switch {
	case p.protocol == 6 && len(b) >= 20:
		tcp(&p, b)
	case p.protocol == 17 && len(b) >= 8:
		p.has |= hasUDP
		p.ports(b)
		p.check, p.window = binary.BigEndian.Uint16(b[6:]), binary.BigEndian.Uint16(b[4:])
		p.payload = b[8:]
		if size := int(p.window); size >= 8 && size < len(b) {
			p.payload, p.pad = b[8:size], b[size:]
		}
		d.tunnelled(p)
	case (p.protocol == 1 || p.protocol == 58) && len(b) >= 8:
		icmp(&p, b)
	case p.protocol == 2 && len(b) >= 8: // IGMP
		p.kind, p.code = b[0], b[1]
		p.check = binary.BigEndian.Uint16(b[2:])
	case p.protocol == 132 && len(b) >= 12:
		sctp(&p, b)
	}
	d.packets = append(d.packets, p)
	switch p.protocol {
	case 4, 41:
		d.inner(p, b, d.ip)
	case 47:
		d.gre(p, b)
	}
}

func (p *packet) ports(b []byte) {
	p.sport, p.dport = binary.BigEndian.Uint16(b), binary.BigEndian.Uint16(b[2:])
}

func tcp(p *packet, b []byte) {
	p.has |= hasTCP
	p.ports(b)
	p.seq, p.ack = binary.BigEndian.Uint32(b[4:]), binary.BigEndian.Uint32(b[8:])
	p.flags = binary.BigEndian.Uint16(b[12:]) & 0xfff
	p.window, p.check, p.urgent = binary.BigEndian.Uint16(b[14:]), binary.BigEndian.Uint16(b[16:]), binary.BigEndian.Uint16(b[18:])
	head := min(len(b), max(20, int(b[12]>>4)*4))
	p.options, p.payload = b[20:head], b[head:]
	for o := p.options; len(o) >= 2 && o[0] != 0; {
		n := 1
		if o[0] != 1 {
			n = max(2, int(o[1]))
		}
		if o[0] == 8 && n == 10 && len(o) >= 10 {
			p.has |= hasTimes
			p.stamp, p.echoed = binary.BigEndian.Uint32(o[2:]), binary.BigEndian.Uint32(o[6:])
		}
		o = o[min(n, len(o)):]
	}
}

// icmp has a message of four bytes; that of an echo is two numbers, and the
// port is free for the first.
func icmp(p *packet, b []byte) {
	p.has |= hasICMP
	p.kind, p.code, p.check = b[0], b[1], binary.BigEndian.Uint16(b[2:])
	p.window, p.urgent = binary.BigEndian.Uint16(b[4:]), binary.BigEndian.Uint16(b[6:])
	p.payload = b[8:]
	switch {
	case p.protocol == 1 && (b[0] == 0 || b[0] == 8), p.protocol == 58 && (b[0] == 128 || b[0] == 129):
		p.has |= hasEcho
	}
}

// sctp joins the user data of the chunks (RFC 9260, 3.3.1).
func sctp(p *packet, b []byte) {
	p.has |= hasSCTP
	p.ports(b)
	p.seq = binary.BigEndian.Uint32(b[4:])
	p.payload = nil
	for c := b[12:]; len(c) >= 4; {
		n := max(4, int(binary.BigEndian.Uint16(c[2:])))
		chunk := c[4:min(n, len(c))]
		if c[0] == 0 && len(chunk) >= 12 {
			p.ack = binary.BigEndian.Uint32(chunk)
			chunk = chunk[12:]
		}
		p.payload = append(p.payload, chunk...)
		c = c[min(len(c), (n+3)&^3):]
	}
}

// inner goes on with a packet within.
func (d *dissector) inner(p packet, b []byte, open func(packet, []byte)) {
	if d.depth >= depthMost || len(b) == 0 {
		return
	}
	d.depth++
	open(packet{time: p.time, off: p.off, length: len(b), orig: len(b)}, b)
	d.depth--
}

func (d *dissector) gre(p packet, b []byte) {
	if len(b) < 4 {
		return
	}
	head := 4
	for _, bit := range []byte{0x80, 0x20, 0x10} { // checksum, key, number
		if b[0]&bit != 0 {
			head += 4
		}
	}
	kind := binary.BigEndian.Uint16(b[2:])
	d.inner(p, b[min(head, len(b)):], func(q packet, b []byte) {
		if kind == 0x6558 {
			d.ethernet(q, b)
			return
		}
		d.typed(q, kind, b)
	})
}

// tunnelled opens VXLAN, Geneve and GTP-U by their ports.
func (d *dissector) tunnelled(p packet) {
	b := p.payload
	switch {
	case (p.dport == 4789 || p.dport == 8472) && len(b) > 8:
		d.inner(p, b[8:], d.ethernet)
	case p.dport == 6081 && len(b) > 8:
		d.inner(p, b[min(len(b), 8+int(b[0]&0x3f)*4):], d.ethernet)
	case p.dport == 2152 && len(b) > 8 && b[1] == 0xff:
		d.inner(p, b[8:], d.ip)
	}
}
