package capture

import (
	"bytes"
	"encoding/binary"
)

// wire writes captures. Every packet goes through tweak before its headers are
// put together.
type wire struct {
	bytes.Buffer
	clock uint64 // µs
	id    uint16
}

func newWire(link uint32) *wire {
	w := &wire{clock: 1_700_000_000_000_000}
	binary.Write(w, binary.LittleEndian, []uint32{0xa1b2c3d4, 0x00040002, 0, 0, 65535, link})
	return w
}

func (w *wire) frame(b []byte) {
	w.clock += 1000
	binary.Write(w, binary.LittleEndian, []uint32{uint32(w.clock / 1e6), uint32(w.clock % 1e6), uint32(len(b)), uint32(len(b))})
	w.Write(b)
}

// datagram is IPv4 with a transport, and what a case wants to set.
type datagram struct {
	src, dst     byte
	ttl, tos     byte
	id, frag     uint16
	protocol     byte
	options, pay []byte
}

func ip4(d datagram) []byte {
	b := []byte{byte(0x45 + len(d.options)/4), d.tos, 0, 0, 0, 0, 0, 0, d.ttl, d.protocol, 0, 0, 10, 0, 0, d.src, 10, 0, 1, d.dst}
	if d.ttl == 0 {
		b[8] = 64
	}
	binary.BigEndian.PutUint16(b[2:], uint16(20+len(d.options)+len(d.pay)))
	binary.BigEndian.PutUint16(b[4:], d.id)
	binary.BigEndian.PutUint16(b[6:], d.frag)
	b = append(append(b, d.options...), d.pay...)
	sum := checksum(b[:20+len(d.options)])
	sum = sum&0xffff + sum>>16
	binary.BigEndian.PutUint16(b[10:], ^uint16(sum))
	return b
}

func ethernet(kind uint16, b []byte) []byte {
	head := []byte{2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2}
	return append(binary.BigEndian.AppendUint16(head, kind), b...)
}

func udpBytes(sport, dport uint16, pay []byte) []byte {
	b := binary.BigEndian.AppendUint16(nil, sport)
	b = binary.BigEndian.AppendUint16(b, dport)
	b = binary.BigEndian.AppendUint16(b, uint16(8+len(pay)))
	return append(append(b, 0, 0), pay...)
}

type segment struct {
	sport, dport uint16
	seq, ack     uint32
	flags        byte
	window       uint16
	urgent       uint16
	pay          []byte
}

func tcpBytes(s segment) []byte {
	b := binary.BigEndian.AppendUint16(nil, s.sport)
	b = binary.BigEndian.AppendUint16(b, s.dport)
	b = binary.BigEndian.AppendUint32(b, s.seq)
	b = binary.BigEndian.AppendUint32(b, s.ack)
	b = append(b, 0x50, s.flags)
	b = binary.BigEndian.AppendUint16(b, s.window)
	b = binary.BigEndian.AppendUint16(b, 0)
	return append(binary.BigEndian.AppendUint16(b, s.urgent), s.pay...)
}

func echoBytes(id, seq uint16, pay []byte) []byte {
	b := binary.BigEndian.AppendUint16([]byte{8, 0, 0, 0}, id)
	return append(binary.BigEndian.AppendUint16(b, seq), pay...)
}

func (w *wire) ip(d datagram) {
	if d.id == 0 {
		w.id += 7
		d.id = 0x1234 + w.id
	}
	w.frame(ethernet(0x0800, ip4(d)))
}

func (w *wire) udp(sport, dport uint16, pay []byte) {
	w.ip(datagram{src: 1, dst: 2, protocol: 17, pay: udpBytes(sport, dport, pay)})
}

func (w *wire) tcp(s segment) {
	if s.sport == 0 {
		s.sport, s.dport = 40000, 80
	}
	w.ip(datagram{src: 1, dst: 2, protocol: 6, pay: tcpBytes(s)})
}

// captureOf builds one with a func.
func captureOf(build func(w *wire)) []byte {
	w := newWire(1)
	build(w)
	return w.Bytes()
}
