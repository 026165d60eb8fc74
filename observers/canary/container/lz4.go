package container

import (
	"encoding/binary"

	"postern/observers/canary/layer"
)

const Lz4 layer.Technique = "lz4"

// openLz4 reads the frame format, block by block: a broken one gives what it has.
func openLz4(w *work, i int) int {
	b := w.b[i:]
	if len(b) < 11 || b[4]>>6 != 1 {
		return i
	}
	flags, at := b[4], 7
	if flags&8 != 0 {
		at += 8
	}
	if flags&1 != 0 {
		at += 4
	}
	return i + w.lz4Blocks(i, at, int(flags>>4&1)*4, flags&0x20 == 0)
}

// openLz4Legacy reads the older frame, whose blocks go on to the end.
func openLz4Legacy(w *work, i int) int { return i + w.lz4Blocks(i, 4, 0, false) }

// lz4Blocks reads blocks from at on; linked ones refer to what came before.
func (w *work) lz4Blocks(off, at, check int, linked bool) (end int) {
	b := w.b[off:]
	w.unpack(Lz4, off, func(limit int) (out []byte, cut bool) {
		for end = at; end+4 <= len(b) && !cut; {
			size := binary.LittleEndian.Uint32(b[end:])
			n := int(size & 0x7fffffff)
			if n == 0 || n > 8<<20+1<<16 {
				break
			}
			block := b[end+4 : min(end+4+n, len(b))]
			if size>>31 != 0 {
				out = append(out, block...)
			} else {
				from := len(out)
				if linked {
					from = 0
				}
				out, cut = lz4Block(out, from, block, limit)
			}
			end += 4 + n + check
		}
		if len(out) > limit {
			out, cut = out[:limit], true
		}
		end = min(end, len(b))
		w.charge(end)
		return out, cut
	})
	return max(end, 1)
}

// lz4Block appends what a block holds up to where it breaks. Matches reach back
// to from.
func lz4Block(out []byte, from int, b []byte, limit int) (_ []byte, cut bool) {
	for at := 0; at < len(b); {
		token := b[at]
		at++
		var n int
		n, at = lz4Len(b, at, int(token>>4))
		lit := b[min(at, len(b)):min(at+n, len(b))]
		out = append(out, lit...)
		at += n
		if at+2 > len(b) {
			break
		}
		back := int(binary.LittleEndian.Uint16(b[at:]))
		n, at = lz4Len(b, at+2, int(token&15))
		if back == 0 || back > len(out)-from {
			break
		}
		if len(out)+n+4 > limit {
			return out, true
		}
		out = copyBack(out, back, n+4)
	}
	return out, false
}

// lz4Len adds the bytes of a length that does not fit into four bits.
func lz4Len(b []byte, at, n int) (int, int) {
	for more := n == 15; more && at < len(b); at++ {
		n += int(b[at])
		more = b[at] == 255
	}
	return n, at
}

// copyBack appends n bytes that stand back bytes before the end, one by one
// where they overlap.
func copyBack(out []byte, back, n int) []byte {
	if back >= n {
		return append(out, out[len(out)-back:len(out)-back+n]...)
	}
	for range n {
		out = append(out, out[len(out)-back])
	}
	return out
}
