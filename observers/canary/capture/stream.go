package capture

import "slices"

// assemble lays parts in order. Where two say different things of the same
// place the first one counts; the other reading comes second, or is nil.
func assemble(parts []part) (first, last []byte) {
	sorted := slices.Clone(parts)
	slices.SortStableFunc(sorted, func(a, b part) int { return int(min(1, max(-1, a.at-b.at))) })
	first, overlaps := lay(sorted)
	if overlaps {
		last = paint(parts, sorted[0].at)
	}
	if string(last) == string(first) {
		last = nil
	}
	return first, last
}

// paint lets later parts win, where they lie close enough together.
func paint(parts []part, from int64) []byte {
	span, held := int64(0), int64(0)
	for _, p := range parts {
		span = max(span, p.at-from+int64(len(p.data)))
		held += int64(len(p.data))
	}
	if span > 2*held {
		return nil
	}
	out, covered := make([]byte, span), make([]bool, span)
	for _, p := range parts {
		at := p.at - from
		copy(out[at:], p.data)
		for i := range p.data {
			covered[at+int64(i)] = true
		}
	}
	n := 0
	for i, c := range out {
		if covered[i] {
			out[n] = c
			n++
		}
	}
	return out[:n]
}

func lay(sorted []part) (out []byte, overlaps bool) {
	end := int64(0)
	for i, p := range sorted {
		if i == 0 {
			end = p.at
		}
		skip := max(0, end-p.at)
		overlaps = overlaps || skip > 0
		if skip < int64(len(p.data)) {
			out = append(out, p.data[skip:]...)
			end = p.at + int64(len(p.data))
		}
	}
	return out, overlaps
}

// way is one direction of one connection or of datagrams between two ports.
type way struct {
	protocol     byte
	src, dst     [16]byte
	sport, dport uint16
}

func (p *packet) way() way {
	return way{p.protocol, p.src, p.dst, p.sport, p.dport}
}

// stream is one direction of a TCP connection.
type stream struct {
	way   way
	off   int
	base  uint32
	begun bool // with a SYN
	parts []part
}

// streams puts segments to their streams, in the order in which these began.
func streams(list []packet) []*stream {
	open := map[way]*stream{}
	var all []*stream
	for i := range list {
		p := &list[i]
		if p.has&hasTCP == 0 {
			continue
		}
		s, syn := open[p.way()], p.flags&2 != 0
		if s == nil || syn && len(s.parts) > 0 && s.base != p.seq+1 {
			s = &stream{way: p.way(), off: p.off, base: p.seq}
			open[s.way] = s
			all = append(all, s)
		}
		seq := p.seq
		if syn {
			seq++
			s.base, s.begun = seq, true
		}
		if len(p.payload) > 0 {
			s.parts = append(s.parts, part{int64(int32(seq - s.base)), p.payload})
		}
	}
	return all
}
