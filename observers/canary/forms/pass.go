package forms

import (
	"bytes"
	"encoding/binary"
)

const (
	longWord    = 6 // bytes in a sample: a shorter word is in too much text, a longer one makes the stride shorter
	longStride  = minForm - longWord + 1
	shortWord   = 5
	shortStride = minShort - shortWord + 1

	sampled  = 8                  // bytes that are loaded for a word
	batch    = 4                  // samples between two branches
	foldCase = 0x2020202020202020 // samples are compared in lower case
	golden   = 0x9e3779b97f4a7c15 // 2^64 / golden ratio: Fibonacci hashing
)

// pass looks at one word in a stride, asks a filter, and compares whole forms
// only where the filter says maybe. A stride is so short that every form holds
// one whole sample at some row of its offsets.
type pass struct {
	forms  []owned
	stride int
	spread uint64 // a multiplier that takes only a word's bytes to the top
	filter []uint64
	shift  uint
	words  index
	tables [len(extents)]table
}

type owned struct {
	Form
	secret int
}

// extents are how many bytes at a sample lead to the forms that have them
// there. The word alone is in too many forms where symbols are wide.
var extents = [...]int{0, 16, 32}

// newPass fills the filter with its index, and the tables, at once: neither
// needs the other.
func newPass(forms []owned, word, stride int) *pass {
	p := &pass{forms: forms, stride: stride, spread: golden << (64 - 8*word)}
	words, deep := make([]entry, stride*len(forms)), make([]entry, stride*len(forms))
	atOnce(len(forms), func(i int) {
		p.samples(i, word, words[stride*i:][:stride], deep[stride*i:][:stride])
	})
	atOnce(2, func(i int) {
		if i == 0 {
			p.fillFilter(scattered(words))
		} else {
			p.fillTables(scattered(deep))
		}
	})
	return p
}

// samples are the words of a form, and what leads from there to the form.
func (p *pass) samples(form, word int, words, deep []entry) {
	text := p.forms[form].Text
	c := class(len(text), p.stride)
	first := start(text, word, p.stride, max(word, extents[c]))
	for i := range words {
		e := entry{key: p.key(text[first+i:], 0), ref: ref(form, first+i), class: uint32(c)}
		words[i] = e
		if extents[c] > 0 {
			e.key = p.key(text[first+i:], extents[c])
		}
		deep[i] = e
	}
}

func (p *pass) fillFilter(samples []entry) {
	p.words = newIndex(len(samples))
	for _, e := range samples {
		p.words.add(e.key, int(e.class))
	}
	p.filter, p.shift = newFilter(p.words.used)
	for _, e := range samples {
		h := e.key >> p.shift // of the word: what mix changed is below
		p.filter[h>>12] |= 1<<(h&63) | 1<<(h>>6&63)
	}
}

func (p *pass) fillTables(samples []entry) {
	var counts [len(extents)]int
	for _, e := range samples {
		counts[e.class]++
	}
	for i := range p.tables {
		p.tables[i] = newTable(counts[i])
	}
	for _, e := range samples {
		p.tables[e.class].add(e.key, e.ref)
	}
}

// entry is a sample of a form that a table is to have.
type entry struct {
	key   uint64
	ref   uint32
	class uint32
}

// scattered brings the entries into the order of the first bits of their keys,
// by which tables have their places: filling those in turn touches one part of
// them after another, not all their memory at random.
func scattered(entries []entry) []entry {
	const top = 64 - 9
	var at [1<<(64-top) + 1]int
	for i := range entries {
		at[entries[i].key>>top+1]++
	}
	for i := 1; i < len(at); i++ {
		at[i] += at[i-1]
	}
	out := make([]entry, len(entries))
	for i := range entries {
		to := &at[entries[i].key>>top]
		out[*to] = entries[i]
		*to++
	}
	return out
}

// start is the first offset in a form at which samples are taken: where no
// word is one byte over and over, as in the blanks that files are full of.
func start(text []byte, word, stride, extent int) int {
	good, same := 0, 0 // words in turn that are not so; bytes in turn that are like the one before
	for end := 1; end < min(len(text)-extent, 1<<offsetBits-1)+word; end++ {
		if same++; text[end] != text[end-1] {
			same = 0
		}
		off := end - word + 1
		if off < 0 {
			continue
		}
		if good++; same >= word-1 {
			good = 0
		}
		if good == stride {
			return off - stride + 1
		}
	}
	return 0
}

