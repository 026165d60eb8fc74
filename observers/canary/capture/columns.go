package capture

import (
	"encoding/binary"
	"slices"
)

// column is one field of a packet.
type column struct {
	need  layers // any of them
	width int
	get   func(p *packet) uint64
}

func columns() []column {
	return []column{
		{hasIP4, 2, func(p *packet) uint64 { return uint64(p.id) }},
		{hasTCP, 4, func(p *packet) uint64 { return uint64(p.seq) }},
		{hasIP, 1, func(p *packet) uint64 { return uint64(p.ttl) }},
		{hasIP, 1, func(p *packet) uint64 { return uint64(p.tos) }},
		{hasIP, 1, func(p *packet) uint64 { return uint64(p.tos >> 2) }},
		{hasTCP | hasUDP | hasSCTP, 2, func(p *packet) uint64 { return uint64(p.sport) }},
		{hasTCP | hasUDP | hasSCTP, 2, func(p *packet) uint64 { return uint64(p.dport) }},
		{hasTCP | hasSCTP, 4, func(p *packet) uint64 { return uint64(p.ack) }},
		{hasTCP | hasICMP, 2, func(p *packet) uint64 { return uint64(p.window) }},
		{hasTCP | hasICMP, 2, func(p *packet) uint64 { return uint64(p.urgent) }},
		{hasTCP, 2, func(p *packet) uint64 { return uint64(p.flags) }},
		{hasTimes, 4, func(p *packet) uint64 { return uint64(p.stamp) }},
		{hasTimes, 4, func(p *packet) uint64 { return uint64(p.echoed) }},
		{hasTCP | hasUDP | hasICMP, 2, func(p *packet) uint64 { return uint64(p.check) }},
		{hasIP6, 4, func(p *packet) uint64 { return uint64(p.label) }},
		{hasIP | hasARP, 4, func(p *packet) uint64 { return uint64(binary.BigEndian.Uint32(p.dst[12:])) }},
		{hasIP | hasARP, 4, func(p *packet) uint64 { return uint64(binary.BigEndian.Uint32(p.src[12:])) }},
		{hasIP6, 8, func(p *packet) uint64 { return binary.BigEndian.Uint64(p.dst[8:]) }},
		{hasIP6, 8, func(p *packet) uint64 { return binary.BigEndian.Uint64(p.src[8:]) }},
		{hasIP6, 8, func(p *packet) uint64 { return binary.BigEndian.Uint64(p.dst[:]) }},
		{hasMAC | hasARP, 6, func(p *packet) uint64 { return mac(p.from) }},
		{hasMAC | hasARP, 6, func(p *packet) uint64 { return mac(p.to) }},
		{hasVLAN, 2, func(p *packet) uint64 { return uint64(p.vlan & 0xfff) }},
		{hasVLAN, 1, func(p *packet) uint64 { return uint64(p.vlan >> 13) }},
		{hasIP, 2, func(p *packet) uint64 { return uint64(p.frag & 0x1fff) }},
		{hasIP, 1, func(p *packet) uint64 { return uint64(p.frag >> 13) }},
		{hasIP, 2, func(p *packet) uint64 { return uint64(p.total) }},
		{hasIP, 1, func(p *packet) uint64 { return uint64(p.protocol) }},
		{hasICMP | hasARP, 1, func(p *packet) uint64 { return uint64(p.kind) }},
		{hasICMP, 1, func(p *packet) uint64 { return uint64(p.code) }},
		{0, 2, func(p *packet) uint64 { return uint64(len(p.payload)) }},
		{0, 2, func(p *packet) uint64 { return uint64(p.length) }},
		{0, 2, func(p *packet) uint64 { return uint64(p.orig) }},
		{0, 4, func(p *packet) uint64 { return p.time / 1e3 % 1e6 }},
		{0, 4, func(p *packet) uint64 { return p.time % 1e9 }},
		{0, 4, func(p *packet) uint64 { return p.time / 1e9 }},
	}
}

