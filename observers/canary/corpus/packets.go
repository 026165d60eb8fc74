package corpus

import (
	"encoding/binary"
)

// packet is a frame of a capture, with the fields that somebody might abuse.
type packet struct {
	src, dst [4]byte
	id       uint16
	ttl      byte
	protocol byte // 6, 17 or 1
	sport    uint16
	dport    uint16
	seq      uint32
	mac      []byte
	payload  []byte
	after    int // microseconds since the packet before
}

func (s *scene) packet(protocol byte, dport uint16, payload []byte) packet {
	return packet{
		src: [4]byte{10, 0, 0, 2}, dst: [4]byte{93, 184, 216, byte(1 + s.IntN(250))}, id: uint16(s.Uint32()), ttl: 64, protocol: protocol,
		sport: uint16(32768 + s.IntN(28000)), dport: dport, seq: s.Uint32(), payload: payload, after: 100 + s.IntN(90000),
	}
}

// bytes is the frame: Ethernet, IPv4, and what the protocol needs.
func (p packet) bytes() []byte {
	mac := p.mac
	if mac == nil {
		mac = []byte{2, 0x42, 10, 0, 0, 2}
	}
	frame := append(append([]byte{2, 0x42, 10, 0, 0, 1}, mac...), 8, 0)
	body := p.transport()
	ip := []byte{0x45, 0}
	ip = binary.BigEndian.AppendUint16(ip, uint16(20+len(body)))
	ip = binary.BigEndian.AppendUint16(ip, p.id)
	ip = append(ip, 0x40, 0, p.ttl, p.protocol, 0, 0)
	ip = append(append(ip, p.src[:]...), p.dst[:]...)
	binary.BigEndian.PutUint16(ip[10:], onesSum(ip))
	return append(append(frame, ip...), body...)
}

func (p packet) transport() []byte {
	ports := binary.BigEndian.AppendUint16(binary.BigEndian.AppendUint16(nil, p.sport), p.dport)
	switch p.protocol {
	case 17:
		ports = binary.BigEndian.AppendUint16(ports, uint16(8+len(p.payload)))
		return append(append(ports, 0, 0), p.payload...)
	case 1:
		return append([]byte{8, 0, 0, 0, byte(p.sport >> 8), byte(p.sport), 0, 1}, p.payload...)
	default:
		out := binary.BigEndian.AppendUint32(ports, p.seq)
		return append(append(out, 0, 0, 0, 1, 0x50, 0x18, 0xff, 0xff, 0, 0, 0, 0), p.payload...)
	}
}

func onesSum(b []byte) uint16 {
	var sum uint32
	for i := 0; i+1 < len(b); i += 2 {
		sum += uint32(b[i])<<8 | uint32(b[i+1])
	}
	for sum > 0xffff {
		sum = sum>>16 + sum&0xffff
	}
	return ^uint16(sum)
}

// capture is a pcap file.
func capture(packets []packet) []byte {
	out := header("\xd4\xc3\xb2\xa1", 4<<16|2, 0, 0, 65535, 1)
	clock := uint64(1772000000) * 1e6
	for _, p := range packets {
		clock += uint64(p.after)
		frame := p.bytes()
		out = append(append(out, header("", uint32(clock/1e6), uint32(clock%1e6), uint32(len(frame)), uint32(len(frame)))...), frame...)
	}
	return out
}

// captureNext is the newer format of the same.
func captureNext(packets []packet) []byte {
	out := header("", 0x0a0d0d0a, 28, 0x1a2b3c4d, 1, 0xffffffff, 0xffffffff, 28)
	out = append(out, header("", 1, 20, 1, 0, 20)...)
	for i, p := range packets {
		frame := p.bytes()
		size := len(frame)
		for len(frame)%4 != 0 {
			frame = append(frame, 0)
		}
		total := uint32(32 + len(frame))
		out = append(append(out, header("", 6, total, 0, 0x5f000, uint32(i*1000), uint32(size), uint32(size))...), frame...)
		out = append(out, header("", total)...)
	}
	return out
}

// flow cuts a stream into segments of one connection.
func (s *scene) flow(dport uint16, stream []byte, size int) []packet {
	first := s.packet(6, dport, nil)
	var out []packet
	for _, c := range chunks(string(stream), size) {
		p := first
		p.payload, p.after, p.id = []byte(c), 50+s.IntN(2000), p.id+uint16(len(out))
		out = append(out, p)
		first.seq += uint32(len(c))
	}
	return out
}

// amidTraffic puts other packets between some.
func (s *scene) amidTraffic(packets []packet) []packet {
	var out []packet
	for _, p := range packets {
		for range s.IntN(3) {
			out = append(out, s.packet(17, 123, s.noise(48)))
		}
		out = append(out, p)
	}
	return append(out, s.packet(6, 443, s.noise(200)))
}
