package forms

import "postern/observers/canary/layer"

// item is what stands for one byte, or for one number. It is copied whole, which
// is quicker than to copy what it has of bytes.
type item struct {
	b [itemSize]byte
	n int
}

const (
	itemSize = 24
	sepSize  = 8
)

// separator stands between two items.
type separator struct {
	b [sepSize]byte
	n int
}

func separators(all []string) []separator {
	out := make([]separator, len(all))
	for i, s := range all {
		if out[i].n = copy(out[i].b[:], s); out[i].n < len(s) {
			panic("a separator is too long")
		}
	}
	return out
}

func itemOf(b []byte) (it item) {
	if it.n = copy(it.b[:], b); it.n < len(b) {
		panic("an item is too long")
	}
	return it
}

// spelling is what stands for each byte, with the separators that there may be.
type spelling struct {
	technique  layer.Technique
	separators []separator
	fold       bool // the items are in small letters
	items      [256]item
}

// spell writes bytes in every spelling. One that lacks a byte writes nothing.
func (w *wardrobe) spell(all []spelling, s source) {
	var items [2 * maxText]*item
	for i := range all {
		l, missing := &all[i], false
		for k, c := range s.b {
			items[k] = &l.items[c]
			missing = missing || items[k].n == 0
		}
		if missing {
			continue
		}
		for k := range l.separators {
			w.put(l.technique, s.bits, w.join(items[:len(s.b)], &l.separators[k]), l.fold)
		}
	}
}

func (w *wardrobe) join(items []*item, sep *separator) []byte {
	size := sep.n * (len(items) - 1)
	for _, it := range items {
		size += it.n
	}
	room := w.take(size)
	out, at := room[:size+slack], 0
	for _, it := range items {
		*(*[itemSize]byte)(out[at:]) = it.b
		at += it.n
		*(*[sepSize]byte)(out[at:]) = sep.b
		at += sep.n
	}
	return room
}
