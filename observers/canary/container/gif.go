package container

import (
	"bytes"
	"compress/lzw"
	"encoding/binary"

	"postern/observers/canary/layer"
)

const Gif layer.Technique = "gif"

// openGif joins the sub-blocks of comments and the like, and decodes the
// frames to palette indices.
func openGif(w *work, i int) int {
	if i+13 > len(w.b) {
		return i
	}
	var c columns
	at := i + 13
	if flags := w.b[i+10]; flags&0x80 != 0 {
		at = w.gifPalette(at, flags)
	}
	for at < len(w.b) && c.next() && !w.done {
		switch w.b[at] {
		case 0x21:
			at = w.gifExtension(&c, at)
		case 0x2c:
			at = w.gifFrame(at)
		case 0x3b:
			c.show(w, Gif, i, true)
			w.part(Gif, at+1, w.b[at+1:])
			return at + 1
		default:
			c.show(w, Gif, i, true)
			return at
		}
	}
	c.show(w, Gif, i, true)
	return min(at, len(w.b))
}

func (w *work) gifPalette(at int, flags byte) int {
	end := min(at+3<<(flags&7+1), len(w.b))
	w.samples(Gif, at, w.b[min(at, end):end], 3)
	return end
}

func (w *work) gifExtension(c *columns, at int) int {
	if at+2 > len(w.b) {
		return len(w.b)
	}
	data, end := subBlocks(w.b, at+2)
	label := w.b[at+1]
	if label == 0xf9 && len(data) >= 4 {
		c.num(0, uint64(binary.LittleEndian.Uint16(data[1:]))) // the delay
		c.num(1, uint64(data[3]))
	}
	c.text(2+int(label), data)
	if end-at-3 > len(data)+1 { // in more than one block
		w.view(Gif, at, data)
	}
	return end
}

func (w *work) gifFrame(at int) int {
	if at+11 > len(w.b) {
		return len(w.b)
	}
	flags, at := w.b[at+9], at+10
	if flags&0x80 != 0 {
		at = w.gifPalette(at, flags)
	}
	if at >= len(w.b) {
		return len(w.b)
	}
	width := int(w.b[at])
	data, end := subBlocks(w.b, at+1)
	if width < 2 || width > 8 {
		return end
	}
	var pixels []byte
	w.unpack(Gif, at, func(limit int) ([]byte, bool) {
		out, cut, _ := drain(nil, lzw.NewReader(bytes.NewReader(data), lzw.LSB, width), limit)
		w.charge(len(data) + 1<<14)
		pixels = out
		return out, cut
	})
	w.lowBits(Gif, at, pixels[:min(len(pixels), samplesMax)])
	return end
}

// subBlocks joins blocks that begin with their length, up to an empty one.
func subBlocks(b []byte, at int) (data []byte, end int) {
	for at < len(b) && b[at] != 0 {
		data = append(data, b[at+1:min(at+1+int(b[at]), len(b))]...)
		at += 1 + int(b[at])
	}
	return data, min(at+1, len(b))
}
