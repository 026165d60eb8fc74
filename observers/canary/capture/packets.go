package capture

import "encoding/binary"

// openPackets reads packets that stand one after the other without a capture's
// headers: IP, or Ethernet with IP in it.
func openPackets(b []byte, e *emitter) {
	if len(b) > 16*bytesMost {
		return
	}
	d := dissector{fragments: map[fragmentKey]*fragments{}}
	for at := 0; at < len(b); {
		link, n := packetAt(b[at:])
		if n == 0 {
			break
		}
		d.frame(frame{link: link, off: at, orig: n, data: b[at : at+n]})
		at += n
	}
	d.rest()
	e.capture(d.packets)
}

// packetAt is the size of the packet that starts here, if one does.
func packetAt(b []byte) (link uint32, n int) {
	if n := ipSize(b); n > 0 {
		return 101, n
	}
	if len(b) > 14 && (b[12] == 8 && b[13] == 0 || b[12] == 0x86 && b[13] == 0xdd) {
		if n := ipSize(b[14:]); n > 0 {
			n = max(14+n, min(60, len(b)))
			return 1, min(n, len(b))
		}
	}
	return 0, 0
}

// ipSize trusts the checksum of IPv4, and the length and the first header of
// IPv6.
func ipSize(b []byte) int {
	if len(b) < 20 {
		return 0
	}
	switch head := int(b[0]&15) * 4; {
	case b[0]>>4 == 4 && head >= 20 && head <= len(b):
		n := int(binary.BigEndian.Uint16(b[2:]))
		if n < head || n > len(b) || checksum(b[:head]) != 0xffff && (b[10] != 0 || b[11] != 0 || n != len(b)) {
			return 0
		}
		return n
	case b[0]>>4 == 6 && len(b) >= 40:
		n := 40 + int(binary.BigEndian.Uint16(b[4:]))
		switch b[6] {
		case 0, 6, 17, 43, 44, 58, 59, 60, 132:
			if n <= len(b) {
				return n
			}
		}
	}
	return 0
}

func checksum(b []byte) uint32 {
	sum := uint32(0)
	for i := 0; i+1 < len(b); i += 2 {
		sum += uint32(b[i])<<8 | uint32(b[i+1])
	}
	return sum&0xffff + sum>>16
}
