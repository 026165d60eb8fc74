package container

import (
	"encoding/binary"
	"math"
)

const (
	sqliteIndexInner = 2
	sqliteInner      = 5
	sqliteIndexLeaf  = 10
	sqliteLeaf       = 13
)

func (s *sqlite) read(w *work, n uint32) { s.readPage(w, n, s.pages[n]) }

// readPage reads the cells of a page of a tree (SQLite file format, 1.6).
func (s *sqlite) readPage(w *work, n uint32, p []byte) {
	head := 0
	if n == 1 && len(p) > 100 && p[0] == 'S' {
		head = 100
	}
	if len(p) < head+12 {
		return
	}
	kind, cells := p[head], int(binary.BigEndian.Uint16(p[head+3:]))
	at := head + 8
	switch kind {
	case sqliteInner, sqliteIndexInner:
		s.child(n, binary.BigEndian.Uint32(p[head+8:]))
		at += 4
	case sqliteLeaf, sqliteIndexLeaf:
	default:
		return
	}
	if s.tables[n] == nil {
		s.tables[n] = &columns{}
	}
	for ; cells > 0 && at+2 <= len(p) && w.charge(16); cells, at = cells-1, at+2 {
		if from := int(binary.BigEndian.Uint16(p[at:])); from+4 < len(p) {
			s.cell(n, kind, p[from:])
		}
	}
}

func (s *sqlite) child(parent, n uint32) {
	if n != parent && n > 1 {
		s.parent[n] = parent
	}
}

// cell reads one record, with its overflow.
func (s *sqlite) cell(n uint32, kind byte, b []byte) {
	if kind == sqliteInner || kind == sqliteIndexInner {
		s.child(n, binary.BigEndian.Uint32(b))
		b = b[4:]
	}
	if kind == sqliteInner {
		return
	}
	size, k := sqliteVarint(b)
	b = b[k:]
	rowid := uint64(0)
	most := (s.usable-12)*64/255 - 23
	if kind == sqliteLeaf {
		rowid, k = sqliteVarint(b)
		b = b[k:]
		most = s.usable - 35
	}
	t := s.tables[n]
	if size == 0 || size > 1<<31 || !t.next() {
		return
	}
	local := int(size)
	if local > most {
		least := (s.usable-12)*32/255 - 23
		if local = least + (int(size)-least)%(s.usable-4); local > most {
			local = least
		}
	}
	payload := b[:min(local, len(b))]
	if int(size) > local && local+4 <= len(b) {
		next := binary.BigEndian.Uint32(b[local:])
		payload = append(append([]byte{}, payload...), s.overflow(next, int(size)-local)...)
		s.broken[n] = true
	}
	if kind == sqliteLeaf {
		t.num(0, rowid)
	}
	sqliteRecord(t, payload)
}

// sqliteReals is the column for the whole part of the first column's reals.
const sqliteReals = 256

// sqliteRecord reads the types and then the values; the table's first column is
// the row's number.
func sqliteRecord(t *columns, b []byte) {
	size, k := sqliteVarint(b)
	if size > uint64(len(b)) || k == 0 || uint64(k) > size {
		return
	}
	types, values := b[k:size], b[size:]
	for col := 1; len(types) > 0 && col < sqliteReals; col++ {
		kind, k := sqliteVarint(types)
		if k == 0 {
			return
		}
		types = types[k:]
		n := 0
		switch {
		case kind >= 12:
			n = int(min((kind-12)/2, uint64(len(values))))
			t.text(col, values[:n])
		case kind >= 8:
			t.num(col, kind&1)
		case kind == 7:
			n = min(8, len(values))
			t.text(col, values[:n])
			if n == 8 {
				t.whole(sqliteReals+col, math.Float64frombits(binary.BigEndian.Uint64(values)))
			}
		case kind > 0:
			n = min([]int{0, 1, 2, 3, 4, 6, 8}[kind], len(values))
			v := uint64(0)
			for _, c := range values[:n] {
				v = v<<8 | uint64(c)
			}
			t.num(col, v)
		}
		values = values[n:]
	}
}

// sqliteVarint has seven bits a byte, most significant first, nine bytes at most.
func sqliteVarint(b []byte) (v uint64, n int) {
	for n < len(b) && n < 8 {
		v = v<<7 | uint64(b[n]&0x7f)
		n++
		if b[n-1] < 0x80 {
			return v, n
		}
	}
	if n == 8 && len(b) > 8 {
		return v<<8 | uint64(b[8]), 9
	}
	return 0, n
}
