package container

import (
	"bytes"
	"encoding/binary"
	"hash/adler32"
	"slices"

	"postern/observers/canary/layer"
)

// Masked is a format that a constant was XORed with, or that stands back to front.
const Masked layer.Technique = "masked"

const (
	maskedInput = 1 << 20  // bytes of a piece that is looked at
	maskedZlib  = 64 << 10 // in which two bytes are enough of a head to inflate what follows
	anyKeyZlib  = 2 << 10  // under any key; in what is larger, the complement alone
)

// opensMasked finds formats by what a key of one byte leaves of their first
// bytes, or by these in the other direction.
func opensMasked() func(*work) {
	t, turned := newMaskedTable(maskedHeads()), newTurnedTable()
	return func(w *work) {
		if len(w.b) <= maskedInput {
			t.walk(w)
			turned.walk(w)
			w.maskedStreams()
		}
	}
}

// maskedHead is the first bytes of a format, and what it says of those behind.
type maskedHead struct {
	magic string
	fits  func(b []byte) bool // of the first ten, the magic among them
}

const headSize = 10

func maskedHeads() []maskedHead {
	any := func([]byte) bool { return true }
	return []maskedHead{
		{"\x1f\x8b\x08", func(b []byte) bool { // RFC 1952, 2.3.1: no other flags, and systems up to 13
			return b[3]&^0x1f == 0 && b[8]&^6 == 0 && (b[9] < 14 || b[9] == 255)
		}},
		{"PK\x03\x04", func(b []byte) bool { return b[4] < 64 && b[5] == 0 }},
		{"\x28\xb5\x2f\xfd", func(b []byte) bool { return b[4]&8 == 0 }},
		{"\x04\x22\x4d\x18", func(b []byte) bool { return b[4]>>6 == 1 }},
		{"\xfd7zXZ\x00", any}, {"BZh91AY", any}, {"7z\xbc\xaf\x27", any}, {"SQLite for", any},
	}
}

// maskedTable finds all heads in one pass: by a bit for every two differences of
// three bytes that a head begins with, and for every two bytes that one ends with
// when it is turned.
type maskedTable struct {
	heads  []maskedHead
	turned [][]byte // the magics
	xored  [1 << 10]uint64
	ends   [1 << 10]uint64
}

func newMaskedTable(heads []maskedHead) *maskedTable {
	t := &maskedTable{heads: heads}
	for _, h := range heads {
		back := reversedBytes([]byte(h.magic))
		t.turned = append(t.turned, back)
		mark(&t.xored, pairOf(h.magic[0]^h.magic[1], h.magic[1]^h.magic[2]))
		mark(&t.ends, pairOf(back[0], back[1]))
	}
	return t
}

func pairOf(a, b byte) uint16 { return uint16(a) | uint16(b)<<8 }

func mark(bits *[1 << 10]uint64, pair uint16) { bits[pair>>6] |= 1 << (pair & 63) }

func marked(bits *[1 << 10]uint64, pair uint16) bool { return bits[pair>>6]>>(pair&63)&1 != 0 }

func (t *maskedTable) walk(w *work) {
	b, turned := w.b, 0
	for i := 0; i+2 < len(b) && !w.done; i++ {
		pair, next := pairOf(b[i], b[i+1]), pairOf(b[i+1], b[i+2])
		if marked(&t.xored, pair^next) {
			t.masked(w, i)
		}
		if marked(&t.ends, pair) {
			turned = max(turned, t.turnedEnd(b, i))
		}
	}
	if turned > 0 { // what ends before is in it
		w.view(Masked, 0, reversedBytes(b[:turned]))
	}
}

// masked opens what begins at i under a key.
func (t *maskedTable) masked(w *work, i int) {
	for n := range t.heads {
		head := &t.heads[n]
		key := w.b[i] ^ head.magic[0]
		if key == 0 || w.b[i+1]^key != head.magic[1] || w.b[i+2]^key != head.magic[2] || i+headSize > len(w.b) {
			continue
		}
		if b := unmasked(w.b[i:i+headSize], key); string(b[:len(head.magic)]) == head.magic && head.fits(b) {
			w.view(Masked, i, unmasked(w.b[i:], key))
		}
	}
}

// turnedEnd is where a format ends whose magic stands back to front at i, or 0.
func (t *maskedTable) turnedEnd(b []byte, i int) int {
	for n, back := range t.turned {
		end := i + len(back)
		if end >= headSize && bytes.HasPrefix(b[i:], back) && t.heads[n].fits(reversedBytes(b[end-headSize:end])) {
			return end
		}
	}
	return 0
}

// maskedStreams finds zlib under a constant: of its head two bytes are known, and
// at its end is a checksum.
func (w *work) maskedStreams() {
	if len(w.b) > maskedZlib {
		return
	}
	for i := 0; i+headSize <= len(w.b) && !w.done; i++ {
		key := w.b[i] ^ 0x78
		if key == 0 || key != 0xff && len(w.b) > anyKeyZlib {
			continue
		}
		switch w.b[i+1] ^ key {
		case 0x01, 0x5e, 0x9c, 0xda:
		default:
			continue
		}
		var head [longestHead]byte
		n := 0
		for _, c := range w.b[i+2 : min(i+2+longestHead, len(w.b))] {
			head[n] = c ^ key
			n++
		}
		if !plausibleDeflate(head[:n]) {
			continue
		}
		b := unmasked(w.b[i:], key)
		if proof := w.inflate(b[2:], nil, inflatedProof); len(proof.out) == 0 || !proof.cut && !proof.end {
			continue
		}
		got := w.inflate(b[2:], nil, maskedZlib)
		if sum := b[min(2+got.used, len(b)):]; got.end && len(sum) >= 4 && binary.BigEndian.Uint32(sum) == adler32.Checksum(got.out) {
			w.view(Masked, i, b[:2+got.used+4])
		}
	}
}

const (
	longestHead   = 128 // bytes that say of a first block whether it may be one
	inflatedProof = 32  // bytes that are seldom inflated of noise
)

func unmasked(b []byte, key byte) []byte {
	out := make([]byte, len(b))
	for i, c := range b {
		out[i] = c ^ key
	}
	return out
}

func reversedBytes(b []byte) []byte {
	out := bytes.Clone(b)
	slices.Reverse(out)
	return out
}
