package container

import (
	"encoding/binary"

	"postern/observers/canary/layer"
)

const Sqlite layer.Technique = "sqlite"

func databaseKinds() []kind {
	return []kind{
		{magic: "SQLite format 3\x00", open: openSqlite},
		{magic: "\x37\x7f\x06\x82", open: openSqliteLog},
		{magic: "\x37\x7f\x06\x83", open: openSqliteLog},
		{magic: "bplist00", open: openPlist},
	}
}

// sqlite is the pages of one database, by number from 1.
type sqlite struct {
	size   int // of a page
	usable int
	pages  map[uint32][]byte
	parent map[uint32]uint32
	tables map[uint32]*columns
	broken map[uint32]bool // a table with a value that no page holds in one piece
	steps  int             // that chains may still take
	used   map[uint32]bool // pages that a chain came by
}

// openSqlite shows the values of each column of each table, whatever the state
// of the tree: every page is read by itself.
func openSqlite(w *work, i int) int {
	b := w.b[i:]
	if len(b) < 100 {
		return i
	}
	size := int(binary.BigEndian.Uint16(b[16:]))
	if size == 1 {
		size = 65536
	}
	if size < 512 || size&(size-1) != 0 {
		return i
	}
	count := len(b) / size
	s := newSqlite(size, int(b[20]), count)
	for n := range count + 1 {
		if page := b[min(n*size, len(b)):min(n*size+size, len(b))]; len(page) > 0 {
			s.pages[uint32(n+1)] = page
		}
	}
	for n := range count + 1 {
		s.read(w, uint32(n+1))
	}
	w.charge(len(b))
	s.show(w, i)
	return i + 16
}

// openSqliteLog reads the pages of a write-ahead log; the last of each number
// serves the chains.
func openSqliteLog(w *work, i int) int {
	b := w.b[i:]
	if len(b) < 32+24+512 {
		return i
	}
	size := int(binary.BigEndian.Uint32(b[8:]))
	if size < 512 || size > 65536 || size&(size-1) != 0 {
		return i
	}
	s := newSqlite(size, 0, len(b)/size)
	var order [][2]int
	for at := 32; at+24 < len(b); at += 24 + size {
		n := binary.BigEndian.Uint32(b[at:])
		s.pages[n] = b[at+24 : min(at+24+size, len(b))]
		order = append(order, [2]int{int(n), at + 24})
	}
	for _, f := range order {
		page := b[f[1]:min(f[1]+size, len(b))]
		s.readPage(w, uint32(f[0]), page)
	}
	w.charge(len(b))
	s.show(w, i)
	return len(w.b)
}

func newSqlite(size, reserved, count int) *sqlite {
	return &sqlite{size: size, usable: max(size-reserved, 480), steps: 2*count + 16, pages: map[uint32][]byte{},
		parent: map[uint32]uint32{}, tables: map[uint32]*columns{}, broken: map[uint32]bool{}, used: map[uint32]bool{}}
}

func (s *sqlite) show(w *work, off int) {
	merged := map[uint32]*columns{}
	var roots []uint32
	for n := uint32(0); n <= uint32(len(s.pages))+1; n++ {
		t := s.tables[n]
		if t == nil {
			continue
		}
		root := s.root(n)
		if merged[root] == nil {
			merged[root] = &columns{}
			roots = append(roots, root)
		}
		m := merged[root]
		for _, x := range t.cells {
			x.row += m.rows
			m.cells = append(m.cells, x)
		}
		m.rows += t.rows
		m.width = max(m.width, t.width)
		s.broken[root] = s.broken[root] || s.broken[n]
	}
	for _, r := range roots {
		merged[r].show(w, Sqlite, off, !s.broken[r])
	}
	s.loose(w, off)
}

// root follows the parents, of which a broken file may make a ring.
func (s *sqlite) root(n uint32) uint32 {
	for range 20 {
		p, ok := s.parent[n]
		if !ok {
			return n
		}
		n = p
	}
	return n
}

// loose joins chains of pages that no value led to: what was deleted.
func (s *sqlite) loose(w *work, off int) {
	for n := uint32(2); n <= uint32(len(s.pages)) && !w.done; n++ {
		if s.used[n] || s.tables[n] != nil {
			continue
		}
		if chain := s.overflow(n, 1<<30); len(chain) > s.size {
			w.view(Sqlite, off, chain)
		}
	}
}

// overflow joins pages that begin with the number of the next.
func (s *sqlite) overflow(n uint32, size int) (out []byte) {
	for n != 0 && len(out) < size && s.steps > 0 {
		p := s.pages[n]
		if len(p) < 5 {
			break
		}
		s.steps--
		s.used[n] = true
		out = append(out, p[4:min(len(p), s.usable)]...)
		n = binary.BigEndian.Uint32(p)
	}
	return out[:min(len(out), size)]
}
