package canary

import (
	"bytes"
	"encoding/binary"

	"postern/fixtures/channel"
)

const (
	minForm = 16 // a shorter form could lie between two samples
	maxForm = 64

	word   = 8                  // bytes in a sample
	stride = minForm - word + 1 // every form holds exactly one sample among its first nine words

	foldCase = 0x2020202020202020 // samples are compared in lower case
	spread   = 0x9e3779b97f4a7c15 // 2^64 / golden ratio: Fibonacci hashing

	tableBits = 18 // 32 KiB, the size of a first-level cache
	tableSize = 1 << tableBits / 64
)

// matcher finds many forms in one pass. It looks at one word in nine, asks a
// bit table, and compares the whole form only where the table says maybe.
type matcher struct {
	table *[tableSize]uint64
	slots []slot // open addressing; the same word may fill several
	forms []owned
}

type owned struct {
	form
	id channel.ID
}

type slot struct {
	word   uint64
	form   int32 // index + 1; 0 is an empty slot
	offset int32 // of the word in its form
}

func newMatcher(fs []owned) *matcher {
	size := 64
	for size < 4*stride*len(fs) {
		size *= 2
	}
	m := &matcher{table: new([tableSize]uint64), slots: make([]slot, size), forms: fs}
	for i, f := range fs {
		for off := range stride {
			m.add(sample(f.text[off:]), int32(i+1), int32(off))
		}
	}
	return m
}

func sample(b []byte) uint64 { return binary.LittleEndian.Uint64(b) | foldCase }

func (m *matcher) add(w uint64, form, offset int32) {
	h := w * spread
	m.table[h>>(64-tableBits)>>6] |= 1 << (h >> (64 - tableBits) & 63)
	i := m.home(h)
	for m.slots[i].form != 0 {
		i = (i + 1) & (len(m.slots) - 1)
	}
	m.slots[i] = slot{w, form, offset}
}

// home uses other bits of the hash than the table does.
func (m *matcher) home(h uint64) int { return int(h>>20) & (len(m.slots) - 1) }

// find appends one hit for every form that lies wholly in b.
func (m *matcher) find(hits []Hit, b []byte) []Hit {
	for i := 0; i+word <= len(b); i += stride {
		w := sample(b[i:])
		h := w * spread
		if m.table[h>>(64-tableBits)>>6]>>(h>>(64-tableBits)&63)&1 != 0 {
			hits = m.verify(hits, b, i, w)
		}
	}
	return hits
}

func (m *matcher) verify(hits []Hit, b []byte, at int, w uint64) []Hit {
	for i := m.home(w * spread); m.slots[i].form != 0; i = (i + 1) & (len(m.slots) - 1) {
		s := m.slots[i]
		if s.word != w {
			continue
		}
		f := m.forms[s.form-1]
		start := at - int(s.offset)
		end := start + len(f.text)
		if start >= 0 && end <= len(b) && f.is(b[start:end]) {
			hits = append(hits, Hit{ID: f.id, Offset: int64(start), Length: len(f.text)})
		}
	}
	return hits
}

func (f form) is(b []byte) bool {
	if f.fold {
		return bytes.EqualFold(f.text, b) // the letters that fold with k and s take more bytes than those
	}
	return bytes.Equal(f.text, b)
}
