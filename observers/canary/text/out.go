package text

import "postern/observers/canary/layer"

const (
	least     = 6       // bytes in a view: fewer say nothing
	heapBytes = 1 << 15 // of small finds that share one view
)

// out is what a stage writes to: it asks the room, and gathers small finds.
type out struct {
	room  *layer.Room
	yield func(layer.View) bool
	ended bool
	heaps []layer.View

	scratch []byte // for what is gathered or dropped
}

// put yields b, which nobody writes to afterwards.
func (o *out) put(t layer.Technique, offset int, b []byte) {
	if o.ended || len(b) < least || !o.room.Take(len(b)) {
		return
	}
	o.ended = !o.yield(layer.View{Technique: t, Offset: offset, Bytes: b})
}

// within cuts what is more than there is room for, and says so.
func (o *out) within(b []byte) []byte {
	if n := o.room.Left(); len(b) > n {
		o.room.Spend()
		return b[:n]
	}
	return b
}

// fits reports whether there is room for n bytes, and remembers where there is
// not: what is not tried is left unread.
func (o *out) fits(n int) bool {
	if n > o.room.Left() {
		o.room.Spend()
		return false
	}
	return true
}

// gather copies b to the heap of its technique.
func (o *out) gather(t layer.Technique, offset int, b []byte) {
	if o.ended || len(b) < least {
		return
	}
	if len(b) >= heapBytes/2 || len(b) >= legible && readable(b) {
		o.put(t, offset, append([]byte(nil), b...))
		return
	}
	h := o.heap(t)
	if len(h.Bytes) == 0 {
		h.Offset = offset
	} else {
		h.Bytes = append(h.Bytes, '\n')
	}
	h.Bytes = append(h.Bytes, b...)
	if len(h.Bytes) >= heapBytes/2 {
		o.put(t, h.Offset, h.Bytes)
		h.Bytes = nil
	}
}

func (o *out) heap(t layer.Technique) *layer.View {
	for i := range o.heaps {
		if o.heaps[i].Technique == t {
			return &o.heaps[i]
		}
	}
	o.heaps = append(o.heaps, layer.View{Technique: t})
	return &o.heaps[len(o.heaps)-1]
}

// flush yields what was gathered.
func (o *out) flush() {
	for _, h := range o.heaps {
		o.put(h.Technique, h.Offset, h.Bytes)
	}
	o.heaps = nil
}

// legible is how long a small find is that is not text by chance: what is, is worth
// a view without its neighbours, which are the wrong phases of the same.
const legible = 16

func readable(b []byte) bool {
	for _, c := range b {
		if !textBytes[c] {
			return false
		}
	}
	return true
}

// small reports whether a find is worth no view of its own.
func small(n int) bool { return n < 64 }

// offer yields a large b, and gathers a small one.
func (o *out) offer(t layer.Technique, offset int, b []byte) {
	if small(len(b)) {
		o.gather(t, offset, b)
	} else {
		o.put(t, offset, b)
	}
}