func mac(a [6]byte) uint64 {
	return uint64(binary.BigEndian.Uint16(a[:]))<<32 | uint64(binary.BigEndian.Uint32(a[2:]))
}

// columns yields the fields over all packets, over those of one protocol, of
// those that open connections, of those between two hosts, to one port, and of
// one length.
func (e *emitter) columns(list []packet) {
	groups := newGroups()
	for i := range list {
		p := &list[i]
		if i > 0 && p.time > list[i-1].time {
			p.since = p.time - list[i-1].time
		}
		groups.add(way{}, p)
		groups.add(way{protocol: p.protocol, dport: 1}, p)
		groups.add(way{protocol: p.protocol, src: p.src, dst: p.dst}, p)
		groups.add(way{protocol: p.protocol, dst: p.dst, dport: p.dport, sport: 2}, p)
		groups.add(way{protocol: p.protocol, src: p.src, dport: 3}, p)
		groups.add(way{protocol: p.protocol, dport: p.dport, sport: 6}, p)
		groups.add(way{protocol: p.protocol, dport: uint16(len(p.payload)), sport: 7}, p)
		groups.add(p.way(), p)
		if p.has&hasTCP != 0 && p.flags&0x12 == 2 {
			groups.add(way{protocol: p.protocol, dport: 4}, p)
		}
		if p.has&hasARP != 0 {
			groups.add(way{dport: 5}, p)
		}
	}
	for _, g := range groups.list {
		if len(g) >= viewLeast {
			e.group(g)
		}
	}
}

// groups are like flows, of packets.
type groups struct {
	at   map[way]int
	list [][]*packet
}

func newGroups() *groups { return &groups{at: map[way]int{}} }

func (g *groups) add(key way, p *packet) {
	i, ok := g.at[key]
	if !ok {
		i = len(g.list)
		g.at[key] = i
		g.list = append(g.list, nil)
	}
	if len(g.list[i]) < unitsMost {
		g.list[i] = append(g.list[i], p)
	}
}

// group yields the columns of some packets in their order, and in that of each
// number that orders them.
func (e *emitter) group(list []*packet) {
	e.fields(list)
	for _, key := range []func(*packet) uint64{
		func(p *packet) uint64 { return uint64(p.id) },
		func(p *packet) uint64 { return uint64(p.urgent) },
		func(p *packet) uint64 { return uint64(p.sport) },
		func(p *packet) uint64 { return uint64(p.dport) },
		func(p *packet) uint64 { return uint64(p.seq) },
	} {
		sorted, ok := permutation(list, key)
		if ok && !slices.Equal(sorted, list) {
			e.payloads(sorted)
			e.fields(sorted)
		}
	}
	times, since := make([]uint64, len(list)), make([]uint64, 1, len(list)+1)
	for i, p := range list {
		times[i] = p.time
		since = append(since, since[i]+p.since)
	}
	e.intervals(times)
	e.intervals(since)
}

// payloads yields what packets carried in an order that is not theirs.
func (e *emitter) payloads(list []*packet) {
	var out [][]byte
	for _, p := range list {
		out = appendSome(out, p.payload)
	}
	if len(out) > 1 && total(out) <= bytesMost {
		e.join(out, "")
		e.stripped(out)
	}
}

func (e *emitter) fields(list []*packet) {
	v := make([]uint64, 0, len(list))
	for _, c := range columns() {
		v = v[:0]
		for _, p := range list {
			if c.need == 0 || p.has&c.need != 0 {
				v = append(v, c.get(p))
			}
		}
		if len(v) < viewLeast {
			continue
		}
		e.numbers(c.width, v)
		if c.width == 2 {
			e.rebased(v, 1024, 1025, 10000, 20000, 30000, 32768, 40000, 49152, 50000, 60000)
		}
	}
}
