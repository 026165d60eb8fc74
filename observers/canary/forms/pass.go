package forms

import (
	"bytes"
	"encoding/binary"
)

const (
	longStride  = 10 // of few secrets: longer strides would need words that are in too much text
	denseStride = 5  // of many, whose samples of longer strides would fill more than a cache
	shortStride = 4
	maxSamples  = 1 << 20

	sampled  = 8                  // bytes that are loaded for a word
	batch    = 4                  // samples between two branches
	foldCase = 0x2020202020202020 // samples are compared in lower case
	golden   = 0x9e3779b97f4a7c15 // 2^64 / golden ratio: Fibonacci hashing
)

// pass looks at one word in a stride and asks a filter. Where that says maybe, it
// asks whether a form may begin at each of the places before, and of those a
// table for the forms that begin with what stands there. A stride is so short that every form holds one whole sample at some
// row of its offsets, from its anchor on.
type pass struct {
	least        int    // bytes in a form
	word, stride int    // bytes in a sample, and between two
	spread       uint64 // a multiplier that takes only a word's bytes to the top
	filter       []uint64
	shift        uint
	waiting      []uint64 // samples that are not yet in the filter
	anchors      anchors
	table        table
}

func newPass(least, stride, forms int) *pass {
	word := min(least-stride+1, sampled)
	p := &pass{least: least, word: word, stride: stride, spread: golden << (64 - 8*word), anchors: newAnchors(forms), table: newTable(forms)}
	p.filter, p.shift = newFilter(stride * forms)
	p.waiting = make([]uint64, 0, 1<<10)
	return p
}

// wide is how many bytes a long form has to begin with: of fewer, where symbols
// are wide, there are too many.
const wide = 32

// add takes a form, and reports whether there was room.
func (p *pass) add(text []byte, form uint32) bool {
	key, extent := p.narrowKey, p.least
	if len(text) >= wide {
		key, extent = wideKey, wide
	}
	first := start(text, p.word, p.stride, max(extent, p.word+p.stride-1))
	if len(p.waiting)+p.stride > cap(p.waiting) {
		p.settle()
	}
	for i := range p.stride {
		p.waiting = append(p.waiting, head(text[first+i:])*p.spread>>(p.shift&63))
	}
	p.anchors.add(sample(text[first:]))
	return p.table.add(key(text[first:]), ref(form, first))
}

// settle puts the samples that wait into the filter. That many at a time wait for
// the same memory at once.
func (p *pass) settle() {
	for _, h := range p.waiting {
		p.filter[h>>(6*marks)] |= 1<<(h&63) | 1<<(h>>6&63) | 1<<(h>>12&63)
	}
	p.waiting = p.waiting[:0]
}

// start is the first offset in a form at which samples are taken: where no
// word is one byte over and over, as in the blanks that files are full of. From
// there on a form has a number of bytes.
func start(text []byte, word, stride, extent int) int {
	good, same := 0, 0 // words in turn that are not so; bytes in turn that are like the one before
	for end := 1; end < min(len(text)-extent, 1<<offsetBits-stride)+stride+word-1; end++ {
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

// narrowKey stands for as many bytes as the shortest form has.
func (p *pass) narrowKey(b []byte) uint64 {
	return mix(sample(b)*factors[0] + sample(b[p.least-sampled:])*factors[1])
}

// wideKey stands for more.
func wideKey(b []byte) uint64 {
	return mix(sample(b)*factors[0] + sample(b[8:])*factors[1] + sample(b[16:])*factors[2] + sample(b[24:])*factors[3])
}

var factors = [...]uint64{golden, 0xd6e8feb86659fd93, 0xa0761d6478bd642f, 0xe7037ed1a0b428db}

func mix(h uint64) uint64 { return h ^ h>>32 }

// find appends one hit for every form that lies wholly in b.
func (p *pass) find(hits []Hit, b []byte, forms *numbered) []Hit {
	hits, i := p.batches(hits, b, forms)
	for ; i < len(b); i += p.stride { // a word that ends with b has no room to be loaded
		if ask(p.filter, head(b[i:]), p.spread, p.shift)&1 != 0 {
			hits = p.verify(hits, b, i, forms)
		}
	}
	return hits
}

// batches looks at four samples at a time, so that their loads overlap, and
// says where it stopped.
func (p *pass) batches(hits []Hit, b []byte, forms *numbered) ([]Hit, int) {
	filter, spread, shift, stride := p.filter, p.spread, p.shift, p.stride
	span := (batch-1)*stride + sampled
	i := 0
	for ; i+span <= len(b); i += batch * stride {
		s := b[i : i+span]
		maybe := ask(filter, sample(s), spread, shift) |
			ask(filter, sample(s[stride:]), spread, shift) |
			ask(filter, sample(s[2*stride:]), spread, shift) |
			ask(filter, sample(s[3*stride:]), spread, shift)
		if maybe&1 != 0 {
			for at := 0; at < batch*stride; at += stride {
				if ask(filter, sample(s[at:]), spread, shift)&1 != 0 {
					hits = p.verify(hits, b, i+at, forms)
				}
			}
		}
	}
	return hits, i
}

// ask is whether the filter may have a word, in the lowest bit.
func ask(filter []uint64, w, spread uint64, shift uint) uint64 {
	h := w * spread >> (shift & 63)
	f := filter[h>>(6*marks)]
	return f >> (h & 63) & (f >> (h >> 6 & 63)) & (f >> (h >> 12 & 63))
}

// verify looks for forms of which a sample may be at some place.
func (p *pass) verify(hits []Hit, b []byte, at int, forms *numbered) []Hit {
	for anchor := at; anchor >= 0 && anchor > at-p.stride; anchor-- {
		from := b[anchor:]
		if len(from) < p.least || !p.anchors.may(sample(from)) {
			continue
		}
		hits = p.begun(hits, b, anchor, p.narrowKey(from), forms)
		if len(from) >= wide {
			hits = p.begun(hits, b, anchor, wideKey(from), forms)
		}
	}
	return hits
}

// begun compares the forms whose anchors have a key.
func (p *pass) begun(hits []Hit, b []byte, anchor int, key uint64, forms *numbered) []Hit {
	for i := p.table.home(key); ; i = p.table.after(i) {
		for _, s := range p.table.bucket(i) {
			if s.tag != uint32(key) {
				continue
			}
			form, first := s.place()
			if h, ok := forms.compare(form, b, anchor-first); ok {
				hits = append(hits, h)
			}
		}
		if !p.table.full(i) {
			return hits
		}
	}
}

func (n *numbered) compare(form uint32, b []byte, start int) (Hit, bool) {
	if start < 0 {
		return Hit{}, false
	}
	secret, f := n.at(form)
	end := start + len(f.Text)
	if end > len(b) || !f.is(b[start:end]) {
		return Hit{}, false
	}
	return Hit{Secret: secret, Technique: f.Technique, Offset: int64(start), Length: len(f.Text), Bits: f.Bits}, true
}

func (f *Form) is(b []byte) bool {
	if f.Fold {
		return folds(f.Text, b)
	}
	return bytes.Equal(f.Text, b)
}

func (p *pass) memory() int { return 8*(len(p.filter)+len(p.anchors.bits)) + p.table.memory() }
