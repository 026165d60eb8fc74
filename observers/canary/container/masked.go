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

// openMasked finds formats by what a key of one byte leaves of their first
// bytes, or by these in the other direction.
func openMasked(w *work) {
	if len(w.b) <= maskedInput {
		w.maskedFormats()
		w.turnedFormats()
		w.maskedStreams()
		w.reversedFormats()
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

// Begins reports whether b begins as one of a few formats of compression and
// archives do, by more than would be there by chance.
func Begins(b []byte) bool {
	if len(b) < headSize {
		return false
	}
	switch b[0] {
	case 0x78:
		return bytes.IndexByte([]byte{0x01, 0x5e, 0x9c, 0xda}, b[1]) >= 0 && plausibleDeflate(b[2:])
	case 0x1f, 'P', 0x28, 0x04, 0xfd, 'B', '7', 'S':
		return slices.ContainsFunc(maskedHeads(), func(head maskedHead) bool {
			return bytes.HasPrefix(b, []byte(head.magic)) && head.fits(b[:headSize])
		})
	}
	return false
}

func (w *work) maskedFormats() {
	for _, head := range maskedHeads() {
		first, second := head.magic[0]^head.magic[1], head.magic[1]^head.magic[2]
		for i := 0; i+headSize <= len(w.b) && !w.done; i++ {
			if w.b[i]^w.b[i+1] != first || w.b[i+1]^w.b[i+2] != second || w.b[i] == head.magic[0] {
				continue
			}
			key := w.b[i] ^ head.magic[0]
			if b := unmasked(w.b[i:i+headSize], key); string(b[:len(head.magic)]) == head.magic && head.fits(b) {
				w.view(Masked, i, unmasked(w.b[i:], key))
			}
		}
	}
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
		if head := unmasked(w.b[i+2:min(i+2+longestHead, len(w.b))], key); !plausibleDeflate(head) {
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

func (w *work) reversedFormats() {
	for _, head := range maskedHeads() {
		back := reversedBytes([]byte(head.magic))
		for end := len(w.b); end > 0 && !w.done; {
			i := bytes.LastIndex(w.b[:end], back)
			if i+len(back) < headSize {
				break
			}
			end = i
			if b := w.b[:i+len(back)]; head.fits(reversedBytes(b[len(b)-headSize:])) {
				w.view(Masked, 0, reversedBytes(b))
			}
		}
	}
}

func reversedBytes(b []byte) []byte {
	out := bytes.Clone(b)
	slices.Reverse(out)
	return out
}
