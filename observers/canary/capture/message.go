package capture

import "encoding/binary"

// message is a DNS message (RFC 1035, 4.1) as far as it can be read.
type message struct {
	head      [12]byte
	questions []question
	records   []record
	rest      []byte // after the last record
	size      int
}

type question struct {
	name        name
	kind, class uint16
}

type record struct {
	question
	ttl  uint32
	data []byte
	host name // in the data of the types that hold one
}

const (
	nameMost    = 128 // labels
	entriesMost = 512 // questions and records of a message
)

// parseMessage reads one message, and refuses what is unlikely to be one.
func parseMessage(b []byte) (*message, bool) {
	if len(b) < 17 {
		return nil, false
	}
	m := &message{head: [12]byte(b)}
	asked, others := m.counts()
	if b[2]>>3&15 > 6 || asked > 16 || others > entriesMost || asked+others == 0 {
		return nil, false
	}
	at := 12
	for range asked {
		q, next, ok := parseQuestion(b, at)
		if !ok {
			return nil, false
		}
		m.questions, at = append(m.questions, q), next
	}
	for range others {
		r, next, ok := parseRecord(b, at)
		if !ok {
			return nil, false
		}
		m.records, at = append(m.records, r), next
	}
	m.rest, m.size = b[at:], at
	return m, true
}

func (m *message) counts() (asked, others int) {
	n := func(k int) int { return int(binary.BigEndian.Uint16(m.head[k:])) }
	return n(4), n(6) + n(8) + n(10)
}

func (m *message) response() bool { return m.head[2]&0x80 != 0 }

func parseQuestion(b []byte, at int) (q question, next int, ok bool) {
	q.name, at, ok = parseName(b, at)
	if !ok || at+4 > len(b) {
		return q, 0, false
	}
	q.kind, q.class = binary.BigEndian.Uint16(b[at:]), binary.BigEndian.Uint16(b[at+2:])
	return q, at + 4, true
}

func parseRecord(b []byte, at int) (r record, next int, ok bool) {
	r.question, at, ok = parseQuestion(b, at)
	if !ok || at+6 > len(b) {
		return r, 0, false
	}
	r.ttl = binary.BigEndian.Uint32(b[at:])
	end := at + 6 + int(binary.BigEndian.Uint16(b[at+4:]))
	if end > len(b) {
		return r, 0, false
	}
	r.data = b[at+6 : end]
	if skip, has := hostAt(r.kind); has && skip < len(r.data) {
		r.host, _, _ = parseName(b[:end], at+6+skip)
	}
	return r, end, true
}

// hostAt says where in its data a type has a host name.
func hostAt(kind uint16) (skip int, has bool) {
	switch kind {
	case 2, 5, 6, 7, 8, 9, 12, 14, 39: // NS, CNAME, SOA, MB, MG, MR, PTR, MINFO, DNAME
		return 0, true
	case 15, 18, 21, 36, 64, 65: // MX, AFSDB, RT, KX, SVCB, HTTPS
		return 2, true
	case 33: // SRV
		return 6, true
	}
	return 0, false
}

// parseName follows pointers backwards only, so that it ends.
func parseName(b []byte, at int) (n name, next int, ok bool) {
	limit := at
	for at < len(b) && len(n) < nameMost {
		switch c := int(b[at]); {
		case c == 0:
			return n, max(next, at+1), true
		case c < 64:
			if at+1+c > len(b) {
				return nil, 0, false
			}
			n = append(n, b[at+1:at+1+c])
			at += 1 + c
			if next == 0 {
				limit = at
			}
		case c >= 0xc0 && at+1 < len(b):
			to := c&0x3f<<8 | int(b[at+1])
			if to >= limit {
				return nil, 0, false
			}
			if next == 0 {
				next = at + 2
			}
			at, limit = to, to
		default:
			return nil, 0, false
		}
	}
	return nil, 0, false
}
