package container

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"math/bits"
)

const (
	longestMask = 4 // bytes of a key that is repeated
	maskProof   = 5 // bytes of a head that must agree beyond a key
)

// longHeads are first bytes of formats that say enough under a longer key. Those
// of xz end with the checksum of what is before.
func longHeads() []string {
	all := []string{
		"BZh91AY&SY", "7z\xbc\xaf\x27\x1c\x00\x04", "SQLite format 3\x00", "\x89PNG\r\n\x1a\n\x00\x00\x00\x0d", "%PDF-1.",
		"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03", "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\xff", "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03", "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff",
	}
	for _, version := range []string{"\x14\x00\x00\x00", "\x14\x00\x08\x00", "\x0a\x00\x00\x00"} {
		for _, method := range []string{"\x08\x00", "\x00\x00"} {
			all = append(all, "PK\x03\x04"+version+method)
		}
	}
	for _, check := range []byte{0, 1, 4, 10} {
		flags := []byte{0, check}
		all = append(all, "\xfd7zXZ\x00"+string(flags)+string(binary.LittleEndian.AppendUint32(nil, crc32.ChecksumIEEE(flags))))
	}
	return all
}

// turnedTable finds all heads in a few passes: by a bit for every two differences
// that a head begins with, at each distance of a key and for the sum.
type turnedTable struct {
	long  [longestMask + 1][1 << 10]uint64 // by bytes of the key, from two
	sums  [1 << 10]uint64
	heads []string
	short []maskedHead
}

func newTurnedTable() *turnedTable {
	t := &turnedTable{heads: longHeads(), short: maskedHeads()}
	for _, h := range t.heads {
		for n := 2; n <= longestMask && len(h) >= n+maskProof; n++ {
			mark(&t.long[n], pairOf(h[0]^h[n], h[1]^h[n+1]))
		}
	}
	for _, h := range t.short {
		mark(&t.sums, pairOf(h.magic[1]-h.magic[0], h.magic[2]-h.magic[1]))
	}
	return t
}

// walk finds formats under a repeated key of a few bytes, by how the bytes of
// their heads differ at the distance of the key; under the sum with a constant;
// and with the halves or the bits of each byte turned.
func (t *turnedTable) walk(w *work) {
	b := w.b
	for n := 2; n <= longestMask; n++ {
		for i := 0; i+n+1 < len(b) && !w.done; i++ {
			if marked(&t.long[n], pairOf(b[i]^b[i+n], b[i+1]^b[i+n+1])) {
				t.underKey(w, i, n)
			}
		}
	}
	for i := 0; i+headSize <= len(b) && !w.done; i++ {
		if marked(&t.sums, pairOf(b[i+1]-b[i], b[i+2]-b[i+1])) {
			t.summed(w, i)
		}
	}
	for _, head := range t.short {
		for _, turn := range []func(byte) byte{func(c byte) byte { return c<<4 | c>>4 }, bits.Reverse8} {
			w.turned(head, turn)
		}
	}
}

func (t *turnedTable) underKey(w *work, i, n int) {
	for _, head := range t.heads {
		if len(head) < n+maskProof || i+len(head) > len(w.b) || w.b[i]^w.b[i+n] != head[0]^head[n] {
			continue
		}
		b, key := w.b[i:i+len(head)], [longestMask]byte{}
		same := true
		for k := range n {
			key[k] = b[k] ^ head[k]
			same = same && key[k] == key[0] // a key of one byte, or none
		}
		if !same && string(maskedWith(b, key[:n])) == head {
			w.view(Masked, i, maskedWith(w.b[i:], key[:n]))
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

func (t *turnedTable) summed(w *work, i int) {
	for _, head := range t.short {
		if less := w.b[i] - head.magic[0]; less != 0 && w.b[i+1]-less == head.magic[1] && w.b[i+2]-less == head.magic[2] {
			w.mapped(head, i, func(c byte) byte { return c - less })
		}
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
