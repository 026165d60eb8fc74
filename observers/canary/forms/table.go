package forms

const (
	filterBits = 14 // of the filter, for each word in it
	minFilter  = 12 // 2^12 words of 64 bits fill a first-level cache
	maxFilter  = 20
)

// newFilter has room for n words, two bits each in one of its own. What is
// left of a hash after the shift says which.
func newFilter(n int) (filter []uint64, shift uint) {
	size := minFilter
	for size < maxFilter && 64<<size < filterBits*n {
		size++
	}
	return make([]uint64, 1<<size), uint(64 - size - 2*6)
}

// slots is the power of two that leaves half of the places of open addressing
// empty, and how far a key is shifted to one of them.
func slots(n int) (size int, shift uint) {
	bits := 4
	for 1<<bits < 2*n {
		bits++
	}
	return 1 << bits, uint(64 - bits)
}

// index has every word once, with the set of classes of the forms that it is
// in. What the filter passed by chance ends here, with one look at memory.
type index struct {
	shift uint
	slots []uint32 // tag, and in the lowest bits the classes; 0 is empty
	used  int
}

const classBits = uint32(1<<len(extents) - 1)

func newIndex(n int) index {
	size, shift := slots(n - n/3) // three quarters full if no word came twice
	return index{shift: shift, slots: make([]uint32, size)}
}

func (x *index) place(key uint64) int {
	i := int(key >> x.shift)
	for x.slots[i] != 0 && (x.slots[i]^uint32(key))&^classBits != 0 {
		i = (i + 1) & (len(x.slots) - 1)
	}
	return i
}

func (x *index) add(key uint64, class int) {
	slot := &x.slots[x.place(key)]
	if *slot == 0 {
		*slot = uint32(key) &^ classBits
		x.used++
	}
	*slot |= 1 << class
}

func (x *index) find(key uint64) (classes uint32) { return x.slots[x.place(key)] & classBits }

// table leads from the bytes at a sample to the forms that have them there;
// the same bytes may fill several slots.
type table struct {
	shift uint
	slots []slot
}

type slot struct {
	tag uint32 // of the key
	ref uint32 // form + 1, and offset in it; 0 is an empty slot
}

const offsetBits = 7

func newTable(n int) table {
	size, shift := slots(n)
	return table{shift: shift, slots: make([]slot, size)}
}

func (t *table) add(key uint64, ref uint32) {
	i := int(key >> t.shift)
	for t.slots[i].ref != 0 {
		i = (i + 1) & (len(t.slots) - 1)
	}
	t.slots[i] = slot{uint32(key), ref}
}

// next is the slot after i that has a key, or the first for -1; -1 is the end.
func (t *table) next(key uint64, i int) int {
	if i++; i == 0 {
		i = int(key >> t.shift)
	}
	for ; ; i++ {
		i &= len(t.slots) - 1
		if t.slots[i].ref == 0 {
			return -1
		}
		if t.slots[i].tag == uint32(key) {
			return i
		}
	}
}

func ref(form, offset int) uint32 { return uint32(form+1)<<offsetBits | uint32(offset) }

// place is the form, and the offset of the sample in it.
func (s slot) place() (form, offset int) {
	return int(s.ref>>offsetBits) - 1, int(s.ref & (1<<offsetBits - 1))
}
