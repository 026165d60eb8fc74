package container

import (
	"bytes"
	"math/bits"
)

const (
	longestMask = 4 // bytes of a key that is repeated
	maskProof   = 4 // bytes of a head that must agree beyond a key
)

// longHeads are first bytes of formats that say enough under a longer key.
func longHeads() []string {
	return []string{
		"PK\x03\x04\x14\x00\x00\x00", "PK\x03\x04\x14\x00\x08\x00", "PK\x03\x04\x0a\x00\x00\x00", "\xfd7zXZ\x00\x00\x04", "\xfd7zXZ\x00\x00\x01", "\xfd7zXZ\x00\x00\x00", "\xfd7zXZ\x00\x00\x0a", "BZh91AY&SY", "7z\xbc\xaf\x27\x1c\x00",
		"SQLite format 3\x00", "\x89PNG\r\n\x1a\n", "%PDF-1.", "\x1f\x8b\x08\x00\x00\x00\x00\x00",
	}
}

// turnedFormats finds formats under a repeated key of a few bytes, by how the
// bytes of their heads differ at the distance of the key; under the sum with a
// constant; and with the halves or the bits of each byte turned.
func (w *work) turnedFormats() {
	for _, head := range longHeads() {
		for n := 2; n <= longestMask && len(head) >= n+maskProof; n++ {
			w.underKey([]byte(head), n)
		}
	}
	for _, head := range maskedHeads() {
		w.summed(head)
		for _, turn := range []func(byte) byte{func(c byte) byte { return c<<4 | c>>4 }, bits.Reverse8} {
			w.turned(head, turn)
		}
	}
}

func (w *work) underKey(head []byte, n int) {
	for i := 0; i+len(head) <= len(w.b) && !w.done; i++ {
		b := w.b[i : i+len(head)]
		if b[0]^b[n] != head[0]^head[n] || b[1]^b[n+1] != head[1]^head[n+1] || bytes.Equal(b[:n], head[:n]) {
			continue
		}
		key := make([]byte, n)
		for k := range key {
			key[k] = b[k] ^ head[k]
		}
		if out := maskedWith(b, key); bytes.Equal(out, head) {
			w.view(Masked, i, maskedWith(w.b[i:], key))
		}
	}
}

func maskedWith(b, key []byte) []byte {
	out := make([]byte, len(b))
	for i, c := range b {
		out[i] = c ^ key[i%len(key)]
	}
	return out
}

func (w *work) summed(head maskedHead) {
	first, second := head.magic[1]-head.magic[0], head.magic[2]-head.magic[1]
	for i := 0; i+headSize <= len(w.b) && !w.done; i++ {
		if w.b[i+1]-w.b[i] != first || w.b[i+2]-w.b[i+1] != second || w.b[i] == head.magic[0] {
			continue
		}
		less := w.b[i] - head.magic[0]
		w.mapped(head, i, func(c byte) byte { return c - less })
	}
}

func (w *work) turned(head maskedHead, turn func(byte) byte) {
	look := each([]byte(head.magic), turn)
	for i := 0; !w.done; i++ {
		n := bytes.Index(w.b[i:], look)
		if n < 0 || i+n+headSize > len(w.b) {
			return
		}
		i += n
		w.mapped(head, i, turn)
	}
}

// mapped yields what undo makes of the rest where a format begins.
func (w *work) mapped(head maskedHead, i int, undo func(byte) byte) {
	if b := each(w.b[i:i+headSize], undo); string(b[:len(head.magic)]) == head.magic && head.fits(b) {
		w.view(Masked, i, each(w.b[i:], undo))
	}
}

func each(b []byte, of func(byte) byte) []byte {
	out := make([]byte, len(b))
	for i, c := range b {
		out[i] = of(c)
	}
	return out
}
