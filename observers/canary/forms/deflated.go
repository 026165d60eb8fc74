package forms

import (
	"math/bits"

	"postern/observers/canary/layer"
)

// FixedDeflate is text in a block of DEFLATE with the fixed codes (RFC 1951,
// 3.2.6), which short texts are compressed with: there every character below
// 144 takes eight bits, wherever in a byte it begins.
const FixedDeflate layer.Technique = "deflate-fixed"

// deflated are the literals of such a block. Where three characters were there
// before, the writer refers to them, and this is not the form.
func deflated(w *wardrobe) {
	for _, s := range w.texts {
		codes := w.mapped(s.b, func(c byte) byte { return bits.Reverse8(c + 0x30) })
		w.add(FixedDeflate, s.bits, codes)
		for n := 1; n < 8; n++ {
			out := make([]byte, len(codes)-1)
			for i := range out {
				out[i] = codes[i]>>(8-n) | codes[i+1]<<n
			}
			w.add(FixedDeflate, s.bits*(8*len(codes)-8)/(8*len(codes)), out)
		}
	}
}
