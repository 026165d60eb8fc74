package capture

import "encoding/binary"

// layers says which headers a packet has.
type layers uint16

const (
	hasMAC layers = 1 << iota
	hasVLAN
	hasIP4
	hasIP6
	hasTCP
	hasUDP
	hasICMP
	hasARP
	hasEcho
	hasTimes
	hasSCTP
)

const hasIP = hasIP4 | hasIP6

// packet is what the columns are made of: numbers, and slices of the capture.
type packet struct {
	has                   layers
	fragment              bool
	time, since           uint64 // and since the packet before, of any kind
	off                   int
	length, orig          int
	to, from              [6]byte
	vlan                  uint16
	protocol              byte
	src, dst              [16]byte
	ttl, tos              byte
	id, frag              uint16
	total                 uint16
	label                 uint32
	sport, dport          uint16
	seq, ack              uint32
	window, urgent        uint16
	check                 uint16
	flags                 uint16
	stamp, echoed         uint32
	kind, code            byte
	payload, options, pad []byte
}

// dissector takes frames apart.
type dissector struct {
	packets   []packet
	fragments map[fragmentKey]*fragments
	depth     int
}

const depthMost = 4 // tunnels within tunnels

// frame reads one by the type of its link (tcpdump.org/linktypes.html).
func (d *dissector) frame(f frame) {
	p := packet{time: f.time, off: f.off, length: len(f.data), orig: f.orig}
	switch b := f.data; f.link {
	case 1:
		d.ethernet(p, b)
	case 0, 108: // loopback, in either byte order
		d.family(p, b)
	case 12, 14, 101, 228, 229:
		d.ip(p, b)
	case 113:
		d.cooked(p, b, 16, 14, 6)
	case 276:
		d.cooked(p, b, 20, 0, 12)
	case 105:
		d.wireless(p, b)
	case 127: // with the radio's header
		if len(b) > 4 {
			d.wireless(p, b[min(len(b), int(binary.LittleEndian.Uint16(b[2:]))):])
		}
	case 189:
		d.bus(p, b, 48)
	case 220:
		d.bus(p, b, 64)
	default:
		d.other(p, b)
	}
}

func (d *dissector) other(p packet, b []byte) {
	p.payload = b
	d.packets = append(d.packets, p)
}

func (d *dissector) ethernet(p packet, b []byte) {
	if len(b) < 14 {
		d.other(p, b)
		return
	}
	p.has |= hasMAC
	copy(p.to[:], b)
	copy(p.from[:], b[6:])
	d.typed(p, binary.BigEndian.Uint16(b[12:]), b[14:])
}

func (d *dissector) family(p packet, b []byte) {
	if len(b) > 4 {
		d.ip(p, b[4:])
	}
}

// cooked has no Ethernet header but the address of the sender.
func (d *dissector) cooked(p packet, b []byte, size, protocol, address int) {
	if len(b) < size {
		d.other(p, b)
		return
	}
	p.has |= hasMAC
	copy(p.from[:], b[address:min(size, address+6)])
	d.typed(p, binary.BigEndian.Uint16(b[protocol:]), b[size:])
}

// typed goes on by an EtherType.
func (d *dissector) typed(p packet, kind uint16, b []byte) {
	for (kind == 0x8100 || kind == 0x88a8 || kind == 0x9100) && len(b) >= 4 {
		p.has |= hasVLAN
		p.vlan = binary.BigEndian.Uint16(b)
		kind, b = binary.BigEndian.Uint16(b[2:]), b[4:]
	}
	switch {
	case kind == 0x0800 || kind == 0x86dd:
		d.ip(p, b)
	case kind == 0x0806 && len(b) >= 28:
		d.arp(p, b)
	case (kind == 0x8847 || kind == 0x8848) && len(b) > 4:
		for len(b) > 4 && b[2]&1 == 0 {
			b = b[4:]
		}
		d.ip(p, b[4:])
	case kind == 0x8864 && len(b) > 8: // PPPoE
		d.ip(p, b[8:])
	default:
		d.other(p, b)
	}
}

func (d *dissector) arp(p packet, b []byte) {
	p.has |= hasARP
	p.kind = b[7]
	copy(p.from[:], b[8:14])
	copy(p.src[12:], b[14:18])
	copy(p.to[:], b[18:24])
	copy(p.dst[12:], b[24:28])
	p.pad = b[28:]
	d.packets = append(d.packets, p)
}
