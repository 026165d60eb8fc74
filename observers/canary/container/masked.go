package container

import (
	"bytes"
	"slices"

	"postern/observers/canary/layer"
)

// Masked is a format that a constant was XORed with, or that stands back to
// front; MaskedText is text of the first kind.
const (
	Masked     layer.Technique = "masked"
	MaskedText layer.Technique = "masked-text"
)

const (
	maskedInput = 1 << 20 // bytes of a piece that is looked at
	maskedText  = 64 << 10
	maskedRun   = 24 // bytes that are text under one key: of noise, once in 2^33
	maskedKeys  = 3  // of one run
)

// openMasked finds formats by what a key of one byte leaves of their first
// bytes, or by these in the other direction.
func openMasked(w *work) {
	if len(w.b) <= maskedInput {
		w.maskedFormats()
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

// openMaskedText looks for runs whose three highest bits are those of text under
// one key: 001, 010 and 011 under each of the seven keys that turn these bits.
func openMaskedText(w *work) {
	if len(w.b) > maskedText {
		return
	}
	for high := byte(1); high < 8; high++ {
		for i := 0; i+maskedRun <= len(w.b) && !w.done; {
			j := i + maskedRun - 1
			for j >= i && textUnder(w.b[j], high) {
				j--
			}
			if j >= i {
				i = j + 1
				continue
			}
			end := i + maskedRun
			for end < len(w.b) && textUnder(w.b[end], high) {
				end++
			}
			w.maskedText(i, w.b[i:end], high<<5)
			i = end + 1
		}
	}
}

func textUnder(c, high byte) bool {
	top := c>>5 ^ high
	return top >= 1 && top <= 3
}

// maskedText yields a run under the keys that leave most of it letters, digits
// and spaces, if that is nearly all.
func (w *work) maskedText(off int, run []byte, high byte) {
	var counts [256]int
	for _, c := range run {
		counts[c]++
	}
	type scored struct {
		key  byte
		good int
	}
	var keys []scored
	for low := range byte(32) {
		good := 0
		for c, n := range counts {
			if n > 0 && usual(byte(c)^high^low) {
				good += n
			}
		}
		if 8*good >= 7*len(run) {
			keys = append(keys, scored{high | low, good})
		}
	}
	slices.SortStableFunc(keys, func(a, b scored) int { return b.good - a.good })
	for _, k := range keys[:min(len(keys), maskedKeys)] {
		w.view(MaskedText, off, unmasked(run, k.key))
	}
}

func usual(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c == ' '
}
