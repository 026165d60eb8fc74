package container

import "postern/observers/canary/layer"

// samplesMax is how many samples of a picture or a sound are read bit by bit.
const samplesMax = 1 << 20

// samples yields samples as they are, each channel, and their least significant
// bits, packed both ways: of all channels, of the colours alone, of each, and
// with the colours the other way round.
func (w *work) samples(t layer.Technique, off int, b []byte, channels int) {
	w.view(t, off, b)
	b = b[:min(len(b), samplesMax)]
	w.lowBits(t, off, b)
	if channels < 2 {
		return
	}
	planes := deal(b, channels)
	for _, p := range planes {
		w.view(t, off, p)
		w.lowBits(t, off, p)
	}
	if channels >= 3 {
		w.lowBits(t, off, braid(planes[2], planes[1], planes[0]))
	}
	if channels == 4 {
		w.lowBits(t, off, braid(planes[0], planes[1], planes[2]))
	}
}

// lowBits yields the lowest bit of each sample, and the lowest two, three and four.
func (w *work) lowBits(t layer.Technique, off int, b []byte) {
	if len(b) < 64 {
		return
	}
	w.view(t, off, packBitsMSB(b))
	w.view(t, off, packBitsLSB(b))
	w.view(t, off, packLow(b, 2))
	w.view(t, off, packLow(b, 4))
	second := make([]byte, len(b))
	for i, c := range b {
		second[i] = c >> 1
	}
	w.view(t, off, packBitsMSB(second))
}

// packLow packs the lowest n bits of each byte, the first as the highest.
func packLow(b []byte, n uint) []byte {
	per := 8 / int(n)
	out := make([]byte, len(b)/per)
	for i := range len(out) * per {
		out[i/per] = out[i/per]<<n | b[i]&(1<<n-1)
	}
	return out
}

// deal gives every nth byte to each of n.
func deal(b []byte, n int) [][]byte {
	out := make([][]byte, n)
	for k := range out {
		out[k] = make([]byte, 0, len(b)/n+1)
		for i := k; i < len(b); i += n {
			out[k] = append(out[k], b[i])
		}
	}
	return out
}

// braid is the reverse of deal, up to the end of the shortest.
func braid(planes ...[]byte) []byte {
	n := len(planes[0])
	for _, p := range planes {
		n = min(n, len(p))
	}
	out := make([]byte, 0, n*len(planes))
	for i := range n {
		for _, p := range planes {
			out = append(out, p[i])
		}
	}
	return out
}
