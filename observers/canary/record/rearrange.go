package record

import (
	"slices"

	"postern/observers/canary/layer"
)

const (
	railsMost     = 12
	rowsMost      = 33
	tokenShortest = 16
	tokenLongest  = 512
	tokensTried   = 48
	tokenRoom     = 64 << 10
)

// openTokens turns each long word every way: the secret may stand in plain
// text with its characters in another order.
func openTokens(b []byte, room *layer.Room, yield func(layer.View) bool) {
	if len(b) > large || len(b) < tokenShortest {
		return
	}
	o := newOut("transposed-token", len(b), room, yield)
	o.left += tokenRoom
	tried := 0
	try := func(off int, s []byte) bool {
		tried++
		return tried <= tokensTried && o.give(off, everyWay(s))
	}
	t := wide()
	for i := 0; i < len(b) && !o.over; {
		from, to := t.next(b, i)
		if n := to - from; n >= tokenShortest && n <= tokenLongest && n < len(b) && mixed(b[from:to]) && !try(from, b[from:to]) {
			return
		}
		i = max(to, from+1)
	}
	if len(b) <= tokenLongest {
		try(0, b)
	}
}

// mixed wants digits among letters or no vowels to speak of: no plain words.
func mixed(s []byte) bool {
	n := 0
	for _, c := range s {
		if c >= '0' && c <= '9' || c >= 0x80 {
			n++
		}
	}
	return n >= 2
}

// everyWay is s in each order, all in one view.
func everyWay(s []byte) []byte {
	var all []byte
	add := func(t []byte) {
		if t != nil {
			all = append(append(all, t...), gap...)
		}
	}
	for _, turn := range rearranged() {
		add(turn(s))
	}
	for n := 2; n <= rowsMost && n < len(s); n++ {
		down := columns(s, n, 1)
		add(down)
		add(uncolumns(s, n))
		add(snake(s, n))
		add(columns(reversed(s), n, 1))
		add(unsnake(s, n))
	}
	for n := 2; n <= railsMost && n < len(s); n++ {
		add(rails(s, n))
		add(unrail(s, n))
	}
	return all
}

// rearranged are the orders without a width to guess.
func rearranged() []func([]byte) []byte {
	all := []func([]byte) []byte{halvesSwapped, doubled, outsideIn, insideOut, folded, riffled}
	for _, n := range []int{2, 3, 4, 8, 16} {
		all = append(all, func(b []byte) []byte { return blocksReversed(b, n) }, func(b []byte) []byte { return blocksBack(b, n) })
	}
	return all
}

func reversed(b []byte) []byte {
	r := slices.Clone(b)
	slices.Reverse(r)
	return r
}

func halvesSwapped(b []byte) []byte {
	h := (len(b) + 1) / 2
	return append(append(append(slices.Clone(b[h:]), b[:h]...), gap...), append(slices.Clone(b[len(b)/2:]), b[:len(b)/2]...)...)
}

// doubled shows every rotation.
func doubled(b []byte) []byte {
	if len(b) > tokenLongest {
		return nil
	}
	return append(slices.Clone(b), b...)
}

// outsideIn takes from the front and the back in turn.
func outsideIn(b []byte) []byte {
	r := make([]byte, 0, len(b))
	for i, j := 0, len(b)-1; i <= j; i, j = i+1, j-1 {
		if r = append(r, b[i]); i < j {
			r = append(r, b[j])
		}
	}
	return r
}

// insideOut undoes outsideIn: the even places, then the odd ones backwards.
func insideOut(b []byte) []byte {
	r := make([]byte, len(b))
	for i, c := range b {
		if i%2 == 0 {
			r[i/2] = c
		} else {
			r[len(b)-1-i/2] = c
		}
	}
	return r
}

// folded interleaves the halves, the second backwards.
func folded(b []byte) []byte {
	h := (len(b) + 1) / 2
	return riffle(b[:h], reversed(b[h:]))
}

func riffled(b []byte) []byte {
	h := (len(b) + 1) / 2
	return append(append(riffle(b[:h], b[h:]), gap...), riffle(b[h:], b[:h])...)
}

func riffle(a, b []byte) []byte {
	r := make([]byte, 0, len(a)+len(b))
	for i := range max(len(a), len(b)) {
		if i < len(a) {
			r = append(r, a[i])
		}
		if i < len(b) {
			r = append(r, b[i])
		}
	}
	return r
}

// blocksReversed turns every block of n bytes around.
func blocksReversed(b []byte, n int) []byte {
	r := slices.Clone(b)
	for i := 0; i < len(r); i += n {
		slices.Reverse(r[i:min(i+n, len(r))])
	}
	return r
}

// blocksBack puts the last block first.
func blocksBack(b []byte, n int) []byte { return blocksReversed(reversed(b), n) }

// uncolumns undoes columns, where the last row may be short.
func uncolumns(b []byte, n int) []byte {
	r := make([]byte, len(b))
	k := 0
	for start := range n {
		for i := start; i < len(b); i += n {
			r[i] = b[k]
			k++
		}
	}
	return r
}

// snake turns every second row of n around.
func snake(b []byte, n int) []byte {
	r := slices.Clone(b)
	for i := n; i < len(r); i += 2 * n {
		slices.Reverse(r[i:min(i+n, len(r))])
	}
	return r
}

// unsnake undoes columns of which every second was read upwards.
func unsnake(b []byte, n int) []byte {
	if len(b)%n != 0 {
		return nil
	}
	return uncolumns(snake(b, len(b)/n), n)
}

// railOf is the rail of each place of a zigzag over n rails.
func railOf(i, n int) int {
	k := i % (2*n - 2)
	return min(k, 2*n-2-k)
}

func rails(b []byte, n int) []byte {
	r := make([]byte, 0, len(b))
	for rail := range n {
		for i := range b {
			if railOf(i, n) == rail {
				r = append(r, b[i])
			}
		}
	}
	return r
}

func unrail(b []byte, n int) []byte {
	r := make([]byte, len(b))
	k := 0
	for rail := range n {
		for i := range b {
			if railOf(i, n) == rail {
				r[i] = b[k]
				k++
			}
		}
	}
	return r
}
