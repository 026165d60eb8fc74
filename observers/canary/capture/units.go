package capture

import (
	"encoding/binary"
	"slices"
)

// units yields what messages of bytes hold together: joined, without their
// first or last bytes, in the order of a number that they bear, and the same
// bytes of each.
func (e *emitter) units(list [][]byte) {
	if len(list) == 0 || e.done {
		return
	}
	e.both(list)
	if len(list) == 1 || total(list) > bytesMost {
		return
	}
	once := unique(list)
	e.both(once)
	e.texts(once)
	e.sorted(once)
	e.stripped(once)
	e.spans(list)
}

// heads are how long the header of a message may be.
func heads() []int { return []int{1, 2, 3, 4, 5, 6, 8, 9, 10, 12, 16, 20, 24, 28, 32} }

// stripped leaves out a header, and a trailer that may be a checksum.
func (e *emitter) stripped(list [][]byte) {
	common := prefixOf(list)
	e.cut(list, common, 0)
	for _, h := range heads() {
		e.cut(list, h, 0)
		if h <= 4 && common > 0 {
			e.cut(list, common+h, 0)
		}
	}
	for _, t := range []int{1, 2, 4} {
		for _, h := range []int{0, 1, 2, 4, 8} {
			e.cut(list, h, t)
		}
	}
}

// cut joins what is left of each message between a header and a trailer.
func (e *emitter) cut(list [][]byte, head, tail int) {
	out := make([][]byte, 0, len(list))
	for _, s := range list {
		if len(s) > head+tail {
			out = append(out, s[head:len(s)-tail])
		}
	}
	if len(out) > 1 {
		e.join(out, "")
	}
}

func prefixOf(list [][]byte) int {
	n := len(list[0])
	for _, s := range list[1:] {
		n = min(n, len(s))
		for i := range n {
			if s[i] != list[0][i] {
				n = i
				break
			}
		}
	}
	return n
}

const (
	ordersMost  = 4  // that a list is put into
	numbersFrom = 24 // bytes of a message where its number may stand
)

// sorted looks for a number of the message: different in each, and of a range
// not much above their count.
func (e *emitter) sorted(list [][]byte) {
	shortest := len(list[0])
	for _, s := range list {
		shortest = min(shortest, len(s))
	}
	orders, numbersAt := 0, readers()
	for at := 0; at < min(shortest, numbersFrom) && orders < ordersMost; at++ {
		for _, read := range numbersAt {
			if at+read.width > shortest {
				continue
			}
			order, ok := permutation(list, func(s []byte) uint64 { return read.number(s[at:]) })
			if !ok {
				continue
			}
			orders++
			e.ordered(order, at, read.width)
			break
		}
	}
}

// reader is one way to write the number of a message.
type reader struct {
	width  int
	number func([]byte) uint64
}

func readers() []reader {
	return []reader{
		{1, func(b []byte) uint64 { return uint64(b[0]) }},
		{2, func(b []byte) uint64 { return uint64(binary.BigEndian.Uint16(b)) }},
		{2, func(b []byte) uint64 { return uint64(binary.LittleEndian.Uint16(b)) }},
		{4, func(b []byte) uint64 { return uint64(binary.BigEndian.Uint32(b)) }},
		{4, func(b []byte) uint64 { return uint64(binary.LittleEndian.Uint32(b)) }},
	}
}

func (e *emitter) ordered(list [][]byte, at, width int) {
	e.join(list, "")
	for _, h := range []int{0, 1, 2, 3, 4, 8, 12} {
		e.cut(list, at+width+h, 0)
	}
	for _, t := range []int{1, 2, 4} {
		e.cut(list, at+width, t)
	}
	if at > 0 {
		without := make([][]byte, 0, 2*len(list))
		for _, s := range list {
			without = append(without, s[:at], s[at+width:])
		}
		e.join(without, "")
	}
}

// permutation sorts by a number if that is different in each.
func permutation[T any](list []T, number func(T) uint64) ([]T, bool) {
	type keyed struct {
		key uint64
		s   T
	}
	all := make([]keyed, len(list))
	least, most := ^uint64(0), uint64(0)
	for i, s := range list {
		all[i] = keyed{number(s), s}
		least, most = min(least, all[i].key), max(most, all[i].key)
	}
	if most-least > uint64(16*len(list)+16) {
		return nil, false
	}
	slices.SortStableFunc(all, func(a, b keyed) int { return compare(a.key, b.key) })
	out := make([]T, len(all))
	for i, k := range all {
		if i > 0 && k.key == all[i-1].key {
			return nil, false
		}
		out[i] = k.s
	}
	return out, true
}

func compare(a, b uint64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

const spanMost = 96 // bytes of each message that are followed one by one

// spans yields each run of bytes that is not the same in all messages, each
// byte of it by itself, and the lengths of the messages.
func (e *emitter) spans(list [][]byte) {
	if len(list) > unitsMost {
		list = list[:unitsMost]
	}
	lengths := make([]uint64, len(list))
	shortest := spanMost
	for i, s := range list {
		lengths[i] = uint64(len(s))
		shortest = min(shortest, len(s))
	}
	e.numbers(2, lengths)
	from := 0
	for k := 0; k <= shortest; k++ {
		varies := k < shortest && variesAt(list, k)
		if varies {
			e.numbers(1, byteAt(list, k))
			continue
		}
		if k-from > 1 {
			e.slices(list, from, k)
		}
		from = k + 1
	}
	e.ends(list)
}

func variesAt(list [][]byte, k int) bool {
	for _, s := range list {
		if s[k] != list[0][k] {
			return true
		}
	}
	return false
}

func byteAt(list [][]byte, k int) []uint64 {
	out := make([]uint64, len(list))
	for i, s := range list {
		out[i] = uint64(s[k])
	}
	return out
}

// slices joins the bytes from..to of each message, and the aligned parts of
// them.
func (e *emitter) slices(list [][]byte, from, to int) {
	e.slice(list, from, to)
	for _, w := range []int{2, 4, 8, 16} {
		for k := (from + w - 1) / w * w; k+w <= to; k += w {
			e.slice(list, k, k+w)
		}
	}
}

func (e *emitter) slice(list [][]byte, from, to int) {
	out := make([][]byte, len(list))
	for i, s := range list {
		out[i] = s[from:to]
	}
	e.join(out, "")
}

// ends yields the last byte of each message.
func (e *emitter) ends(list [][]byte) {
	var out []byte
	for _, s := range list {
		if len(s) > 0 {
			out = append(out, s[len(s)-1])
		}
	}
	e.give(out)
}
