package capture

import (
	"encoding/binary"
	"maps"
	"slices"
)

// ip goes on by the version.
func (d *dissector) ip(p packet, b []byte) {
	switch {
	case len(b) >= 20 && b[0]>>4 == 4 && b[0]&15 >= 5:
		d.ip4(p, b)
	case len(b) >= 40 && b[0]>>4 == 6:
		d.ip6(p, b)
	default:
		d.other(p, b)
	}
}

func (d *dissector) ip4(p packet, b []byte) {
	head := int(b[0]&15) * 4
	size := int(binary.BigEndian.Uint16(b[2:]))
	if size == 0 || size > len(b) { // left to the card, or cut off
		size = len(b)
	}
	if head > size {
		d.other(p, b)
		return
	}
	p.has |= hasIP4
	p.tos, p.ttl, p.protocol = b[1], b[8], b[9]
	p.total, p.id, p.frag = binary.BigEndian.Uint16(b[2:]), binary.BigEndian.Uint16(b[4:]), binary.BigEndian.Uint16(b[6:])
	p.src, p.dst = [16]byte{}, [16]byte{}
	copy(p.src[12:], b[12:16])
	copy(p.dst[12:], b[16:20])
	p.options, p.pad = b[20:head], b[size:]
	offset, more := int(p.frag&0x1fff)*8, p.frag&0x2000 != 0
	d.part(p, uint32(p.id), offset, more, b[head:size])
}

func (d *dissector) ip6(p packet, b []byte) {
	size := 40 + int(binary.BigEndian.Uint16(b[4:]))
	if size == 40 || size > len(b) {
		size = len(b)
	}
	p.has |= hasIP6
	word := binary.BigEndian.Uint32(b)
	p.tos, p.label, p.ttl = byte(word>>20), word&0xfffff, b[7]
	p.total = binary.BigEndian.Uint16(b[4:])
	p.src, p.dst = [16]byte(b[8:24]), [16]byte(b[24:40])
	p.pad = b[size:]
	d.extensions(p, b[6], b[40:size])
}

// extensions steps over the headers between IPv6 and what it carries, and keeps
// their options.
func (d *dissector) extensions(p packet, next byte, b []byte) {
	for len(b) >= 8 {
		n := 8 + int(b[1])*8
		switch next {
		case 0, 43, 60, 135, 139, 140:
		case 51:
			n = 8 + int(b[1])*4
		case 44:
			p.protocol = b[0]
			id, where := binary.BigEndian.Uint32(b[4:]), binary.BigEndian.Uint16(b[2:])
			p.id, p.frag = uint16(id), where
			d.part(p, id, int(where&^7), where&1 != 0, b[8:])
			return
		default:
			p.protocol = next
			d.transport(p, b)
			return
		}
		n = min(n, len(b))
		p.options = append(p.options[:len(p.options):len(p.options)], b[2:n]...)
		next, b = b[0], b[n:]
	}
	p.protocol = next
	d.transport(p, b)
}

type fragmentKey struct {
	src, dst [16]byte
	protocol byte
	id       uint32
}

// fragments is one datagram as far as it has come.
type fragments struct {
	first  packet
	parts  []part
	held   int
	end    int // -1 before the last fragment
	filled bool
}

// part is some bytes of a stream.
type part struct {
	at   int64
	data []byte
}

// part takes a fragment, or a whole datagram.
func (d *dissector) part(p packet, id uint32, offset int, more bool, b []byte) {
	if offset == 0 && !more {
		d.transport(p, b)
		return
	}
	raw := p
	raw.fragment, raw.payload = true, b
	d.packets = append(d.packets, raw)
	key := fragmentKey{p.src, p.dst, p.protocol, id}
	f := d.fragments[key]
	if f == nil {
		f = &fragments{end: -1}
		d.fragments[key] = f
	}
	if offset == 0 || len(f.parts) == 0 {
		f.first = p
	}
	f.parts = append(f.parts, part{int64(offset), b})
	f.held += len(b)
	if !more {
		f.end = offset + len(b)
	}
	if f.end >= 0 && f.held >= f.end {
		d.whole(key, f)
	}
}

// whole goes on with a datagram that is complete, or with what there is of it.
func (d *dissector) whole(key fragmentKey, f *fragments) {
	delete(d.fragments, key)
	b, _ := assemble(f.parts)
	p := f.first
	p.protocol = key.protocol
	d.transport(p, b)
}

// rest goes on with datagrams that never became complete, in their order.
func (d *dissector) rest() {
	keys := slices.SortedFunc(maps.Keys(d.fragments), func(a, b fragmentKey) int {
		return d.fragments[a].first.off - d.fragments[b].first.off
	})
	for _, key := range keys {
		d.whole(key, d.fragments[key])
	}
}
