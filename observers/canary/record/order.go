package record

import (
	"bytes"
	"cmp"
	"slices"
)

const (
	ordersMost  = 5  // ways to order one table
	ordersTried = 32 // columns that are looked at for one
)

// orders are the ranks of rows by each column that can be a sequence: nearly
// one value a row, and not yet in order. Closely numbered columns come first.
// A row that repeats a rank is a retransmission, and is left out.
func orders(t *table) []map[int]int {
	var near, wide []map[int]int
	for _, c := range t.cols[:min(len(t.cols), ordersTried)] {
		for _, keys := range sequences(c) {
			rank := ranks(c, keys)
			switch {
			case rank == nil:
			case dense(keys):
				near = append(near, rank)
			default:
				wide = append(wide, rank)
			}
		}
	}
	all := append(near, wide...)
	return all[:min(len(all), ordersMost)]
}

// sequences reads the column as numbers: in one way where it is plain numbers,
// else in each way that fits. No keys mean that the bytes themselves are the
// order, which plain words are not.
func sequences(c column) [][]uint64 {
	vals := c.values()
	for _, read := range []func([]byte) (uint64, bool){decimal, hexadecimal} {
		if keys := readAll(vals, read); keys != nil {
			return [][]uint64{keys}
		}
	}
	var all [][]uint64
	for _, read := range []func([]byte) (uint64, bool){roman, ordinal} {
		if keys := readAll(vals, read); keys != nil {
			all = append(all, keys)
		}
	}
	for _, v := range vals {
		if len(v) > 2 && !bytes.ContainsAny(v, digits[:10]) {
			return all
		}
	}
	return append(all, nil)
}

// dense reports whether the keys are close together.
func dense(keys []uint64) bool {
	return keys != nil && slices.Max(keys)-slices.Min(keys) < 3*uint64(len(keys))+8
}

// ranks orders the rows of c, or is nil where c is no sequence or in order.
func ranks(c column, keys []uint64) map[int]int {
	n := len(c)
	at := make([]int, n)
	for i := range at {
		at[i] = i
	}
	compare := func(a, b int) int {
		if keys != nil {
			return cmp.Compare(keys[a], keys[b])
		}
		return bytes.Compare(c[a].val, c[b].val)
	}
	if slices.IsSortedFunc(at, func(a, b int) int { return stricter(compare(a, b)) }) {
		return nil
	}
	slices.SortStableFunc(at, compare)
	rank := make(map[int]int, n)
	for i, k := range at {
		if i > 0 && compare(at[i-1], k) == 0 {
			continue
		}
		rank[c[k].row] = i
	}
	if 2*len(rank) < n || len(rank) < 2 {
		return nil
	}
	return rank
}

// stricter makes equal neighbours count as disorder.
func stricter(c int) int {
	if c == 0 {
		return 1
	}
	return c
}

// readAll reads every value, or none.
func readAll(vals [][]byte, read func([]byte) (uint64, bool)) []uint64 {
	keys := make([]uint64, len(vals))
	for i, v := range vals {
		k, ok := read(v)
		if !ok {
			return nil
		}
		keys[i] = k
	}
	if len(keys) == 0 {
		return nil
	}
	return keys
}
