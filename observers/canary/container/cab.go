package container

import (
	"encoding/binary"

	"postern/observers/canary/layer"
)

const Cab layer.Technique = "cab"

// openCab joins the data blocks of each folder; those of MSZIP go on from what
// the block before held.
func openCab(w *work, i int) int {
	b := w.b[i:]
	if len(b) < 44 || b[24] != 3 || b[25] != 1 {
		return i
	}
	folders, flags, at := int(binary.LittleEndian.Uint16(b[26:])), b[30], 36
	if flags&4 != 0 {
		at += 4 + int(binary.LittleEndian.Uint16(b[36:]))
		return i + w.cabFolders(i, at, folders, 8+int(b[38]), int(b[39]))
	}
	return i + w.cabFolders(i, at, folders, 8, 0)
}

func (w *work) cabFolders(i, at, folders, step, reserved int) int {
	b := w.b[i:]
	for ; folders > 0 && at+8 <= len(b) && !w.done; folders, at = folders-1, at+step {
		data, blocks := int(binary.LittleEndian.Uint32(b[at:])), int(binary.LittleEndian.Uint16(b[at+4:]))
		method := b[at+6] & 15
		if method > 1 {
			w.room.Spend()
			continue
		}
		w.unpack(Cab, i+data, func(limit int) (out []byte, cut bool) {
			for pos, n := data, blocks; n > 0 && pos+8 <= len(b) && !cut; n-- {
				size := int(binary.LittleEndian.Uint16(b[pos+4:]))
				from := min(pos+8+reserved, len(b))
				pos = from + size
				block := b[from:min(pos, len(b))]
				if method == 0 {
					out = append(out, block...)
				} else if len(block) > 2 {
					got := w.inflate(block[2:], out[max(0, len(out)-32<<10):], limit-len(out))
					out, cut = append(out, got.out...), got.cut
				}
				cut = cut || len(out) >= limit
			}
			w.charge(len(out) / 8)
			return out[:min(len(out), limit)], cut
		})
	}
	return min(at, len(b))
}
