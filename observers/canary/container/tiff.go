package container

import (
	"bytes"
	"encoding/binary"

	"golang.org/x/image/tiff/lzw"

	"postern/observers/canary/layer"
)

const Tiff layer.Technique = "tiff"

// tiffFile is one file, or the EXIF part of another.
type tiffFile struct {
	b     []byte
	order binary.ByteOrder
	seen  map[uint32]bool
	c     columns
}

// openTiff reads every directory, joins the strips of its picture, and shows
// values by tag over all directories.
func openTiff(w *work, i int) int {
	b := w.b[i:]
	if len(b) < 8 {
		return i
	}
	t := &tiffFile{b: b, order: binary.LittleEndian, seen: map[uint32]bool{}}
	if b[0] == 'M' {
		t.order = binary.BigEndian
	}
	t.directory(w, i, t.order.Uint32(b[4:]))
	t.c.show(w, Tiff, i, true)
	return i
}

// directory reads one, those that it points to, and the next, each once.
func (t *tiffFile) directory(w *work, off int, at uint32) {
	for at >= 8 && int64(at)+2 <= int64(len(t.b)) && !t.seen[at] && len(t.seen) < 64 && !w.done {
		t.seen[at] = true
		n := int(t.order.Uint16(t.b[at:]))
		values := map[uint16][]uint32{}
		pos := int(at) + 2
		for ; n > 0 && pos+12 <= len(t.b); n, pos = n-1, pos+12 {
			tag, v := t.entry(t.b[pos : pos+12])
			values[tag] = v
			if (tag == 0x8769 || tag == 0x8825 || tag == 0x14a || tag == 0xa005) && len(v) > 0 {
				t.directory(w, off, v[0])
			}
		}
		t.picture(w, off, values)
		if pos+4 > len(t.b) {
			return
		}
		at = t.order.Uint32(t.b[pos:])
	}
}

// entry reads numbers; texts stand in the input as they are.
func (t *tiffFile) entry(e []byte) (tag uint16, values []uint32) {
	tag, kind, n := t.order.Uint16(e), t.order.Uint16(e[2:]), int64(t.order.Uint32(e[4:]))
	sizes := []int64{0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8}
	if int(kind) >= len(sizes) || n == 0 {
		return tag, nil
	}
	size := sizes[kind]
	data := e[8:12]
	if n*size > 4 {
		at := int64(t.order.Uint32(e[8:]))
		if at >= int64(len(t.b)) {
			return tag, nil
		}
		data = t.b[at:min(at+n*size, int64(len(t.b)))]
	}
	data = data[:min(int64(len(data)), n*max(size, 1), 1<<20)]
	if t.c.next() {
		t.c.text(int(kind), data)
	}
	for len(data) >= int(size) && size > 0 && kind != 5 && kind != 10 && kind != 12 {
		switch size {
		case 1:
			values = append(values, uint32(data[0]))
		case 2:
			values = append(values, uint32(t.order.Uint16(data)))
		case 4:
			values = append(values, t.order.Uint32(data))
		}
		data = data[size:]
	}
	return tag, values
}

// picture joins the strips or tiles and yields the samples.
func (t *tiffFile) picture(w *work, off int, values map[uint16][]uint32) {
	offsets, sizes := values[0x111], values[0x117]
	if len(offsets) == 0 {
		offsets, sizes = values[0x144], values[0x145]
	}
	one := func(tag uint16, other uint32) uint32 {
		if v := values[tag]; len(v) > 0 {
			return v[0]
		}
		return other
	}
	var out []byte
	limit := w.limit()
	for n := range min(len(offsets), len(sizes)) {
		at := int64(offsets[n])
		if at >= int64(len(t.b)) || len(out) >= limit || !w.charge(64) {
			continue
		}
		strip := t.b[at:min(at+int64(sizes[n]), int64(len(t.b)))]
		strip = w.tiffStrip(strip, one(0x103, 1), limit-len(out))
		if one(0x13d, 1) == 2 {
			unpredict(strip, int(one(0x100, 1)), int(one(0x115, 1)))
		}
		out = append(out, strip...)
	}
	w.samples(Tiff, off, out, int(min(one(0x115, 1), 4)))
}

// tiffStrip decodes by the compression's number.
func (w *work) tiffStrip(b []byte, method uint32, limit int) (out []byte) {
	w.charge(len(b))
	switch method {
	case 1:
		return bytes.Clone(b[:min(len(b), limit)])
	case 5:
		out, _, _ = drain(nil, lzw.NewReader(bytes.NewReader(b), lzw.MSB, 8), limit)
	case 8, 32946:
		if len(b) > 2 {
			out = w.inflate(b[2:], nil, limit).out
		}
	case 32773:
		out, _ = packBits(b, limit)
	}
	return out
}

// unpredict undoes horizontal differencing of samples of eight bits.
func unpredict(b []byte, width, step int) {
	if width <= 0 || step <= 0 || width > 1<<20 || step > 8 {
		return
	}
	for row := 0; row < len(b); row += width * step {
		undelta(b[row:min(row+width*step, len(b))], step)
	}
}
