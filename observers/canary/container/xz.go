package container

import (
	"bytes"
	"encoding/binary"

	"postern/observers/canary/layer"
)

const (
	Xz   layer.Technique = "xz"
	Lzma layer.Technique = "lzma"
	Lzip layer.Technique = "lzip"
)

const xzMagic = "\xfd7zXZ\x00"

// openXz joins the blocks of all streams that follow one another.
func openXz(w *work, i int) int {
	end := i
	w.unpack(Xz, i, func(limit int) (out []byte, cut bool) {
		out, cut, end = w.unxz(w.b, i, limit)
		return out, cut
	})
	return max(i+1, end)
}

// unxz says where in b it ended.
func (w *work) unxz(b []byte, i, limit int) (out []byte, cut bool, at int) {
	for at = i; at < len(b) && !cut && !w.done; {
		switch {
		case bytes.HasPrefix(b[at:], []byte(xzMagic)):
			at += 12
		case b[at] == 0: // the index, and padding between streams
			next := bytes.Index(b[at:min(len(b), at+1<<16)], []byte(xzMagic))
			if next < 0 {
				return out, false, at
			}
			at += next
		default:
			block, end, more := w.xzBlock(b, at, limit-len(out))
			if out, cut = append(out, block...), more; end == at {
				return out, cut, at
			}
			at = end
		}
	}
	return out, cut, at
}

// xzBlock decodes the LZMA2 chunks after a block's header and undoes a delta
// filter; the filters for machine code leave texts alone.
func (w *work) xzBlock(b []byte, at, limit int) (out []byte, end int, cut bool) {
	header := (int(b[at]) + 1) * 4
	if at+header > len(b) {
		return nil, at, false
	}
	delta := xzDelta(b[at+2 : at+header])
	n, _ := lzma2Len(b[at+header:])
	out, cut = w.lzma2(b[at+header:at+header+n], limit)
	if delta > 0 {
		undelta(out, delta)
	}
	end = at + header + n
	end += (4 - n&3) & 3
	for _, check := range []int{0, 4, 8, 16, 32, 64} {
		if e := end + check; e < len(b) && (b[e] == 0 || xzHeaderCRC(b[e:])) {
			return out, e, cut
		}
	}
	return out, min(end, len(b)), cut
}

// xzHeaderCRC recognises the next block's header, which tells how long the
// check before it was.
func xzHeaderCRC(b []byte) bool {
	n := (int(b[0]) + 1) * 4
	return len(b) > n && b[1]&0x3c == 0 && (b[2] == 0x21 || b[2] == 3)
}

// xzDelta is the distance of a delta filter that comes first, or 0.
func xzDelta(h []byte) int {
	if len(h) >= 3 && h[0] == 3 && h[1] == 1 {
		return int(h[2]) + 1
	}
	return 0
}

func undelta(b []byte, distance int) {
	for i := distance; i < len(b); i++ {
		b[i] += b[i-distance]
	}
}

// lzma2Len is how long a chain of chunks is, and what it says that it holds.
func lzma2Len(b []byte) (n, size int) {
	for n < len(b) {
		c := b[n]
		switch {
		case c == 0:
			return n + 1, size
		case c <= 2 && n+3 <= len(b):
			k := int(binary.BigEndian.Uint16(b[n+1:])) + 1
			n, size = n+3+k, size+k
		case c >= 0x80 && n+6 <= len(b):
			size += int(c&0x1f)<<16 + int(binary.BigEndian.Uint16(b[n+1:])) + 1
			n += 5 + int(binary.BigEndian.Uint16(b[n+3:])) + 1
			if c >= 0xc0 {
				n++
			}
		default:
			return n, size
		}
	}
	return len(b), size
}

