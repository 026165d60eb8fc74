package capture

import (
	"encoding/binary"
	"math"
)

const sectionHeader = "\x0a\x0d\x0d\x0a"

// blocks reads the blocks of a pcapng capture (draft-ietf-opsawg-pcapng).
type blocks struct {
	order   binary.ByteOrder
	links   []uint32
	units   []float64 // ns of a tick, by interface
	options *flows[uint32]
	add     func(frame)
}

// readPcapng yields packets and, by kind of block and code, options.
func readPcapng(b []byte, options *flows[uint32], add func(frame)) (end int, whole bool) {
	r := blocks{options: options, add: add}
	at := 0
	for at+12 <= len(b) {
		if string(b[at:at+4]) == sectionHeader && !r.section(b[at:]) {
			break
		}
		if r.order == nil {
			break
		}
		n := int(r.order.Uint32(b[at+4:]))
		if n < 12 || n%4 != 0 {
			break
		}
		if n > len(b)-at {
			r.block(r.order.Uint32(b[at:]), b[at+8:], at+8)
			return len(b), false
		}
		r.block(r.order.Uint32(b[at:]), b[at+8:at+n-4], at+8)
		at += n
	}
	return at, true
}

// section takes the byte order, and forgets the interfaces.
func (r *blocks) section(b []byte) bool {
	r.order = nil
	for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
		if order.Uint32(b[8:]) == 0x1a2b3c4d {
			r.order = order
		}
	}
	r.links, r.units = nil, nil
	return r.order != nil
}

// block reads one kind: 1 interface, 2 old packet, 3 simple packet, 4 names, 5
// statistics, 6 packet, and what it does not know as it stands.
func (r *blocks) block(kind uint32, b []byte, off int) {
	fixed := map[uint32]int{0x0a0d0d0a: 16, 1: 8, 2: 20, 3: 4, 5: 12, 6: 20, 10: 8, 0xbad: 4, 0x40000bad: 4}
	n, known := fixed[kind]
	if !known || len(b) < n {
		r.options.add(kind<<16, b)
		return
	}
	switch kind {
	case 1:
		r.device(b)
	case 2, 6:
		r.packet(kind, b, off)
		return
	case 3:
		if size := int(r.order.Uint32(b)); len(r.links) > 0 {
			r.add(frame{link: r.links[0], off: off + 4, orig: size, data: b[4:min(len(b), 4+max(size, 0))]})
		}
		return
	case 10, 0xbad, 0x40000bad:
		r.options.add(kind<<16, b[n:])
		return
	}
	r.read(kind, b[n:])
}

func (r *blocks) device(b []byte) {
	unit := float64(1000)
	r.walk(b[8:], func(code uint16, s []byte) {
		if code != 9 || len(s) == 0 {
			return
		}
		if s[0]&0x80 != 0 {
			unit = 1e9 / math.Pow(2, float64(s[0]&0x7f))
		} else {
			unit = 1e9 / math.Pow(10, float64(s[0]))
		}
	})
	r.links = append(r.links, uint32(r.order.Uint16(b)))
	r.units = append(r.units, unit)
}

func (r *blocks) packet(kind uint32, b []byte, off int) {
	device := int(r.order.Uint32(b))
	if kind == 2 {
		device = int(r.order.Uint16(b))
	}
	size := int(r.order.Uint32(b[12:]))
	end := min(len(b), 20+size)
	ticks := uint64(r.order.Uint32(b[4:]))<<32 | uint64(r.order.Uint32(b[8:]))
	if device < len(r.links) {
		r.add(frame{
			link: r.links[device], off: off + 20, orig: int(r.order.Uint32(b[16:])), data: b[20:end],
			time: uint64(float64(ticks) * r.units[device]),
		})
	}
	r.read(kind, b[min(len(b), (end+3)&^3):])
}

func (r *blocks) read(kind uint32, b []byte) {
	r.walk(b, func(code uint16, s []byte) { r.options.add(kind<<16|uint32(code), s) })
}

func (r *blocks) walk(b []byte, add func(uint16, []byte)) {
	for len(b) >= 4 {
		code, n := r.order.Uint16(b), int(r.order.Uint16(b[2:]))
		if code == 0 || n > len(b)-4 {
			return
		}
		add(code, b[4:4+n])
		b = b[min(len(b), 4+(n+3)&^3):]
	}
}