// class is the longest extent that fits at each of the first offsets of a form.
func class(form, stride int) int {
	c := 0
	for c+1 < len(extents) && form >= stride-1+extents[c+1] {
		c++
	}
	return c
}

func sample(b []byte) uint64 { return binary.LittleEndian.Uint64(b) | foldCase }

// head is the sample at the start of b, where b may be shorter.
func head(b []byte) uint64 {
	if len(b) >= sampled {
		return sample(b)
	}
	var word [sampled]byte
	copy(word[:], b)
	return sample(word[:])
}

// key stands for the first bytes of b: an extent, or for 0 the word.
func (p *pass) key(b []byte, extent int) uint64 {
	if extent == 0 {
		return mix(head(b) * p.spread)
	}
	h := uint64(0)
	for at := 0; at < extent; at += sampled {
		h = mix((h ^ sample(b[at:])) * golden)
	}
	return h
}

func mix(h uint64) uint64 { return h ^ h>>32 }

// find appends one hit for every form that lies wholly in b.
func (p *pass) find(hits []Hit, b []byte) []Hit {
	i := 0
	if p.stride == longStride {
		hits, i = p.batches(hits, b)
	}
	for ; i < len(b); i += p.stride { // a word that ends with b has no room to be loaded
		if ask(p.filter, head(b[i:]), p.spread, p.shift)&1 != 0 {
			hits = p.verify(hits, b, i)
		}
	}
	return hits
}

// batches looks at four samples at a time, so that their loads overlap, and
// says where it stopped.
func (p *pass) batches(hits []Hit, b []byte) ([]Hit, int) {
	const span = (batch-1)*longStride + sampled
	filter, spread, shift := p.filter, p.spread, p.shift
	i := 0
	for ; i+span <= len(b); i += batch * longStride {
		s := (*[span]byte)(b[i:])
		maybe := ask(filter, sample(s[0:]), spread, shift) |
			ask(filter, sample(s[longStride:]), spread, shift) |
			ask(filter, sample(s[2*longStride:]), spread, shift) |
			ask(filter, sample(s[3*longStride:]), spread, shift)
		if maybe&1 != 0 {
			for at := 0; at < span; at += longStride {
				if ask(filter, sample(s[at:]), spread, shift)&1 != 0 {
					hits = p.verify(hits, b, i+at)
				}
			}
		}
	}
	return hits, i
}

// ask is whether the filter may have a word, in the lowest bit.
func ask(filter []uint64, w, spread uint64, shift uint) uint64 {
	h := w * spread >> (shift & 63)
	f := filter[h>>12]
	return f >> (h & 63) & (f >> (h >> 6 & 63))
}

func (p *pass) verify(hits []Hit, b []byte, at int) []Hit {
	classes := p.words.find(p.key(b[at:], 0))
	for c := 0; classes != 0; c, classes = c+1, classes>>1 {
		if classes&1 == 0 || at+extents[c] > len(b) {
			continue
		}
		t := &p.tables[c]
		for key, i := p.key(b[at:], extents[c]), -1; ; {
			if i = t.next(key, i); i < 0 {
				break
			}
			form, off := t.slots[i].place()
			if h, ok := p.compare(form, b, at-off); ok {
				hits = append(hits, h)
			}
		}
	}
	return hits
}

func (p *pass) compare(form int, b []byte, start int) (Hit, bool) {
	f := &p.forms[form]
	end := start + len(f.Text)
	if start < 0 || end > len(b) || !f.is(b[start:end]) {
		return Hit{}, false
	}
	return Hit{Secret: f.secret, Technique: f.Technique, Offset: int64(start), Length: len(f.Text), Bits: f.Bits}, true
}

func (f *Form) is(b []byte) bool {
	if f.Fold {
		return folds(f.Text, b)
	}
	return bytes.Equal(f.Text, b)
}
