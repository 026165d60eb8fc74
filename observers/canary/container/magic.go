package container

// kind is one format that is known by bytes at some place in it.
type kind struct {
	magic  string // at least two bytes
	opaque bool   // nothing of interest stands between the magic and the end as it is
	// open is told where the magic is, and says up to where it has seen to
	// everything of its kind; not after i where it saw nothing.
	open func(w *work, i int) (end int)
}

// table finds all kinds in one pass, by a bit for every possible pair of bytes.
type table struct {
	bits  [1 << 10]uint64
	kinds []kind
	first [256][]int // kinds by the first byte of their magic
}

func newTable(kinds []kind) *table {
	t := &table{kinds: kinds}
	for n, k := range kinds {
		pair := uint(k.magic[0])<<8 | uint(k.magic[1])
		t.bits[pair>>6] |= 1 << (pair & 63)
		t.first[k.magic[0]] = append(t.first[k.magic[0]], n)
	}
	return t
}

// walk opens every kind wherever its magic stands.
func (t *table) walk(w *work) {
	b, past := w.b, []int(nil)
	for i := 0; i+1 < len(b) && !w.done; i++ {
		pair := uint(b[i])<<8 | uint(b[i+1])
		if t.bits[pair>>6]&(1<<(pair&63)) == 0 {
			continue
		}
		i = max(i, t.try(w, i, &past)-1)
	}
}

// try opens what begins at i; past has the end of each kind's last one.
func (t *table) try(w *work, i int, past *[]int) (next int) {
	for _, n := range t.first[w.b[i]] {
		k := &t.kinds[n]
		if len(w.b)-i < len(k.magic) || string(w.b[i:i+len(k.magic)]) != k.magic || len(*past) > 0 && i < (*past)[n] {
			continue
		}
		end := i
		w.guard(func() { end = k.open(w, i) })
		if end > i && len(*past) == 0 {
			*past = make([]int, len(t.kinds))
		}
		if end > i {
			(*past)[n] = end
		}
		if k.opaque {
			next = max(next, end)
		}
	}
	return next
}

// Begins reports whether bytes begin with the marks of a compression or an
// archive: of any other bytes, once in 30,000.
func Begins(b []byte) bool {
	if len(b) < headSize {
		return false
	}
	switch string(b[:4]) {
	case zipLocal, "\x28\xb5\x2f\xfd", "\x04\x22\x4d\x18", xzMagic[:4], "7z\xbc\xaf":
		return true
	}
	switch string(b[:2]) {
	case "\x1f\x8b":
		return gzipBody(b) > 0
	case "x\x01", "x\x5e", "x\x9c", "x\xda":
		return plausibleDeflate(b[2:])
	case "BZ":
		return string(b[4:headSize]) == "\x31\x41\x59\x26\x53\x59"
	}
	return false
}
