package container

import (
	"bytes"
	"io"

	"github.com/andybalholm/brotli"

	"postern/observers/canary/layer"
)

const (
	Brotli   layer.Technique = "brotli"
	PackBits layer.Technique = "packbits"
	Lzf      layer.Technique = "lzf"
)

const (
	bareSmall = 16 << 10 // below it, every offset may be the start of a stream
	bareHead  = 16       // bytes of an unknown header before one
)

// openBare tries each format without a magic where it is likely to begin.
func openBare(w *work) {
	if len(w.b) < 8 {
		return
	}
	openBrotli(w)
	openRawDeflate(w)
	openLZW(w)
	openLzmaAlone(w)
	openLZString(w)
	if len(w.b) <= bareSmall {
		openBareBlocks(w)
	}
}

// openRawDeflate tries the first offsets with every kind of block, those after
// the end of a line too, where small finds are heaped up, and all of a small
// piece with the kind whose head is telling.
func openRawDeflate(w *work) {
	n := bareHead
	if len(w.b) <= bareSmall {
		n = len(w.b)
	}
	for i := 0; i < min(n, len(w.b)) && !w.done; i++ {
		if !w.deflateMayBegin(i) || !plausibleDeflate(w.b[i:]) {
			continue
		}
		end := w.openDeflate(Deflate, i, i, i > 0)
		if dynamic := w.b[i]>>1&3 == 2; end > i && (i == 0 || dynamic) { // another kind may be there by chance
			i = end - 1
		}
	}
}

func (w *work) deflateMayBegin(i int) bool {
	switch kind := w.b[i] >> 1 & 3; {
	case i == 0 || kind == 2:
		return true
	case kind != 1:
		return false
	case w.b[i-1] == '\n':
		return true
	default:
		return i < bareHead && w.b[i]&1 == 1
	}
}

// openBrotli accepts a stream that comes to its end, or uses all that there is.
func openBrotli(w *work) {
	if !plausibleBrotli(w.b) {
		return
	}
	r, _ := w.pools.brotli.Get().(*brotli.Reader)
	if r == nil {
		r = brotli.NewReader(nil)
	}
	defer w.pools.brotli.Put(r)
	w.unpack(Brotli, 0, func(limit int) ([]byte, bool) {
		r.Reset(bytes.NewReader(w.b))
		out, cut, err := drain(nil, r, limit)
		w.charge(min(len(w.b), 64*len(out)+1<<10))
		if len(out) < 8 {
			return nil, cut
		}
		if !cut && err != io.EOF && err != io.ErrUnexpectedEOF && err.Error() != "brotli: excessive input" {
			return nil, false
		}
		return out, cut
	})
}

// openBareBlocks tries the block formats that a small piece may be as a whole.
func openBareBlocks(w *work) {
	b := w.b
	w.bareBlock(Lz4, 0, func(limit int) ([]byte, bool) { return lz4Block(nil, 0, b, limit) })
	w.bareBlock(Lz4, 4, func(limit int) ([]byte, bool) { return lz4Block(nil, 0, b[4:], limit) })
	w.bareBlock(PackBits, 0, func(limit int) ([]byte, bool) { return wholePackBits(b, limit) })
	w.bareBlock(Lzf, 0, func(limit int) ([]byte, bool) { return lzf(b, limit) })
	w.bareBlock(Snappy, 0, func(limit int) ([]byte, bool) { return snappyRaw(b, limit) })
}

// bareBlock yields what a block holds unless it is no more than a part of the
// block as it stands.
func (w *work) bareBlock(t layer.Technique, off int, decode func(limit int) ([]byte, bool)) {
	w.unpack(t, off, func(limit int) ([]byte, bool) {
		out, cut := decode(limit)
		w.charge(len(w.b))
		if len(out) < 8 || bytes.Contains(w.b, out) {
			return nil, cut
		}
		return out, cut
	})
}

// wholePackBits refuses what has no run in it or ends amid one: any text would do.
func wholePackBits(b []byte, limit int) (out []byte, cut bool) {
	runs := 0
	for i := 0; i < len(b); {
		switch n := int(b[i]); {
		case n < 128:
			i += n + 2
		case n > 128:
			runs++
			i += 2
		default:
			i++
		}
		if i > len(b) {
			return nil, false
		}
	}
	if runs == 0 {
		return nil, false
	}
	return packBits(b, limit)
}

// packBits undoes the run lengths of TIFF, PDF and MacPaint.
func packBits(b []byte, limit int) (out []byte, cut bool) {
	for i := 0; i < len(b); {
		n := int(b[i])
		i++
		switch {
		case n == 128:
			return out, false
		case n < 128:
			end := min(i+n+1, len(b))
			out = append(out, b[i:end]...)
			i = end
		case i < len(b):
			out = append(out, bytes.Repeat(b[i:i+1], 257-n)...)
			i++
		}
		if len(out) > limit {
			return out[:limit], true
		}
	}
	return out, false
}

// lzf decodes a block of LibLZF up to where it breaks.
func lzf(b []byte, limit int) (out []byte, cut bool) {
	for i := 0; i < len(b); {
		c := int(b[i])
		i++
		if c < 32 {
			end := min(i+c+1, len(b))
			out = append(out, b[i:end]...)
			i = end
			continue
		}
		n := c >> 5
		if n == 7 && i < len(b) {
			n += int(b[i])
			i++
		}
		if i >= len(b) {
			break
		}
		back := c&31<<8 + int(b[i]) + 1
		i++
		if back > len(out) {
			break
		}
		if len(out)+n+2 > limit {
			return out, true
		}
		out = copyBack(out, back, n+2)
	}
	return out, false
}
