package capture

import "encoding/binary"

// hello is what the first message of a side holds (RFC 8446, 4.1).
type hello struct {
	random, session, suites []byte
	name                    []byte
	extensions              []extension
}

type extension struct {
	kind uint16
	data []byte
}

// openTLS reads records one after the other, or handshake messages alone.
func openTLS(b []byte, e *emitter) {
	hand, records := readRecords(b)
	if len(records) == 0 {
		if hand = b; !isHandshake(b) {
			return
		}
	}
	e.handshake(hand)
	lengths := make([]uint64, len(records))
	for i, r := range records {
		lengths[i] = uint64(len(r))
	}
	e.units(records)
	e.numbers(2, lengths)
}

func isHandshake(b []byte) bool {
	return len(b) > 42 && (b[0] == 1 || b[0] == 2) && b[1] == 0 && b[4] == 3 && b[5] <= 4 &&
		int(binary.BigEndian.Uint16(b[2:])) <= len(b)-4
}

// readRecords joins what the records of handshakes hold, and lists the others.
func readRecords(b []byte) (hand []byte, records [][]byte) {
	for at := 0; at+5 <= len(b); {
		n := int(binary.BigEndian.Uint16(b[at+3:]))
		if b[at] < 20 || b[at] > 24 || b[at+1] != 3 || b[at+2] > 4 || n > 1<<14+2048 {
			break
		}
		s := b[at+5 : min(len(b), at+5+n)]
		if b[at] == 22 {
			hand = append(hand, s...)
		}
		records = append(records, s)
		at += 5 + n
	}
	return hand, records
}

// handshake yields the fields of the hellos, and the certificates.
func (e *emitter) handshake(b []byte) {
	fields := newFlows[int]()
	extensions := newFlows[uint16]()
	var hosts []name
	for len(b) >= 4 {
		n := min(len(b), 4+int(binary.BigEndian.Uint32(b)&0xffffff))
		switch body := b[4:n]; b[0] {
		case 1, 2:
			h := readHello(body, b[0] == 1)
			fields.add(1, h.random)
			fields.add(2, h.session)
			fields.add(3, h.suites)
			if len(h.name) > 0 {
				hosts = append(hosts, labelsOf(h.name))
			}
			for _, x := range h.extensions {
				extensions.add(x.kind, x.data)
				fields.add(4, binary.BigEndian.AppendUint16(nil, x.kind))
			}
		case 11:
			e.certificates(body)
		default:
			fields.add(5, body)
		}
		b = b[n:]
	}
	for _, l := range append(fields.lists(), extensions.lists()...) {
		e.units(l)
	}
	e.suites(fields)
	if len(hosts) > 0 {
		e.names(hosts)
	}
}

// suites yields each list of numbers as their low bytes too.
func (e *emitter) suites(fields *flows[int]) {
	for i, key := range fields.keys {
		if key != 3 && key != 4 {
			continue
		}
		var v []uint64
		for _, s := range fields.list[i] {
			for k := 0; k+1 < len(s); k += 2 {
				v = append(v, uint64(binary.BigEndian.Uint16(s[k:])))
			}
		}
		e.numbers(2, v)
	}
}

func readHello(b []byte, client bool) (h hello) {
	if len(b) < 35 {
		return h
	}
	h.random = b[2:34]
	h.session, b = counted(b[34:], 1)
	if client {
		h.suites, b = counted(b, 2)
		_, b = counted(b, 1)
	} else if len(b) >= 3 {
		h.suites, b = b[:2], b[3:]
	}
	b, _ = counted(b, 2)
	walkOptions(b, func(kind uint16, s []byte) {
		h.extensions = append(h.extensions, extension{kind, s})
		if kind == 0 && len(s) > 5 {
			h.name, _ = counted(s[3:], 2)
		}
	})
	return h
}

// counted reads bytes behind their number, and gives the rest too.
func counted(b []byte, size int) (s, rest []byte) {
	if len(b) < size {
		return nil, nil
	}
	n := 0
	for _, c := range b[:size] {
		n = n<<8 | int(c)
	}
	end := min(len(b), size+n)
	return b[size:end], b[end:]
}

// certificates are a list of three-byte lengths, in TLS 1.3 behind a context.
func (e *emitter) certificates(b []byte) {
	if len(b) > 4 && b[0] == 0 && b[4] == 0 {
		if list, _ := counted(b[1:], 3); len(list) == len(b)-4 {
			b = b[1:]
		}
	}
	list, _ := counted(b, 3)
	for len(list) > 3 {
		var der []byte
		der, list = counted(list, 3)
		e.give(der)
	}
}

// tlsNames are the names that many streams ask for, one each.
func tlsNames(streams [][]byte) []name {
	var out []name
	for _, s := range streams {
		hand, _ := readRecords(s)
		if len(hand) > 4 && hand[0] == 1 {
			if h := readHello(hand[4:], true); len(h.name) > 0 {
				out = append(out, labelsOf(h.name))
			}
		}
	}
	return out
}
