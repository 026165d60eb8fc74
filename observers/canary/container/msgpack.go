package container

import (
	"encoding/binary"

	"postern/observers/canary/layer"
)

const (
	Msgpack layer.Technique = "msgpack"
	Cbor    layer.Technique = "cbor"
)

// item is the head of a value of MessagePack or CBOR.
type item struct {
	kind byte
	num  uint64 // the number, or how many bytes or values there are
	open bool   // of unknown length
	head int    // bytes
}

const (
	itemNum = iota + 1
	itemText
	itemList
	itemMap
	itemOther
	itemBreak
	itemTag
)

func readMsgpack(l *leaves, b []byte) bool { return readItems(l, b, msgpackItem) }
func readCbor(l *leaves, b []byte) bool    { return readItems(l, b, cborItem) }

// readItems reads values up to the end; a piece that is one number, or one text
// alone, is none.
func readItems(l *leaves, b []byte, next func(b []byte) item) bool {
	r := itemReader{b: b, next: next, l: l}
	first := next(b)
	if first.kind != itemList && first.kind != itemMap && first.kind != itemTag && !first.open {
		return false
	}
	for len(r.b) > 0 && !l.bad {
		if !r.value("", 0) {
			return len(r.b) == 0 && l.total > 2 // cut off
		}
	}
	return true
}

type itemReader struct {
	b    []byte
	next func(b []byte) item
	l    *leaves
}

// value reads one value and all that is in it.
func (r *itemReader) value(path string, depth int) bool {
	it := r.next(r.b)
	if it.kind == 0 || depth > recordDepth {
		return false
	}
	r.b = r.b[it.head:]
	switch it.kind {
	case itemNum:
		r.l.num(path, it.num)
	case itemText:
		return r.texts(it, path, depth)
	case itemTag:
		return r.value(path, depth+1)
	case itemList:
		for n := uint64(0); n < it.num || it.open; n++ {
			if it.open && r.ended() {
				return true
			}
			if !r.value(path+"[", depth+1) {
				return false
			}
		}
	case itemMap:
		for n := uint64(0); n < it.num || it.open; n++ {
			if it.open && r.ended() {
				return true
			}
			if !r.pair(path, depth) {
				return false
			}
		}
	}
	return !r.l.bad
}

// ended takes the mark that ends a value of unknown length.
func (r *itemReader) ended() bool {
	if r.next(r.b).kind != itemBreak {
		return false
	}
	r.b = r.b[1:]
	return true
}

// texts reads a text, or joins the pieces of one.
func (r *itemReader) texts(it item, path string, depth int) bool {
	if !it.open {
		n := min(it.num, uint64(len(r.b)))
		r.l.text(path, r.b[:n])
		r.b = r.b[n:]
		return n == it.num
	}
	for !r.ended() {
		if it := r.next(r.b); it.kind != itemText || it.open || !r.value(path+"+", depth+1) {
			return false
		}
	}
	return true
}

// pair reads a key, which names the column of its value.
func (r *itemReader) pair(path string, depth int) bool {
	it := r.next(r.b)
	name := path + ".?"
	if it.kind == itemText && !it.open && it.num < 64 && int(it.num)+it.head <= len(r.b) {
		name = path + "." + string(r.b[it.head:it.head+int(it.num)])
	}
	return r.value(path+"{", depth+1) && r.value(name, depth+1)
}

// msgpackItem reads a head (github.com/msgpack/msgpack, spec.md).
func msgpackItem(b []byte) (it item) {
	if len(b) == 0 {
		return it
	}
	c := b[0]
	switch {
	case c < 0x80 || c >= 0xe0:
		return item{kind: itemNum, num: uint64(c), head: 1}
	case c < 0x90:
		return item{kind: itemMap, num: uint64(c & 15), head: 1}
	case c < 0xa0:
		return item{kind: itemList, num: uint64(c & 15), head: 1}
	case c < 0xc0:
		return item{kind: itemText, num: uint64(c & 31), head: 1}
	}
	kinds := [...]byte{itemOther, 0, itemOther, itemOther, itemText, itemText, itemText, itemText, itemText, itemText, itemNum, itemNum,
		itemNum, itemNum, itemNum, itemNum, itemNum, itemNum, itemNum, itemNum, itemText, itemText, itemText, itemText, itemText,
		itemText, itemText, itemText, itemList, itemList, itemMap, itemMap}
	sizes := [...]uint8{0, 0, 0, 0, 1, 2, 4, 1, 2, 4, 4, 8, 1, 2, 4, 8, 1, 2, 4, 8, 0, 0, 0, 0, 0, 1, 2, 4, 2, 4, 2, 4}
	n := c - 0xc0
	it = item{kind: kinds[n], head: 1 + int(sizes[n])}
	if it.head > len(b) {
		return item{}
	}
	it.num = big(b[1:it.head])
	switch {
	case n >= 0x14 && n <= 0x18: // extensions of fixed length, with a type
		it.num = 1<<(n-0x14) + 1
	case n >= 7 && n <= 9:
		it.num++
	}
	return it
}

// cborItem reads a head (RFC 8949, 3).
func cborItem(b []byte) (it item) {
	if len(b) == 0 {
		return it
	}
	major, low := b[0]>>5, b[0]&31
	it = item{kind: [...]byte{itemNum, itemNum, itemText, itemText, itemList, itemMap, itemTag, itemOther}[major], num: uint64(low), head: 1}
	switch {
	case b[0] == 0xff:
		return item{kind: itemBreak, head: 1}
	case low == 31 && major >= 2 && major <= 5:
		it.open = true
	case low >= 28:
		return item{}
	case low >= 24:
		it.head += 1 << (low - 24)
		if it.head > len(b) {
			return item{}
		}
		it.num = big(b[1:it.head])
	}
	return it
}

// big is the number in up to eight bytes, most significant first.
func big(b []byte) (v uint64) {
	var full [8]byte
	copy(full[8-len(b):], b)
	return binary.BigEndian.Uint64(full[:])
}
