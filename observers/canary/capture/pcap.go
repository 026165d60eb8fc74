package capture

import (
	"encoding/binary"
	"time"
)

// frame is one packet as a capture holds it.
type frame struct {
	link uint32
	time uint64 // ns
	orig int
	off  int
	data []byte
}

// magicOf knows the first four bytes of a capture (pcap of either order and
// unit, with Kuznetzov's longer headers too).
func magicOf(b []byte) (order binary.ByteOrder, nano, long, ok bool) {
	if len(b) < 24 {
		return nil, false, false, false
	}
	for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
		m := order.Uint32(b)
		if major := order.Uint16(b[4:]); major != 2 {
			continue
		}
		switch m {
		case 0xa1b2c3d4, 0xa1b23c4d, 0xa1b2cd34:
			return order, m == 0xa1b23c4d, m == 0xa1b2cd34, true
		}
	}
	return nil, false, false, false
}

const frameMost = 1 << 20

// readPcap yields the packets of a capture that starts at b, and how far it
// goes. Whole is false where it is cut off.
func readPcap(b []byte, add func(frame)) (end int, whole bool) {
	order, nano, long, ok := magicOf(b)
	if !ok {
		return 0, true
	}
	head, unit := 16, uint64(time.Microsecond)
	if long {
		head = 24
	}
	if nano {
		unit = 1
	}
	link := order.Uint32(b[20:]) & 0xffff
	at := 24
	for at+head <= len(b) {
		n := int(order.Uint32(b[at+8:]))
		if n > frameMost {
			return at, true
		}
		stop := min(len(b), at+head+n)
		add(frame{
			link: link, off: at + head, data: b[at+head : stop], orig: int(order.Uint32(b[at+12:])),
			time: uint64(order.Uint32(b[at:]))*1e9 + uint64(order.Uint32(b[at+4:]))*unit,
		})
		if at += head + n; at > len(b) {
			return len(b), false
		}
	}
	return at, true
}
