package capture

import (
	"bytes"
	"slices"
)

const (
	fieldsMost = 24 // of a row
	groupsMost = 16 // values of a field that parts the rows
)

// row is a name, a line or a message as its fields.
type row [][]byte

// rows yields the same field over rows that have equally many fields, and the
// first ones where they have not.
func (e *emitter) rows(list []row) {
	shapes := map[int][]row{}
	var order []int
	least := fieldsMost
	for _, r := range list {
		n := min(len(r), fieldsMost)
		if _, old := shapes[n]; !old {
			order = append(order, n)
		}
		shapes[n] = append(shapes[n], r[:n])
		least = min(least, n)
	}
	for _, n := range order {
		e.shape(shapes[n], true)
	}
	if len(order) > 1 && least > 0 {
		for _, right := range []bool{false, true} {
			e.shape(aligned(list, least, right), true)
		}
	}
}

// aligned keeps the first or last n fields; the last one holds what is over.
func aligned(list []row, n int, right bool) []row {
	out := make([]row, len(list))
	for i, r := range list {
		r = r[:min(len(r), fieldsMost)]
		over := len(r) - n
		if right {
			out[i] = append(row{bytes.Join(r[:over+1], nil)}, r[over+1:]...)
		} else {
			out[i] = append(slices.Clone(r[:n-1]), bytes.Join(r[n-1:], nil))
		}
	}
	return out
}

// shape follows rows of one shape, then parts them by a field with few values.
func (e *emitter) shape(list []row, part bool) {
	if len(list) < 2 || len(list[0]) == 0 || e.done {
		return
	}
	once := uniqueRows(list)
	columns := columnsOf(once)
	e.selected(columns, -1)
	if len(once) < len(list) {
		e.selected(columnsOf(list), -1)
	}
	if bulk(columns) > bytesMost {
		return
	}
	e.inOrder(once, columns)
	for _, c := range columnsOf(list) {
		e.words(c)
	}
	if part {
		e.parted(once, columns)
	}
}

func bulk(columns [][][]byte) int {
	n := 0
	for _, c := range columns {
		n += total(c)
	}
	return n
}

func uniqueRows(list []row) []row {
	seen := make(map[string]struct{}, len(list))
	var out []row
	for _, r := range list {
		key := string(bytes.Join(r, []byte{0}))
		if _, old := seen[key]; !old {
			seen[key] = struct{}{}
			out = append(out, r)
		}
	}
	return out
}

func columnsOf(list []row) [][][]byte {
	out := make([][][]byte, len(list[0]))
	for q := range out {
		out[q] = make([][]byte, len(list))
		for i, r := range list {
			out[q][i] = r[q]
		}
	}
	return out
}

// selected yields each column, and those that vary together, without the one
// that numbers the rows.
func (e *emitter) selected(columns [][][]byte, key int) {
	var varying [][][]byte
	for q, c := range columns {
		if q == key || constant(c) {
			continue
		}
		varying = append(varying, c)
		e.both(c)
		e.trimmed(c)
		if key < 0 {
			e.join(c, "\n")
			e.decoded(c)
		}
	}
	if len(varying) < 2 {
		return
	}
	rows := make([][]byte, len(varying[0]))
	for i := range rows {
		for _, c := range varying {
			rows[i] = append(rows[i], c[i]...)
		}
	}
	e.both(rows)
	if key < 0 {
		e.decoded(rows)
	}
}

// trimmed joins what the cells do not share at either end.
func (e *emitter) trimmed(c [][]byte) {
	before := prefixOf(c)
	after := suffixOf(c, before)
	if before+after == 0 {
		return
	}
	out := make([][]byte, len(c))
	for i, s := range c {
		out[i] = s[before : len(s)-after]
	}
	e.join(out, "")
	if before > 0 && after > 0 {
		e.cut(c, before, 0)
	}
}

// inOrder puts the rows into the order of each field that numbers them, and of
// numbers at the start or end of a field.
func (e *emitter) inOrder(list []row, columns [][][]byte) {
	orders := 0
	for q, c := range columns {
		if orders >= ordersMost || constant(c) {
			continue
		}
		if index, ok := sequence(c, false); ok {
			orders++
			sorted := arrange(columns, index)
			e.selected(sorted, q)
			for p, s := range sorted {
				if p != q && !constant(s) {
					e.decoded(s)
				}
			}
			continue
		}
		e.affixed(c)
	}
}

// arrange puts every column into an order.
func arrange(columns [][][]byte, index []int) [][][]byte {
	out := make([][][]byte, len(columns))
	for q, c := range columns {
		out[q] = make([][]byte, len(c))
		for i, k := range index {
			out[q][i] = c[k]
		}
	}
	return out
}

// affixed orders by a number of fixed width at either end of a field.
func (e *emitter) affixed(c [][]byte) {
	for width := 1; width <= 4; width++ {
		for _, end := range []bool{false, true} {
			keys, rest, ok := split(c, width, end)
			if !ok {
				continue
			}
			if index, ok := sequence(keys, true); ok {
				sorted := arrange([][][]byte{rest}, index)[0]
				e.both(sorted)
				e.decoded(sorted)
			}
		}
	}
}

func split(c [][]byte, width int, end bool) (keys, rest [][]byte, ok bool) {
	for _, s := range c {
		if len(s) <= width {
			return nil, nil, false
		}
		at := width
		if end {
			at = len(s) - width
		}
		k, r := s[:at], s[at:]
		if end {
			k, r = r, k
		}
		keys, rest = append(keys, k), append(rest, r)
	}
	return keys, rest, true
}

// parted follows the rows with one value of a field by themselves.
func (e *emitter) parted(list []row, columns [][][]byte) {
	for q, c := range columns {
		values := unique(c)
		if len(values) < 2 || len(values) > groupsMost || len(values) > len(c)/2 {
			continue
		}
		for _, v := range values {
			var some []row
			for _, r := range list {
				if string(r[q]) == string(v) {
					some = append(some, r)
				}
			}
			e.shape(some, false)
		}
	}
}
