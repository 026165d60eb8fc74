package container

import (
	"bytes"
	"encoding/binary"
	"io"
	"math/bits"
	"sync"

	"github.com/klauspost/compress/flate"
)

// inflater is a decompressor that is used again for the next attempt.
type inflater struct {
	src bytes.Reader
	r   io.ReadCloser
	buf []byte
}

// inflated is what became of one attempt.
type inflated struct {
	out  []byte
	used int  // bytes of the input
	cut  bool // there is more than the limit
	end  bool // the stream came to its end
}

// pools keep decoders that are costly to make.
type pools struct{ flate, brotli sync.Pool }

// inflate decodes raw deflate as far as it goes.
func (w *work) inflate(in, dict []byte, limit int) (got inflated) {
	f, _ := w.pools.flate.Get().(*inflater)
	if f == nil {
		f = &inflater{}
		f.r = flate.NewReader(&f.src)
	}
	f.src.Reset(in)
	f.r.(flate.Resetter).Reset(&f.src, dict)
	out, cut, err := drain(f.buf[:0], f.r, limit)
	got = inflated{out: bytes.Clone(out), used: len(in) - f.src.Len(), cut: cut, end: err == io.EOF}
	f.src.Reset(nil)
	if cap(out) <= 1<<16 {
		f.buf = out
	}
	w.pools.flate.Put(f)
	w.charge(got.used + 64)
	return got
}

// plausibleDeflate looks at the head of the first block: nearly everything that
// is not deflate is refused without decoding.
func plausibleDeflate(b []byte) bool {
	if len(b) < 2 {
		return false
	}
	switch b[0] >> 1 & 3 {
	case 0:
		return len(b) >= 5 && b[1] == ^b[3] && b[2] == ^b[4]
	case 1: // the first symbol can only be a literal
		first := bits.Reverse8(b[0]>>3 | b[1]<<5)
		return first>>1 >= 24 && first&0xf8 != 0xc0
	case 2:
		return plausibleDynamic(b)
	}
	return false
}

// plausibleDynamic asks whether all three codes of a block are complete, as
// everyone writes them (RFC 1951, 3.2.7).
func plausibleDynamic(b []byte) bool {
	if len(b) < 12 || b[0]>>3 > 29 || b[1]&31 > 29 {
		return false
	}
	n := int(b[1]>>5|b[2]<<3)&15 + 4
	packed := (binary.LittleEndian.Uint64(b[2:])>>1 | uint64(b[10])<<63) & (1<<(3*n) - 1)
	sum := 0
	for v := packed; v != 0 && sum <= 128; v >>= 3 {
		sum += 128 >> (v & 7) & 127
	}
	if sum != 128 {
		return false
	}
	var lengths [19]uint8
	for i := range n {
		s := []uint8{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}[i]
		lengths[s] = uint8(packed >> (3 * i) & 7)
	}
	return completeCodes(b, 17+3*n, &lengths, int(b[0]>>3)+257, int(b[1]&31)+1)
}

// completeCodes reads the lengths of literals and distances at a bit offset.
func completeCodes(b []byte, at int, lengths *[19]uint8, literals, distances int) bool {
	table := codeTable(lengths)
	var sums [2]int
	prev, which := uint8(0), 0
	for i := 0; i < literals+distances; {
		if at+14 > 8*len(b) {
			return true // cut off: nobody can tell
		}
		e := table[bitsLSB(b, at, 7)]
		at += int(e & 7)
		n, l := 1, e>>3
		switch l {
		case 16:
			n, l, at = 3+int(bitsLSB(b, at, 2)), prev, at+2
		case 17:
			n, l, at = 3+int(bitsLSB(b, at, 3)), 0, at+3
		case 18:
			n, l, at = 11+int(bitsLSB(b, at, 7)), 0, at+7
		}
		for ; n > 0; n, i = n-1, i+1 {
			if which = 0; i >= literals {
				which = 1
			}
			if l > 0 {
				sums[which] += 1 << (15 - l)
			}
		}
		if i > literals+distances || sums[0] > 1<<15 || sums[1] > 1<<15 {
			return false
		}
		prev = l
	}
	return sums[0] == 1<<15 && (sums[1] == 1<<15 || sums[1] == 0 || sums[1] == 1<<14)
}

// codeTable has the symbol and the length for each next seven bits.
func codeTable(lengths *[19]uint8) (table [128]uint8) {
	code := 0
	for l := 1; l <= 7; l++ {
		for s, n := range lengths {
			if int(n) != l {
				continue
			}
			step := 1 << l
			for k := int(bits.Reverse8(uint8(code))) >> (8 - l); k < 128; k += step {
				table[k] = uint8(s)<<3 | uint8(l)
			}
			code++
		}
		code <<= 1
	}
	return table
}