// lzma2 decodes a chain of chunks up to where it breaks.
func (w *work) lzma2(b []byte, limit int) (out []byte, cut bool) {
	d, ready := &lzmaDecoder{}, false
	for at := 0; at < len(b) && !cut; {
		c := b[at]
		switch {
		case c == 1 || c == 2:
			if at+3 > len(b) {
				return d.out, false
			}
			n := int(binary.BigEndian.Uint16(b[at+1:])) + 1
			if c == 1 {
				d.base = len(d.out)
			}
			d.out = append(d.out, b[at+3:min(at+3+n, len(b))]...)
			at += 3 + n
		case c >= 0x80 && at+7 <= len(b):
			size := int(c&0x1f)<<16 + int(binary.BigEndian.Uint16(b[at+1:])) + 1
			n := int(binary.BigEndian.Uint16(b[at+3:])) + 1
			at += 5
			switch {
			case c >= 0xc0:
				if !d.setProps(b[at]) {
					return d.out, false
				}
				ready = true
				at++
			case c >= 0xa0 && ready:
				d.resetState()
			}
			if c >= 0xe0 {
				d.base = len(d.out)
			}
			w.charge(1 << 12)
			end := d.run2(ready, b[at:min(at+n, len(b))], min(len(d.out)+size, limit+1))
			if end != lzmaFull {
				return d.out, false
			}
			at += n
		default:
			return d.out, false
		}
		cut = len(d.out) > limit
	}
	w.charge(len(b))
	return d.out[:min(len(d.out), limit)], cut
}

// run2 is run for a chunk that starts its own range coder.
func (d *lzmaDecoder) run2(ready bool, in []byte, size int) lzmaEnd {
	if !ready || !d.start(in) {
		return lzmaBroken
	}
	return d.run(size)
}

// openLzma reads the format without a magic: a header with a likely dictionary
// and a size that is unknown or small.
func openLzma(w *work, i int) int {
	b := w.b[i:]
	if len(b) < 18 || b[13] != 0 {
		return i
	}
	dict := binary.LittleEndian.Uint32(b[1:])
	size := binary.LittleEndian.Uint64(b[5:])
	if dict&(dict-1) != 0 && dict&(dict>>1) == 0 && dict != 0xffffffff || size+1 > 1<<40 {
		return i
	}
	return i + w.unlzma(Lzma, i, b[0], size, b[13:])
}

// openLzmaAlone reads a stream of other properties than the usual ones, which are
// known by their first byte.
func openLzmaAlone(w *work) {
	if w.b[0] != 0x5d && w.b[0] != 0x6d && len(w.b) > 4 && binary.LittleEndian.Uint32(w.b[1:]) >= 1<<12 {
		openLzma(w, 0)
	}
}

// openLzip reads one member; the next has its own magic.
func openLzip(w *work, i int) int {
	b := w.b[i:]
	if len(b) < 12 || b[4] > 1 || b[5]&31 < 12 || b[5]&31 > 29 {
		return i
	}
	return i + w.unlzma(Lzip, i, 0x5d, ^uint64(0), b[6:])
}

// unlzma yields one stream, and says how much of b was read.
func (w *work) unlzma(t layer.Technique, off int, props byte, size uint64, b []byte) (used int) {
	w.unpack(t, off, func(limit int) ([]byte, bool) {
		used = 0
		out, cut, n := w.lzmaRaw(props, size, b, limit)
		if len(out) >= 8 {
			used = n
			return out, cut
		}
		return nil, false
	})
	return used
}

// lzmaRaw decodes a stream of a size that may be unknown (all ones).
func (w *work) lzmaRaw(props byte, size uint64, b []byte, limit int) (out []byte, cut bool, used int) {
	d := &lzmaDecoder{}
	if !d.setProps(props) || !d.start(b) {
		return nil, false, 0
	}
	most := limit + 1
	if size <= uint64(limit) {
		most = int(size)
	}
	d.run(most)
	w.charge(min(d.at, len(b)) + 1<<14)
	return d.out[:min(len(d.out), limit)], len(d.out) > limit, min(d.at, len(b))
}
