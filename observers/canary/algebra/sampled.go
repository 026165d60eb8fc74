package algebra

import (
	"slices"

	"postern/observers/canary/layer"
	"postern/observers/canary/words"
)

// Sampled is a secret in a few bits of each sample of a picture or a sound, or
// of each byte of anything.
const Sampled layer.Technique = "sampled-bits"

// sampled recognises one, two or four bits of each sample: a word of 32 bits is
// looked up once in as many samples as leave one word inside every secret.
type sampled struct {
	width int // bits of each sample
	words.Table
	rows []sampledRow
}

type sampledRow struct {
	secret int
	values []byte // of each sample
	whole  int    // bits of the secret in all of them
}

const (
	sampledWord  = 32      // bits that are looked up
	sampledLeast = 128     // bits that a secret fills
	sampledInput = 4 << 20 // bytes of an input that is read for samples
)

func newSampled() []*sampled { return []*sampled{{width: 1}, {width: 2}, {width: 4}} }

// step is how many samples lie between two words.
func (x *sampled) step() int { return (sampledLeast-sampledWord)/x.width + 1 }

// take enters the bits of a carrier in both orders within a byte, and turned.
func (x *sampled) take(c carrier, whole int) {
	if c.kind == nibble || c.foreign || 8*len(c.bytes) < sampledLeast {
		return
	}
	for _, low := range []bool{false, true} {
		values := parted(c.bytes, x.width, low)
		x.hold(sampledRow{c.secret, values, whole})
		x.hold(sampledRow{c.secret, mapped(values, func(v byte) byte { return v ^ (1<<x.width - 1) }), whole})
	}
}

func (x *sampled) hold(r sampledRow) {
	x.rows = append(x.rows, r)
	for at := range x.step() {
		if word := x.word(r.values, at, 1, 0); word != 0 && word != 1<<sampledWord-1 {
			x.Add(word, len(x.rows)-1, at)
		}
	}
}

// parted cuts bytes into values of some bits, the highest or the lowest first.
func parted(b []byte, width int, low bool) []byte {
	var out []byte
	for _, c := range b {
		for at := 0; at < 8; at += width {
			shift := 8 - width - at
			if low {
				shift = at
			}
			out = append(out, c>>shift&(1<<width-1))
		}
	}
	return out
}

// word gathers the bits that are looked up, of samples that stand apart.
func (x *sampled) word(b []byte, p, stride, shift int) (word uint64) {
	mask := byte(1<<x.width - 1)
	for range sampledWord / x.width {
		word = word<<x.width | uint64(b[p]>>shift&mask)
		p += stride
	}
	return word
}

// reading says which bits of which bytes are samples.
type reading struct{ width, stride, shift int }

func readings() []reading {
	return []reading{
		{1, 1, 0}, {1, 2, 0}, {1, 3, 0}, {1, 4, 0}, {1, 1, 1}, {1, 1, 7},
		{2, 1, 0}, {2, 2, 0}, {2, 4, 0}, {4, 1, 0}, {4, 2, 0}, {4, 1, 4},
	}
}

// sampledBits reads a piece as samples, and also without every fourth byte, as
// pixels with their transparency are.
func (s *search) sampledBits() {
	if len(s.b) > sampledInput {
		return
	}
	for _, r := range s.readings {
		s.samples(s.b, r, func(p int) int { return p })
	}
	if len(s.b) <= otherInput && 3*len(s.b) >= 4*enough {
		opaque := make([]byte, 0, len(s.b)/4*3+3)
		for pixel := range slices.Chunk(s.b, 4) {
			opaque = append(opaque, pixel[:min(3, len(pixel))]...)
		}
		s.samples(opaque, reading{1, 1, 0}, func(p int) int { return p / 3 * 4 })
	}
}

// samples looks every secret up; place is where a byte of b is in the input.
func (s *search) samples(b []byte, r reading, place func(int) int) {
	if (len(b)+r.stride-1)/r.stride*r.width < enough {
		return
	}
	for _, x := range s.sampled {
		if x.width != r.width || len(x.rows) == 0 {
			continue
		}
		span := (sampledWord/x.width - 1) * r.stride
		for block := 0; block+span < len(b) && !s.done; block += x.step() * r.stride {
			for p := block; p < min(block+r.stride, len(b)-span); p++ {
				if word := x.word(b, p, r.stride, r.shift); x.May(word) {
					x.Each(word, func(number, at int) bool {
						s.sampledRow(b, &x.rows[number], r, p-at*r.stride, at, place)
						return !s.done
					})
				}
			}
		}
	}
}

// sampledRow compares all of a secret that begins at p, and reports as much as
// there is around the word at its value number at.
func (s *search) sampledRow(b []byte, row *sampledRow, r reading, p, at int, place func(int) int) {
	same := func(i int) bool {
		q := p + i*r.stride
		return q >= 0 && q < len(b) && b[q]>>r.shift&(1<<r.width-1) == row.values[i]
	}
	lo, hi := at, at
	for hi < len(row.values) && same(hi) {
		hi++
	}
	for lo > 0 && same(lo-1) {
		lo--
	}
	if bits := (hi - lo) * row.whole / len(row.values); bits >= enough {
		s.report(row.secret, Sampled, place(p+lo*r.stride), bits)
	}
}
