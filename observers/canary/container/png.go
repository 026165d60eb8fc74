package container

import (
	"encoding/binary"

	"postern/observers/canary/layer"
)

const Png layer.Technique = "png"

const pngMagic = "\x89PNG\r\n\x1a\n"

// png is what the chunks said.
type png struct {
	width, height, depth, color int
	interlaced                  bool
	data                        []byte
	end                         int
}

// openPng joins the chunks of the image, inflates and unfilters them.
func openPng(w *work, i int) int {
	var c columns
	kinds := map[string]int{}
	p := png{end: i + 8}
	for p.end+12 <= len(w.b) && c.next() {
		n := int(binary.BigEndian.Uint32(w.b[p.end:]))
		name := string(w.b[p.end+4 : p.end+8])
		if !asciiLetters(name) {
			break
		}
		from := p.end + 8
		body := w.b[from:min(from+n, len(w.b))]
		p.end = min(from+n+4, len(w.b))
		p.chunk(name, body)
		if name != "IDAT" && len(kinds) < 64 {
			if _, ok := kinds[name]; !ok {
				kinds[name] = len(kinds)
			}
			c.text(1+kinds[name], body)
		}
		if name == "IEND" {
			break
		}
	}
	if c.rows < 2 {
		return i
	}
	c.show(w, Png, i, true)
	w.pngImage(&p, i)
	if p.end < len(w.b) {
		w.part(Png, p.end, w.b[p.end:])
	}
	return p.end
}

func asciiLetters(s string) bool {
	for _, c := range s {
		if c|0x20 < 'a' || c|0x20 > 'z' {
			return false
		}
	}
	return true
}

func (p *png) chunk(name string, body []byte) {
	switch {
	case name == "IHDR" && len(body) >= 13:
		p.width, p.height = int(binary.BigEndian.Uint32(body)), int(binary.BigEndian.Uint32(body[4:]))
		p.depth, p.color, p.interlaced = int(body[8]), int(body[9]), body[12] == 1
	case name == "IDAT":
		p.data = append(p.data, body...)
	case name == "fdAT" && len(body) > 4: // frames of an animation
		p.data = append(p.data, body[4:]...)
	}
}

// pngImage yields the scan lines as they were compressed and without filters.
func (w *work) pngImage(p *png, off int) {
	if len(p.data) < 2 {
		return
	}
	var lines []byte
	w.unpack(Png, off, func(limit int) ([]byte, bool) {
		got := w.inflate(p.data[2:], nil, limit)
		lines = got.out
		return got.out, got.cut
	})
	channels := []int{1, 0, 3, 1, 2, 0, 4}
	if p.color >= len(channels) || channels[p.color] == 0 || p.depth == 0 || p.depth > 16 || p.width <= 0 || p.width > 1<<24 {
		return
	}
	n := channels[p.color]
	raw, filters := unfilter(lines, (p.width*n*p.depth+7)/8, (n*p.depth+7)/8)
	w.view(Png, off, filters)
	if p.interlaced {
		w.view(Png, off, raw)
		return
	}
	if p.depth == 16 {
		high, low := deal(raw, 2)[0], deal(raw, 2)[1]
		w.view(Png, off, high)
		w.samples(Png, off, low, n)
		return
	}
	w.samples(Png, off, raw, n)
}

// unfilter undoes the filter of each scan line (PNG, 9.2); step is the bytes of
// a pixel.
func unfilter(b []byte, width, step int) (out, filters []byte) {
	if width <= 0 {
		return nil, nil
	}
	above := make([]byte, min(width, len(b)))
	for len(b) > 1 {
		filters = append(filters, b[0])
		line := b[1:min(1+width, len(b))]
		start := len(out)
		out = append(out, line...)
		row := out[start:]
		undoFilter(b[0], row, above, step)
		above = row
		b = b[1+len(line):]
	}
	return out, filters
}

func undoFilter(kind byte, row, above []byte, step int) {
	for i := range row {
		var left, corner, up int
		if i < len(above) {
			up = int(above[i])
		}
		if i >= step {
			left = int(row[i-step])
			if i-step < len(above) {
				corner = int(above[i-step])
			}
		}
		switch kind {
		case 1:
			row[i] += byte(left)
		case 2:
			row[i] += byte(up)
		case 3:
			row[i] += byte((left + up) / 2)
		case 4:
			row[i] += byte(paeth(left, up, corner))
		}
	}
}

func paeth(a, b, c int) int {
	abs := func(n int) int { return max(n, -n) }
	switch p := a + b - c; {
	case abs(p-a) <= abs(p-b) && abs(p-a) <= abs(p-c):
		return a
	case abs(p-b) <= abs(p-c):
		return b
	}
	return c
}
