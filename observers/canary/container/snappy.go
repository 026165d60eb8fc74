package container

import (
	"encoding/binary"

	"postern/observers/canary/layer"
)

const Snappy layer.Technique = "snappy"

// openSnappy reads the framed format chunk by chunk, of S2 too.
func openSnappy(w *work, i int) int {
	b, end := w.b[i:], 0
	w.unpack(Snappy, i, func(limit int) (out []byte, cut bool) {
		for end = 0; end+4 <= len(b) && !cut; {
			n := int(b[end+1]) | int(b[end+2])<<8 | int(b[end+3])<<16
			chunk := b[end+4 : min(end+4+n, len(b))]
			switch kind := b[end]; {
			case kind == 0 && len(chunk) > 4:
				_, k := binary.Uvarint(chunk[4:])
				out, cut = snappyBlock(out, chunk[4+max(k, 0):], limit)
			case kind == 1 && len(chunk) > 4:
				out = append(out, chunk[4:]...)
			case kind < 0x80:
				return out, false
			}
			end += 4 + n
		}
		end = min(end, len(b))
		w.charge(end)
		return out[:min(len(out), limit)], cut || len(out) > limit
	})
	return i + max(end, 1)
}

// snappyRaw is a block with its length, which may lie.
func snappyRaw(b []byte, limit int) (out []byte, cut bool) {
	n, k := binary.Uvarint(b)
	if k <= 0 || n < 8 || n > 64*uint64(len(b)) {
		return nil, false
	}
	return snappyBlock(nil, b[k:], min(limit, int(n)))
}

// snappyBlock appends what a block holds up to where it breaks.
func snappyBlock(out, b []byte, limit int) (_ []byte, cut bool) {
	from, back := len(out), 0
	for at := 0; at < len(b); {
		tag := int(b[at])
		at++
		n := tag>>2 + 1
		switch extra := []int{tag>>2 - 59, 1, 2, 4}[tag&3]; tag & 3 {
		case 0:
			if extra > 0 {
				n, at = int(little(b, at, extra))+1, at+extra
			}
			if n <= 0 || at > len(b) {
				return out, false
			}
			out = append(out, b[at:min(at+n, len(b))]...)
			at += n
			continue
		case 1:
			n = tag>>2&7 + 4
			if d := int(little(b, at, 1)) | tag>>5<<8; d > 0 {
				back = d
			} else { // S2: the last distance again
				var more int
				if n, more = repeatLen(b, at+1, n-4); more < 0 {
					return out, false
				}
				at += more
			}
			at++
		default:
			back, at = int(little(b, at, extra)), at+extra
		}
		if back <= 0 || back > len(out)-from || at > len(b) {
			return out, false
		}
		if len(out)+n > limit {
			return out, true
		}
		out = copyBack(out, back, n)
	}
	return out, len(out) > limit
}

// repeatLen is the length of a repetition of S2, and how many bytes say so.
func repeatLen(b []byte, at, code int) (n, more int) {
	switch {
	case code < 5:
		return code + 4, 0
	case at+code-4 > len(b):
		return 0, -1
	}
	return int(little(b, at, code-4)) + []int{8, 260, 65540}[code-5], code - 4
}

// little reads n bytes, least significant first; what is not there is 0.
func little(b []byte, at, n int) (v uint32) {
	for k := n - 1; k >= 0; k-- {
		v <<= 8
		if at+k < len(b) {
			v |= uint32(b[at+k])
		}
	}
	return v
}
