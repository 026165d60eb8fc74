package forms

import "math/bits"

const (
	filterBits = 8  // of the filter, for each sample
	minFilter  = 12 // 2^12 words of 64 bits fill a first-level cache
	maxFilter  = 20
	marks      = 3 // bits that a sample sets
)

// newFilter has room for n samples, each with its bits in one word. What is left
// of a hash after the shift says which.
func newFilter(n int) (filter []uint64, shift uint) {
	size := minFilter
	for size < maxFilter && 64<<size < filterBits*n {
		size++
	}
	return make([]uint64, 1<<size), uint(64 - size - 6*marks)
}

// anchors has the first bytes at the anchors of all forms: they tell most places
// from which a form might lead to a sample that it does not.
type anchors struct {
	bits  []uint64
	shift uint
}

const anchorBits = 16 // for each form

func newAnchors(n int) anchors {
	size := uint(10)
	for 1<<size < anchorBits*n {
		size++
	}
	return anchors{make([]uint64, 1<<size/64), 64 - size}
}

func (a *anchors) add(first uint64) {
	h := first * golden >> (a.shift & 63)
	a.bits[h>>6] |= 1 << (h & 63)
}

func (a *anchors) may(first uint64) bool {
	h := first * golden >> (a.shift & 63)
	return a.bits[h>>6]>>(h&63)&1 != 0
}

// table leads from the bytes at an anchor to the forms that have them there. Its
// buckets fill a line of the cache each. What a bucket has no place for is in
// the next: to fill one needs no search, and so waits for no memory.
type table struct {
	used  []uint8 // slots of each bucket
	slots []slot
	left  int // slots that may be filled, so that a search ends soon
}

type slot struct {
	tag uint32 // of the key
	ref uint32 // form, and the offset of its anchor
}

const (
	bucketSize = 8
	load       = 5 // slots of a bucket that are filled, on average, if as many come as were foretold
	offsetBits = 7
	maxForms   = 1 << (32 - offsetBits)
)

func newTable(n int) table {
	buckets := n/load + 2
	return table{used: make([]uint8, buckets), slots: make([]slot, bucketSize*buckets), left: buckets * (bucketSize - 2)}
}

func (t *table) home(key uint64) int {
	i, _ := bits.Mul64(key, uint64(len(t.used)))
	return int(i)
}

func (t *table) after(i int) int {
	if i++; i < len(t.used) {
		return i
	}
	return 0
}

func (t *table) full(i int) bool     { return t.used[i] == bucketSize }
func (t *table) bucket(i int) []slot { return t.slots[bucketSize*i:][:t.used[i]] }
func (t *table) memory() int         { return len(t.used) + 8*len(t.slots) }

// add reports whether there was room.
func (t *table) add(key uint64, ref uint32) bool {
	if t.left == 0 {
		return false
	}
	t.left--
	i := t.home(key)
	for t.used[i] == bucketSize {
		i = t.after(i)
	}
	t.slots[bucketSize*i+int(t.used[i])] = slot{uint32(key), ref}
	t.used[i]++
	return true
}

func ref(form uint32, offset int) uint32 { return form<<offsetBits | uint32(offset) }

// place is the form, and the offset of its anchor.
func (s slot) place() (form uint32, offset int) {
	return s.ref >> offsetBits, int(s.ref & (1<<offsetBits - 1))
}
