package capture

import (
	"bytes"
	"encoding/binary"
	"slices"
)

// openMessages finds DNS messages: alone, one after the other, behind a length
// as over TCP, or anywhere behind the header of a question.
func openMessages(b []byte, e *emitter) {
	if isCapture(b) {
		return
	}
	for _, prefix := range []int{0, 2} {
		if list := chain(b, prefix); len(list) > 0 {
			e.messages(list)
			return
		}
	}
	var list []*message
	for at := 0; ; {
		i := bytes.Index(b[at:], []byte("\x00\x01\x00\x00\x00\x00\x00")) // one question, nothing else yet
		if i < 0 {
			break
		}
		from := at + i - 4
		at += i + 1
		if from < 0 {
			continue
		}
		if m, ok := parseMessage(b[from:min(len(b), from+1<<16)]); ok && len(m.questions[0].name) > 1 {
			list = append(list, m)
			at = max(at, from+m.size)
		}
	}
	e.messages(list)
}

// chain reads messages that fill the bytes; what follows the last one is left
// to it.
func chain(b []byte, prefix int) []*message {
	var list []*message
	for at := 0; at+prefix+17 <= len(b); {
		size := min(len(b)-at, 1<<16)
		if prefix == 2 {
			size = int(binary.BigEndian.Uint16(b[at:]))
		}
		if size > len(b)-at-prefix {
			break
		}
		m, ok := parseMessage(b[at+prefix : at+prefix+size])
		if !ok {
			break
		}
		list = append(list, m)
		if prefix == 0 {
			size = m.size
		}
		at += prefix + size
	}
	if prefix == 0 {
		for i := range max(0, len(list)-1) {
			list[i].rest = nil
		}
	}
	return list
}

// messages yields what the questions carry, then the answers, then the fields
// of all.
func (e *emitter) messages(list []*message) {
	if len(list) == 0 {
		return
	}
	var asked, answered []*message
	for _, m := range list {
		if m.response() {
			answered = append(answered, m)
		} else {
			asked = append(asked, m)
		}
	}
	for _, some := range [][]*message{asked, answered} {
		e.named(some)
		sorted, ok := permutation(some, func(m *message) uint64 { return uint64(binary.BigEndian.Uint16(m.head[:])) })
		if ok && !slices.Equal(sorted, some) {
			e.named(sorted)
		}
	}
	for _, some := range [][]*message{asked, answered, list} {
		e.data(some)
		e.headers(some)
	}
}

// named yields the names of questions, of owners and of data.
func (e *emitter) named(list []*message) {
	var names, owners, hosts []name
	for _, m := range list {
		for _, q := range m.questions {
			names = append(names, q.name)
		}
		for _, r := range m.records {
			if len(r.name) > 0 {
				owners = append(owners, r.name)
			}
			if len(r.host) > 0 {
				hosts = append(hosts, r.host)
			}
		}
	}
	for _, some := range [][]name{names, hosts, owners} {
		some = slices.DeleteFunc(some, func(n name) bool { return len(n) == 0 })
		if len(some) > 0 {
			e.names(e.pointers(some))
		}
	}
}

// data yields the data of records type by type, each also with the number that
// a name gives it, the options of EDNS, and what follows the messages.
func (e *emitter) data(list []*message) {
	cells := newFlows[uint16]()
	options := newFlows[uint16]()
	var named []row
	var rest [][]byte
	for _, m := range list {
		rest = appendSome(rest, m.rest)
		for _, r := range m.records {
			if r.kind == 41 {
				walkOptions(r.data, options.add)
				continue
			}
			d := content(r)
			cells.add(r.kind, d)
			cells.add(0, d)
			if len(r.host) > 0 {
				cells.add(r.kind|1<<15, r.data)
			}
			if len(r.name) > 0 {
				named = append(named, append(slices.Clone(row(r.name[:1])), d))
			}
		}
	}
	e.units(rest)
	for _, some := range append(cells.lists(), options.lists()...) {
		e.units(some)
		e.decoded(some)
	}
	e.rows(named)
}

// content is what a record says, without the lengths of strings.
func content(r record) []byte {
	switch r.kind {
	case 16, 99, 13, 19, 20: // TXT, SPF, HINFO, X25, ISDN
		return strings8(r.data)
	case 257: // CAA
		if len(r.data) > 2 && 2+int(r.data[1]) < len(r.data) {
			return r.data[2+int(r.data[1]):]
		}
	case 64, 65: // SVCB, HTTPS
		return parameters(r)
	}
	if len(r.host) > 0 && r.kind != 33 && r.kind != 15 {
		return bytes.Join(r.host, nil)
	}
	return r.data
}

// parameters are the values of a service binding (RFC 9460, 2.2).
func parameters(r record) []byte {
	at := 3
	for _, l := range r.host {
		at += len(l) + 1
	}
	var out []byte
	walkOptions(r.data[min(at, len(r.data)):], func(_ uint16, s []byte) { out = append(out, s...) })
	return out
}

func strings8(b []byte) []byte {
	var out []byte
	for at := 0; at < len(b); {
		end := min(len(b), at+1+int(b[at]))
		out = append(out, b[at+1:end]...)
		at = end
	}
	return out
}

// walkOptions reads codes and lengths of two bytes each.
func walkOptions(b []byte, add func(uint16, []byte)) {
	for len(b) >= 4 {
		n := min(len(b), 4+int(binary.BigEndian.Uint16(b[2:])))
		add(binary.BigEndian.Uint16(b), b[4:n])
		b = b[n:]
	}
}

// headers yields the numbers in headers, questions and records as columns.
func (e *emitter) headers(list []*message) {
	var kinds, classes, ttls, rkinds, rclasses, sizes, last []uint64
	heads := make([][]byte, len(list))
	for i, m := range list {
		heads[i] = m.head[:]
		sizes = append(sizes, uint64(m.size))
		for _, q := range m.questions {
			kinds, classes = append(kinds, uint64(q.kind)), append(classes, uint64(q.class))
		}
		for _, r := range m.records {
			ttls = append(ttls, uint64(r.ttl))
			rkinds, rclasses = append(rkinds, uint64(r.kind)), append(rclasses, uint64(r.class))
			if n := len(r.data); n > 0 {
				last = append(last, uint64(r.data[n-1]))
			}
		}
	}
	e.numbers(4, ttls)
	e.numbers(2, kinds)
	e.numbers(2, classes)
	e.numbers(2, rkinds)
	e.numbers(2, rclasses)
	e.numbers(2, sizes)
	e.numbers(1, last)
	e.flags(heads)
}

// flags yields the id, each bit of the flags, and the counts.
func (e *emitter) flags(heads [][]byte) {
	if len(heads) < viewLeast {
		return
	}
	e.spans(heads)
	for bit := range 16 {
		out := make([]bool, len(heads))
		for i, h := range heads {
			out[i] = binary.BigEndian.Uint16(h[2:])>>bit&1 == 1
		}
		e.bits(out)
	}
}
