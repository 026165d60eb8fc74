package algebra

import (
	"encoding/binary"

	"postern/observers/canary/layer"
	"postern/observers/canary/words"
)

// operator makes a sequence of differences out of bytes.
type operator struct {
	kind     opKind
	distance int
}

type opKind int

const (
	xor    opKind = iota // each byte xor the one at the distance
	sub                  // the one at the distance less each
	second               // the difference of differences
)

// at is the difference at p, where neighbours stand stride bytes apart.
func (o operator) at(b []byte, p, stride int) byte {
	switch o.kind {
	case xor:
		return b[p] ^ b[p+o.distance*stride]
	case sub:
		return b[p+o.distance*stride] - b[p]
	}
	return b[p+2*stride] - 2*b[p+stride] + b[p]
}

// of lists the differences of x.
func (o operator) of(x []byte) []byte {
	if len(x) <= o.distance {
		return nil
	}
	out := make([]byte, len(x)-o.distance)
	for i := range out {
		out[i] = o.at(x, i, 1)
	}
	return out
}

// pattern is a sequence of differences that one dress of one secret has.
type pattern struct {
	secret    int
	technique layer.Technique
	bytes     []byte
	bits      int // of the secret, in each byte
	whole     int // bits of the secret, where all of it is there
	lost      int // bytes of the secret more than differences
	counter   bool
}

// table samples the differences of the input: one word of width bytes every
// step, so that each pattern of width+step-1 bytes has one sample inside.
type table struct {
	operator
	width, step int
	words.Table
	patterns []pattern
}

const (
	minDistinct = 5 // different bytes in a pattern
)

// hold takes a pattern in, unless it is too plain to mean anything.
func (t *table) hold(p pattern) {
	if len(p.bytes) < t.width || distinct(p.bytes) < minDistinct {
		return
	}
	t.patterns = append(t.patterns, p)
	for at := 0; at < t.step && at+t.width <= len(p.bytes); at++ {
		word := p.bytes[at : at+t.width]
		if p.counter {
			t.holdCounted(word, at)
		} else if telling(word) {
			t.Add(little(word), len(t.patterns)-1, at)
		}
	}
}

// telling leaves out words that periods and tables are full of.
func telling(word []byte) bool { return distinct(word) > 1+len(word)/8 }

// holdCounted adds the word under every counter: from one number to the next
// the low bits turn over, all eight of the counts of trailing ones occur, and
// in eight steps only one turns over more than three bits.
func (t *table) holdCounted(word []byte, at int) {
	seen := map[uint64]bool{}
	for start := range 256 {
		var turned [8]byte
		for i := range word {
			turned[i] = word[i] ^ byte(start+i) ^ byte(start+i+1)
		}
		if key := little(turned[:t.width]); !seen[key] && telling(turned[:t.width]) {
			seen[key] = true
			t.Add(key, len(t.patterns)-1, at)
		}
	}
}

func little(word []byte) uint64 {
	var b [8]byte
	copy(b[:], word)
	return binary.LittleEndian.Uint64(b[:])
}

// pass looks at the samples from lo up to hi. It reads past hi, and leaves to
// the tail what would read past b.
func (t *table) pass(b []byte, lo, hi int, hit func(p int)) {
	first := (lo + t.step - 1) / t.step * t.step
	end := min(hi, len(b)-t.distance-7)
	switch t.kind {
	case xor:
		t.passXor(b, first, end, hit)
	case sub:
		t.passSub(b, first, end, hit)
	default:
		t.passSecond(b, first, end, hit)
	}
	if hi == len(b) {
		t.tail(b, max(first, (end+t.step-1)/t.step*t.step), hit)
	}
}

func (t *table) passXor(b []byte, p, end int, hit func(int)) {
	mask, k, step := t.mask(), t.distance, t.step
	for ; p < end; p += step {
		w := (binary.LittleEndian.Uint64(b[p:]) ^ binary.LittleEndian.Uint64(b[p+k:])) & mask
		if t.May(w) {
			hit(p)
		}
	}
}

func (t *table) passSub(b []byte, p, end int, hit func(int)) {
	mask, k, step := t.mask(), t.distance, t.step
	for ; p < end; p += step {
		w := less(binary.LittleEndian.Uint64(b[p+k:]), binary.LittleEndian.Uint64(b[p:])) & mask
		if t.May(w) {
			hit(p)
		}
	}
}

func (t *table) passSecond(b []byte, p, end int, hit func(int)) {
	mask, step := t.mask(), t.step
	for ; p < end; p += step {
		middle := binary.LittleEndian.Uint64(b[p+1:])
		w := less(binary.LittleEndian.Uint64(b[p+2:]), middle)
		w = less(w, less(middle, binary.LittleEndian.Uint64(b[p:]))) & mask
		if t.May(w) {
			hit(p)
		}
	}
}

// less subtracts the eight bytes of y from those of x.
func less(x, y uint64) uint64 {
	const top = 0x8080808080808080
	return (x | top - y&^top) ^ (x^^y)&top
}

func (t *table) mask() uint64 { return ^uint64(0) >> (64 - 8*t.width) }

func (t *table) tail(b []byte, p int, hit func(int)) {
	for ; p+t.distance+t.width <= len(b); p += t.step {
		if t.May(t.word(b, p, 1)) {
			hit(p)
		}
	}
}

// word gathers the differences that are looked up.
func (t *table) word(b []byte, p, stride int) uint64 {
	var w uint64
	for i := range t.width {
		w |= uint64(t.at(b, p+i*stride, stride)) << (8 * i)
	}
	return w
}

// passApart samples bytes that stand stride apart, at every phase.
func (t *table) passApart(b []byte, stride int, hit func(p int)) {
	for block := 0; block+4*stride < len(b); block += t.step * stride {
		for p, end := block, min(block+stride, len(b)-4*stride); p < end; p++ {
			b1, b2, b3 := b[p+stride], b[p+2*stride], b[p+3*stride]
			w := uint64(b[p]^b1) | uint64(b1^b2)<<8 | uint64(b2^b3)<<16 | uint64(b3^b[p+4*stride])<<24
			if t.May(w) {
				hit(p)
			}
		}
	}
}
