package container

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"
	"strconv"

	"postern/observers/canary/layer"
)

const (
	rowsMax   = 1 << 20
	cellMax   = 64 << 10
	ordersMax = 6
	joinMax   = 1 << 20 // of a column: what is spread is small
	bulkyCell = 1 << 10 // bytes of a field, on average, from which it holds contents, not a share of something
	bulkyJoin = 64 << 10
)

// columns gathers the fields of records, so that a secret spread over records
// stands in one piece: by column, in the order of the file and of other columns.
type columns struct {
	rows  int
	cells []cell
	width int
}

type cell struct {
	row, col int
	text     []byte
	num      uint64
	isNum    bool
}

// next begins a record, and says no where there are too many.
func (c *columns) next() bool {
	c.rows++
	return c.rows < rowsMax
}

func (c *columns) text(col int, b []byte) {
	c.width = max(c.width, col+1)
	c.cells = append(c.cells, cell{row: c.rows, col: col, text: b[:min(len(b), cellMax)]})
}

func (c *columns) num(col int, v uint64) {
	c.width = max(c.width, col+1)
	c.cells = append(c.cells, cell{row: c.rows, col: col, num: v, isNum: true})
}

// whole is the part of a number before its point.
func (c *columns) whole(col int, v float64) {
	if v >= 0 && v < 1<<53 {
		c.num(col, uint64(v))
	}
}

// show yields each column. Texts of a single record are yielded only where they
// do not stand in the input.
func (c *columns) show(w *work, t layer.Technique, off int, standing bool) {
	byCol := make([][]cell, c.width)
	for _, x := range c.cells {
		byCol[x.col] = append(byCol[x.col], x)
	}
	for _, col := range byCol {
		showColumn(w, t, off, col, standing)
	}
	orders := 0
	for n, key := range byCol {
		order := orderOf(key)
		if order == nil || orders == ordersMax {
			continue
		}
		orders++
		for m, col := range byCol {
			if m != n && !w.done && !bulky(col) {
				showColumn(w, t, off, reordered(col, order), true)
			}
		}
	}
}

// bulky reports a column of contents that each stand in a piece of their own: once
// more in every order they would be most of what is searched.
func bulky(col []cell) bool {
	all := 0
	for _, x := range col {
		all += len(x.text)
	}
	return all > bulkyJoin && all > bulkyCell*len(col)
}

// orderOf is the place of each row when sorted by a column, or nil where it is
// sorted or cannot sort.
func orderOf(key []cell) map[int]int {
	if len(key) < 2 || len(key) > 1<<16 {
		return nil
	}
	less := func(a, b cell) int {
		return cmp.Or(cmp.Compare(a.num, b.num), natural(a.text, b.text))
	}
	if slices.IsSortedFunc(key, less) {
		return nil
	}
	sorted := slices.Clone(key)
	slices.SortStableFunc(sorted, less)
	order := make(map[int]int, len(sorted))
	for i, x := range sorted {
		if i > 0 && less(sorted[i-1], x) == 0 {
			return nil
		}
		order[x.row] = i
	}
	return order
}

// natural compares texts as people sort them: part2 before part10.
func natural(a, b []byte) int {
	for len(a) > 0 && len(b) > 0 {
		n, m := digits(a), digits(b)
		if n > 0 && m > 0 {
			x, y := bytes.TrimLeft(a[:n], "0"), bytes.TrimLeft(b[:m], "0")
			if c := cmp.Or(cmp.Compare(len(x), len(y)), bytes.Compare(x, y)); c != 0 {
				return c
			}
			a, b = a[n:], b[m:]
			continue
		}
		if a[0] != b[0] {
			return cmp.Compare(a[0], b[0])
		}
		a, b = a[1:], b[1:]
	}
	return cmp.Compare(len(a), len(b))
}

// digits is how many decimal digits b begins with.
func digits(b []byte) (n int) {
	for n < len(b) && b[n]-'0' < 10 {
		n++
	}
	return n
}

func reordered(col []cell, order map[int]int) []cell {
	col = slices.Clone(col)
	slices.SortStableFunc(col, func(a, b cell) int { return cmp.Compare(order[a.row], order[b.row]) })
	return col
}

// showColumn joins texts with and without line ends, and numbers as bytes, as
// digits and as a list.
func showColumn(w *work, t layer.Technique, off int, col []cell, standing bool) {
	var tight, lines []byte
	var nums []uint64
	for _, x := range col {
		if x.isNum {
			nums = append(nums, x.num)
			continue
		}
		if len(lines)+len(x.text) > joinMax {
			break
		}
		tight = append(tight, bytes.TrimRight(x.text, "\r\n")...)
		lines = append(append(lines, x.text...), '\n')
	}
	if n := len(col) - len(nums); n > 1 || n == 1 && !standing {
		w.view(t, off, tight)
		if n > 1 && !bulky(col) {
			w.view(t, off, lines)
		}
	}
	if len(nums) > 1 {
		showNumbers(w, t, off, nums)
	}
}

// showNumbers yields numbers in the least width that holds all, their last
// bytes, and decimal digits.
func showNumbers(w *work, t layer.Technique, off int, nums []uint64) {
	most := slices.Max(nums)
	if most == slices.Min(nums) {
		return
	}
	var low, wide, list []byte
	for _, v := range nums {
		low = append(low, byte(v))
		list = append(strconv.AppendUint(list, v, 10), '\n')
		switch full := binary.BigEndian.AppendUint64(nil, v); {
		case most < 1<<16:
			wide = append(wide, full[6:]...)
		case most < 1<<32:
			wide = append(wide, full[4:]...)
		default:
			wide = append(wide, full...)
		}
	}
	if most < 16 {
		showDigits(w, t, off, nums, most)
	}
	w.view(t, off, low)
	w.view(t, off, list)
	if most > 255 {
		w.view(t, off, wide)
	}
}

// showDigits yields numbers that are hexadecimal digits, or bits.
func showDigits(w *work, t layer.Technique, off int, nums []uint64, most uint64) {
	var hex, bits []byte
	for _, v := range nums {
		hex = strconv.AppendUint(hex, v, 16)
		bits = append(bits, byte(v))
	}
	w.view(t, off, hex)
	if most == 1 {
		w.view(t, off, packBitsMSB(bits))
		w.view(t, off, packBitsLSB(bits))
	}
}

// packBitsMSB packs the lowest bit of each byte, the first as the highest.
func packBitsMSB(b []byte) []byte {
	out := make([]byte, len(b)/8)
	for i := range len(out) * 8 {
		out[i/8] |= b[i] & 1 << (7 - i%8)
	}
	return out
}

// packBitsLSB packs the lowest bit of each byte, the first as the lowest.
func packBitsLSB(b []byte) []byte {
	out := make([]byte, len(b)/8)
	for i := range len(out) * 8 {
		out[i/8] |= b[i] & 1 << (i % 8)
	}
	return out
}
