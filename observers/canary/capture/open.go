package capture

import (
	"bytes"
	"slices"
)

// isCapture says whether the stage of captures takes the bytes.
func isCapture(b []byte) bool {
	_, _, _, ok := magicOf(b)
	return ok || len(b) >= 28 && string(b[:4]) == sectionHeader && isSection(b)
}

func isSection(b []byte) bool {
	return len(b) >= 28 && (string(b[8:12]) == "\x1a\x2b\x3c\x4d" || string(b[8:12]) == "\x4d\x3c\x2b\x1a")
}

// openCapture reads captures at the start and, by their magic, further in.
func openCapture(b []byte, e *emitter) {
	for at := nextCapture(b, 0); at >= 0 && !e.done; {
		d := dissector{fragments: map[fragmentKey]*fragments{}}
		options := newFlows[uint32]()
		read, add := readPcap, func(f frame) {
			f.off += at
			d.frame(f)
		}
		end, whole := 0, false
		if string(b[at:at+4]) == sectionHeader {
			end, whole = readPcapng(b[at:], options, add)
		} else {
			end, whole = read(b[at:], add)
		}
		if d.rest(); !whole && len(d.packets) > 0 {
			e.room.Spend()
		}
		e.capture(d.packets)
		for _, list := range options.lists() {
			e.units(list)
		}
		at = nextCapture(b, at+max(end, 4))
	}
}

// nextCapture finds the next magic. All of little-endian captures end in the
// same two bytes, before a version of 2; all of the others begin with two.
func nextCapture(b []byte, from int) int {
	best := -1
	for _, sign := range []struct {
		bytes string
		at    int
	}{{"\xb2\xa1\x02\x00", 2}, {"\xa1\xb2", 0}, {sectionHeader, 0}} {
		end := len(b)
		if best >= 0 { // only what stands before the best one
			end = min(end, best+4)
		}
		for i := from; i < end; {
			n := bytes.Index(b[i:end], []byte(sign.bytes))
			if n < 0 {
				break
			}
			at := i + n - sign.at
			if at >= from && isCapture(b[at:]) {
				best = at
				break
			}
			i += n + 1
		}
	}
	return best
}

// capture yields streams and payloads, then what they carry that needs the
// bounds of packets, then the columns.
func (e *emitter) capture(list []packet) {
	if len(list) == 0 {
		return
	}
	e.at(list[0].off)
	inTime := slices.IsSortedFunc(list, byTime)
	e.streams(list)
	e.datagrams(list)
	if !inTime {
		sorted := slices.Clone(list)
		slices.SortStableFunc(sorted, byTime)
		e.datagrams(sorted)
		defer e.columns(sorted)
	}
	e.columns(list)
}

func byTime(a, b packet) int { return compare(a.time, b.time) }

// streams yields each stream, then those to the same port together, which are
// often one each.
func (e *emitter) streams(list []packet) {
	together := newFlows[way]()
	for _, s := range streams(list) {
		first, last := assemble(s.parts)
		e.at(s.off).give(first)
		e.give(last)
		to, from := s.way, s.way
		to.sport, to.src, from.dport, from.dst = 0, [16]byte{}, 0, [16]byte{}
		together.add(to, first)
		together.add(from, first)
		together.add(way{protocol: 6, sport: to.dport}, first)
	}
	e.at(list[0].off)
	for _, l := range together.lists() {
		e.units(l)
		if n := total(l); n <= bytesMost && len(l) > 1 {
			e.names(e.pointers(tlsNames(l)))
		}
	}
}

// datagrams yields the payloads of each flow, of those between two hosts, of
// those to one port, and of all packets.
func (e *emitter) datagrams(list []packet) {
	ways, hosts, ports, pads := newFlows[way](), newFlows[way](), newFlows[way](), newFlows[int]()
	var messages []*message
	for i := range list {
		p := &list[i]
		pads.add(0, p.pad)
		pads.add(1, p.options)
		if p.fragment {
			pads.add(2, p.payload)
			continue
		}
		ways.add(p.way(), p.payload)
		hosts.add(way{protocol: p.protocol, src: p.src, dst: p.dst}, p.payload)
		ports.add(way{protocol: p.protocol, dport: p.dport}, p.payload)
		ports.add(way{protocol: p.protocol, sport: p.sport}, p.payload)
		ports.add(way{}, p.payload)
		if p.has&hasUDP != 0 {
			if m, ok := parseMessage(p.payload); ok {
				messages = append(messages, m)
			}
		}
	}
	e.messages(messages)
	for _, f := range []*flows[way]{ways, hosts, ports} {
		for _, l := range f.lists() {
			e.units(l)
		}
	}
	for _, l := range pads.lists() {
		e.units(l)
	}
}
