package record

import (
	"iter"
	"slices"
)

// gap parts streams that share a view: no alphabet has it.
const gap = "\n\x00\n"

// derive yields what the tables hold, the plausible first: columns as they
// stand, then in the order of their numbers, then turned each way, then by
// writer. It asks for a table when it has room for what that holds.
func derive(o *out, tables iter.Seq[*table], thorough bool) {
	var kept []*table
	for t := range tables {
		if t.trim(); len(t.cols) > 0 {
			kept = append(kept, t)
			giveJoined(o, t, thorough)
		}
		if o.over {
			return
		}
	}
	if !thorough || o.over {
		return
	}
	giveNumbers(o, kept)
	ranks := make([][]map[int]int, len(kept))
	for i, t := range kept {
		ranks[i] = orders(t)
	}
	giveSorted(o, kept, ranks)
	giveTurned(o, kept)
	giveReversed(o, kept, ranks)
	giveSortedTurned(o, kept, ranks)
	for _, t := range kept {
		giveWriters(o, t)
	}
}

func giveJoined(o *out, t *table, rows bool) {
	all := 0
	for _, c := range t.cols {
		n := c.size()
		if all += n; !o.fits(n) || !o.give(c[0].off, joined(c)) {
			return
		}
	}
	if rows && len(t.cols) > 1 && o.fits(all) && o.give(t.cols[0][0].off, across(t)) {
		o.give(t.cols[0][0].off, grid(t))
	}
}

// giveNumbers comes before what sorting makes of the same columns, which is more
// and would use up the allowance.
func giveNumbers(o *out, list []*table) {
	for _, t := range list {
		giveTurnsOf(o, t, nil, []func([][]byte) []byte{asNumbers})
	}
}

func giveSorted(o *out, list []*table, ranks [][]map[int]int) {
	for i, t := range list {
		for _, rank := range ranks[i] {
			for _, c := range t.cols {
				if !o.give(c[0].off, joined(c.ordered(rank))) {
					return
				}
			}
		}
	}
}

func giveSortedTurned(o *out, list []*table, ranks [][]map[int]int) {
	for i, t := range list {
		for _, rank := range ranks[i] {
			giveTurns(o, t, rank)
		}
	}
}

func giveTurned(o *out, list []*table) {
	for _, t := range list {
		giveTurns(o, t, nil)
	}
}

// giveTurns yields, for each way of turning a column into a stream, one view
// with all columns of the table.
func giveTurns(o *out, t *table, rank map[int]int) { giveTurnsOf(o, t, rank, turns()) }

func giveTurnsOf(o *out, t *table, rank map[int]int, ways []func([][]byte) []byte) {
	if o.over {
		return
	}
	cols := make([][][]byte, len(t.cols))
	for i, c := range t.cols {
		cols[i] = c.ordered(rank).values()
	}
	for _, turn := range ways {
		if o.over {
			return
		}
		var b []byte
		for _, vals := range cols {
			if s := turn(vals); len(s) >= shortest {
				b = append(append(b, s...), gap...)
			}
		}
		if !o.give(t.cols[0][0].off, b) {
			return
		}
	}
}

func giveReversed(o *out, list []*table, ranks [][]map[int]int) {
	for i, t := range list {
		for _, rank := range append(ranks[i], nil) {
			var b []byte
			for _, c := range t.cols {
				vals := c.ordered(rank).values()
				slices.Reverse(vals)
				b = append(append(b, join(vals)...), gap...)
			}
			if !o.give(t.cols[0][0].off, b) {
				return
			}
		}
	}
}

// across reads the table row by row, the constant columns left out.
func across(t *table) []byte {
	n := 0
	for _, c := range t.cols {
		n += len(c)
	}
	all := make(column, 0, n)
	for _, c := range t.cols {
		all = append(all, c...)
	}
	return joined(byRow(all))
}

// byRow sorts cells by row, and those of one row by where they stand: by counting,
// as there are hardly more rows than cells.
func byRow(all column) column {
	last := 0
	for _, c := range all {
		last = max(last, c.row)
	}
	from := make([]int, last+2) // of each row in what is sorted
	for _, c := range all {
		from[c.row+1]++
	}
	for r := range last {
		from[r+1] += from[r]
	}
	sorted := make(column, len(all))
	begin := slices.Clone(from)
	for _, c := range all {
		at := from[c.row]
		from[c.row]++
		for at > begin[c.row] && sorted[at-1].off > c.off {
			sorted[at] = sorted[at-1]
			at--
		}
		sorted[at] = c
	}
	return sorted
}

// ordered is the column by rank of its rows; rows without one are left out.
func (c column) ordered(rank map[int]int) column {
	if rank == nil {
		return c
	}
	kept := make(column, 0, len(c))
	for _, x := range c {
		if _, ok := rank[x.row]; ok {
			kept = append(kept, x)
		}
	}
	slices.SortStableFunc(kept, func(a, b cell) int { return rank[a.row] - rank[b.row] })
	return kept
}

func (c column) size() int {
	n := 0
	for i := range c {
		n += len(c[i].val)
	}
	return n
}

func joined(c column) []byte {
	b := make([]byte, 0, c.size())
	for i := range c {
		b = append(b, c[i].val...)
	}
	return b
}

func join(vals [][]byte) []byte {
	n := 0
	for _, v := range vals {
		n += len(v)
	}
	b := make([]byte, 0, n)
	for _, v := range vals {
		b = append(b, v...)
	}
	return b
}
