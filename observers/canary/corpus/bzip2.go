package corpus

import (
	"bytes"
	"slices"
)

// bzip2 writes one block with codes of one length, which the format allows: the
// standard library only reads it.
func bzip2(b []byte) []byte {
	b = runLength(b)
	last, origin := burrowsWheeler(b)
	symbols, used := moveToFront(last)
	w := &bitWriter{}
	w.put(0x425a6839, 32)
	w.put(0x314159265359, 48)
	sum := bzipSum(unrun(b))
	w.put(uint64(sum), 32)
	w.put(0, 1)
	w.put(uint64(origin), 24)
	w.used(used)
	w.block(symbols, len(used)+2)
	w.put(0x177245385090, 48)
	w.put(uint64(sum), 32)
	return pack(w.bits)
}

type bitWriter struct{ bits []byte }

func (w *bitWriter) put(v uint64, n int) {
	for i := n - 1; i >= 0; i-- {
		w.bits = append(w.bits, byte(v>>i&1))
	}
}

func (w *bitWriter) used(set []byte) {
	var rows [16]uint64
	for _, c := range set {
		rows[c>>4] |= 1 << (15 - c&15)
	}
	var top uint64
	for i, row := range rows {
		if row > 0 {
			top |= 1 << (15 - i)
		}
	}
	w.put(top, 16)
	for _, row := range rows {
		if row > 0 {
			w.put(row, 16)
		}
	}
}

// block has two equal tables, since one is too few. Its codes are of one length,
// but for as many shorter ones as make the tree complete.
func (w *bitWriter) block(symbols []int, alphabet int) {
	size := 1
	for 1<<size < alphabet {
		size++
	}
	short := 1<<size - alphabet
	selectors := (len(symbols) + 49) / 50
	w.put(2, 3)
	w.put(uint64(selectors), 15)
	w.put(0, selectors)
	for range 2 {
		w.put(uint64(size-1), 5)
		w.put(0, short)
		w.put(2, 2)
		w.put(0, alphabet-short)
	}
	for _, s := range symbols {
		if s < short {
			w.put(uint64(s), size-1)
		} else {
			w.put(uint64(short+s), size)
		}
	}
}

// runLength ends each run of four with how many follow.
func runLength(b []byte) []byte {
	var out []byte
	for i := 0; i < len(b); {
		n := 1
		for i+n < len(b) && b[i+n] == b[i] && n < 255 {
			n++
		}
		out = append(out, b[i:i+min(n, 4)]...)
		if n >= 4 {
			out = append(out, byte(n-4))
		}
		i += n
	}
	return out
}

func unrun(b []byte) []byte {
	var out []byte
	run := 0
	for _, c := range b {
		if run == 4 {
			out, run = append(out, bytes.Repeat(out[len(out)-1:], int(c))...), 0
			continue
		}
		if run == 0 || out[len(out)-1] != c {
			run = 0
		}
		run++
		out = append(out, c)
	}
	return out
}

func burrowsWheeler(b []byte) (last []byte, origin int) {
	order, doubled := make([]int, len(b)), append(slices.Clone(b), b...)
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return bytes.Compare(doubled[i:i+len(b)], doubled[j:j+len(b)]) })
	for at, i := range order {
		last = append(last, doubled[i+len(b)-1])
		if i == 0 {
			origin = at
		}
	}
	return last, origin
}

// moveToFront writes runs of zero in the two symbols for it, and ends with the last symbol.
func moveToFront(b []byte) (symbols []int, used []byte) {
	used = slices.Clone(b)
	slices.Sort(used)
	used = slices.Compact(used)
	recent, zeros := slices.Clone(used), 0
	flush := func() {
		for ; zeros > 0; zeros = (zeros - 1) / 2 {
			symbols = append(symbols, (zeros-1)&1)
		}
	}
	for _, c := range b {
		i := slices.Index(recent, c)
		if i == 0 {
			zeros++
			continue
		}
		flush()
		symbols = append(symbols, i+1)
		copy(recent[1:], recent[:i])
		recent[0] = c
	}
	flush()
	return append(symbols, len(used)+1), used
}

func bzipSum(b []byte) uint32 {
	sum := ^uint32(0)
	for _, c := range b {
		sum ^= uint32(c) << 24
		for range 8 {
			if sum&(1<<31) != 0 {
				sum = sum<<1 ^ 0x04c11db7
			} else {
				sum <<= 1
			}
		}
	}
	return ^sum
}
