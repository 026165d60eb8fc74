package record

// cell is one field of one record.
type cell struct {
	row int
	off int
	val []byte
}

// column is the same field over many records, in the order of the input.
type column []cell

// table is records of one kind. A record may lack a column.
type table struct{ cols []column }

// tables collects columns under keys, in the order in which the keys came.
type tables struct {
	at   map[uint64]int
	list []*table
}

func newTables() *tables { return &tables{at: map[uint64]int{}} }

func (t *tables) get(key uint64) *table {
	i, ok := t.at[key]
	if !ok {
		i = len(t.list)
		t.at[key] = i
		t.list = append(t.list, &table{})
	}
	return t.list[i]
}

// put appends to the n-th column.
func (t *table) put(n int, c cell) {
	for len(t.cols) <= n {
		t.cols = append(t.cols, nil)
	}
	t.cols[n] = append(t.cols[n], c)
}

// keyed is a table whose columns have keys instead of numbers.
type keyed struct {
	at map[uint64]int
	t  table
}

func newKeyed() *keyed { return &keyed{at: map[uint64]int{}} }

func (k *keyed) put(key uint64, c cell) {
	n, ok := k.at[key]
	if !ok {
		n = len(k.at)
		k.at[key] = n
	}
	k.t.put(n, c)
}

// varies reports whether the column says more than one thing.
func (c column) varies() bool {
	for i := 1; i < len(c); i++ {
		if string(c[i].val) != string(c[0].val) {
			return true
		}
	}
	return false
}

func (c column) values() [][]byte {
	vals := make([][]byte, len(c))
	for i := range c {
		vals[i] = c[i].val
	}
	return vals
}

// trim drops the columns that are the same in every record.
func (t *table) trim() {
	kept := t.cols[:0]
	for _, c := range t.cols {
		if len(c) > 1 && c.varies() {
			kept = append(kept, c)
		}
	}
	t.cols = kept
}

// hash mixes s into h (FNV-1a, 64 bits: RFC 9923); digits count as one sign
// where alike is set, so that part1 and part2 are one key.
func hash(h uint64, s []byte, alike bool) uint64 {
	for _, c := range s {
		if alike && '0' <= c && c <= '9' {
			c = '#'
		}
		h = (h ^ uint64(c)) * 1099511628211
	}
	return h
}

const hashSeed = 14695981039346656037
