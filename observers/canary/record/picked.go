package record

import (
	"math/bits"

	"postern/observers/canary/layer"
)

const pickedFewest = 16 // hexadecimal digits in a row, n bytes apart

// openPicked finds rows of hexadecimal digits that stand n bytes apart in
// anything: sixty-four places at a time, on a map of where such digits are.
func openPicked(b []byte, room *layer.Room, yield func(layer.View) bool) {
	if len(b) < 2*pickedFewest || len(b) > 64*large {
		return
	}
	o := newOut("picked", len(b), room, yield)
	most := strideMost
	if len(b) > large {
		most = 16
	}
	for w := range windows(b) {
		is := digitMap(w.s)
		if is.count()*8 > len(w.s)*5 {
			continue
		}
		for n := 2; n <= most && !o.over; n++ {
			pick(o, w, is, n)
		}
	}
}

// bitmap has one bit for each byte.
type bitmap []uint64

func digitMap(b []byte) bitmap {
	var hex [256]uint64
	for c := range 256 {
		if nibble(byte(c)) >= 0 {
			hex[c] = 1
		}
	}
	is := make(bitmap, (len(b)+63)/64)
	for k := range is {
		part := b[k*64 : min(len(b), k*64+64)]
		w := uint64(0)
		for i, c := range part {
			w |= hex[c] << uint(i)
		}
		is[k] = w
	}
	return is
}

func (m bitmap) count() int {
	n := 0
	for _, w := range m {
		n += bits.OnesCount64(w)
	}
	return n
}

// andBack keeps the bits that are also set s bits further on, into to.
func (m bitmap) andBack(to bitmap, s int) bool {
	skip, low := s/64, uint(s%64)
	any := uint64(0)
	for k := range m {
		w := uint64(0)
		if k+skip < len(m) {
			w = m[k+skip] >> low
		}
		if k+skip+1 < len(m) {
			w |= m[k+skip+1] << (64 - low) // 64 makes it 0
		}
		to[k] = m[k] & w
		any |= to[k]
	}
	return any != 0
}

// pick yields the rows at distance n, each from its first digit to its last.
func pick(o *out, w line, is bitmap, n int) {
	rows := make(bitmap, len(is))
	m := is
	for s := n; s < pickedFewest*n; s *= 2 {
		if !m.andBack(rows, s) {
			return
		}
		m = rows
	}
	tried := 0
	for k, word := range rows {
		for ; word != 0; word &= word - 1 {
			i := k*64 + bits.TrailingZeros64(word)
			if i >= n && rows[(i-n)/64]>>uint((i-n)%64)&1 != 0 {
				continue // within a row that began before
			}
			if tried++; tried > pickedMost || !o.give(w.off+i, rowAt(w.s, i, n)) {
				return
			}
		}
	}
}

const pickedMost = 64 // rows of one distance in one window

// rowAt is every n-th byte from i on while they are digits, and a few more.
func rowAt(b []byte, i, n int) []byte {
	var row []byte
	for misses := 0; i < len(b) && misses < 8; i += n {
		if nibble(b[i]) < 0 {
			misses++
		}
		row = append(row, b[i])
	}
	return row
}
