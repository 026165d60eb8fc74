// Package words is a table of machine words that answers "is this word in any
// pattern, and where" at a nanosecond a word where it is not: from one bit table
// that mostly stays in the cache, with an exact table behind it.
//
// May says yes to every word that was added and, in vain, to one other in 32 as
// long as there are fewer than 2^18 words; Each is exact.
package words

import "math/bits"

// Table is filled by Add, then frozen, then read by many goroutines at once.
type Table struct {
	bits  []uint64
	shift uint
	keys  []uint64
	refs  []ref
	added []entry // until Freeze
}

// ref is a place in a pattern. Pattern numbers are kept plus one: zero is an
// empty slot.
type ref struct{ pattern, at uint32 }

type entry struct {
	key uint64
	ref ref
}

// Mixer is 2^64 over the golden ratio: a product with it has in its top bits
// something of all the bits.
const Mixer = 0x9E3779B97F4A7C15

const (
	bitsPerKey  = 32
	maxBitTable = 23 // 1 MiB: more leaves the second-level cache
)

// Add notes that the word is in the pattern of this number, at this place.
func (t *Table) Add(word uint64, pattern, at int) {
	t.added = append(t.added, entry{word, ref{uint32(pattern) + 1, uint32(at)}})
}

// Freeze builds the tables. One without words says no to everything.
func (t *Table) Freeze() {
	size := min(max(bits.Len(uint(len(t.added)*bitsPerKey)), 10), maxBitTable)
	t.bits, t.shift = make([]uint64, 1<<(size-6)), uint(64-size)
	slots := 1 << bits.Len(uint(2*len(t.added)))
	t.keys, t.refs = make([]uint64, slots), make([]ref, slots)
	for _, e := range t.added {
		h := e.key * Mixer >> t.shift
		t.bits[h>>6] |= 1 << (h & 63)
		i := t.slot(e.key)
		for t.refs[i].pattern != 0 {
			i = (i + 1) & (len(t.refs) - 1)
		}
		t.keys[i], t.refs[i] = e.key, e.ref
	}
	t.added = nil
}

// May is false for a word that is certainly in no pattern.
func (t *Table) May(word uint64) bool {
	h := word * Mixer >> (t.shift & 63)
	return t.bits[h>>6]>>(h&63)&1 != 0
}

func (t *Table) slot(word uint64) int {
	return int((word * Mixer >> 17) & uint64(len(t.refs)-1))
}

// Each calls found for every place of the word until it says no, and tells
// whether it never did.
func (t *Table) Each(word uint64, found func(pattern, at int) bool) bool {
	for i := t.slot(word); t.refs[i].pattern != 0; i = (i + 1) & (len(t.refs) - 1) {
		if t.keys[i] == word && !found(int(t.refs[i].pattern)-1, int(t.refs[i].at)) {
			return false
		}
	}
	return true
}
