package container

import (
	"bytes"
	"encoding/binary"
	"image/color"

	"golang.org/x/image/webp"

	"postern/observers/canary/layer"
)

const (
	Jpeg   layer.Technique = "jpeg"
	Bmp    layer.Technique = "bmp"
	Netpbm layer.Technique = "netpbm"
	Webp   layer.Technique = "webp"
)

func pictureKinds() []kind {
	return []kind{
		{magic: pngMagic, open: openPng},
		{magic: "GIF87a", open: openGif},
		{magic: "GIF89a", open: openGif},
		{magic: "\xff\xd8\xff", open: openJpeg},
		{magic: "BM", open: openBmp},
		{magic: "P5", open: openNetpbm},
		{magic: "P6", open: openNetpbm},
		{magic: "P3", open: openNetpbmText},
		{magic: "P2", open: openNetpbmText},
		{magic: "II*\x00", open: openTiff},
		{magic: "MM\x00*", open: openTiff},
		{magic: "qoif", open: openQoi},
	}
}

// openJpeg joins the segments of each kind up to the scan, and shows what comes
// after the end. The picture itself is not decoded.
func openJpeg(w *work, i int) int {
	var c columns
	at := i + 2
	for at+4 <= len(w.b) && w.b[at] == 0xff && c.next() {
		marker, n := w.b[at+1], int(binary.BigEndian.Uint16(w.b[at+2:]))
		if marker == 0xff {
			at++
			continue
		}
		end := min(at+2+max(n, 2), len(w.b))
		if marker == 0xfe || marker&0xf0 == 0xe0 {
			c.text(int(marker&0x1f), w.b[at+4:max(end, at+4)])
		}
		at = end
		if marker == 0xda {
			break
		}
	}
	c.show(w, Jpeg, i, true)
	if c.rows == 0 {
		return i
	}
	n := bytes.Index(w.b[at:], []byte{0xff, 0xd9})
	if n < 0 {
		return len(w.b)
	}
	at += n + 2
	w.charge(at - i)
	w.part(Jpeg, at, w.b[at:])
	return at
}

// openBmp takes rows apart into pixels and what pads them.
func openBmp(w *work, i int) int {
	b := w.b[i:]
	if len(b) < 54 || b[6]|b[7]|b[8]|b[9] != 0 {
		return i
	}
	data, head := int(binary.LittleEndian.Uint32(b[10:])), binary.LittleEndian.Uint32(b[14:])
	width, height := int(int32(binary.LittleEndian.Uint32(b[18:]))), int(int32(binary.LittleEndian.Uint32(b[22:])))
	depth := int(binary.LittleEndian.Uint16(b[28:]))
	if data < 26 || data > len(b) || head < 40 || head > 200 || width <= 0 || width > 1<<20 || depth == 0 || depth > 32 || depth&7 != 0 && depth > 8 {
		return i
	}
	used := (width*depth + 7) / 8
	stride := (width*depth + 31) / 32 * 4
	var rows [][]byte
	var pad, stored, upright []byte
	for at := data; at < len(b) && len(rows) < max(height, -height); at += stride {
		row := b[at:min(at+stride, len(b))]
		rows = append(rows, row[:min(used, len(row))])
		pad = append(pad, row[min(used, len(row)):]...)
	}
	for n := range rows {
		stored = append(stored, rows[n]...)
		upright = append(upright, rows[len(rows)-1-n]...)
	}
	channels := max(depth/8, 1)
	w.view(Bmp, i, pad)
	w.samples(Bmp, i+data, stored, channels)
	w.samples(Bmp, i+data, upright, channels)
	end := min(data+len(rows)*stride, len(b))
	w.part(Bmp, i+end, b[end:])
	return i + end
}

// netpbmHeader reads three numbers with comments between, and returns where the
// samples begin, or -1.
func netpbmHeader(b []byte) (at, width, height int) {
	at = 2
	var nums [3]int
	for n := range nums {
		start := at
		for at < len(b) && (b[at] == ' ' || b[at] == '\n' || b[at] == '\r' || b[at] == '\t' || b[at] == '#') {
			if b[at] == '#' {
				for at < len(b) && b[at] != '\n' {
					at++
				}
				continue
			}
			at++
		}
		k := digits(b[at:min(at+9, len(b))])
		if k == 0 || at == start {
			return -1, 0, 0
		}
		nums[n] = int(number(b[at:at+k], 10))
		at += k
	}
	return at, nums[0], nums[1]
}

func openNetpbm(w *work, i int) int {
	b := w.b[i:]
	at, width, height := netpbmHeader(b)
	if at < 0 || at+1 >= len(b) || width*height == 0 {
		return i
	}
	channels := 1
	if b[1] == '6' {
		channels = 3
	}
	end := min(at+1+width*height*channels, len(b))
	w.samples(Netpbm, i+at+1, b[at+1:end], channels)
	w.part(Netpbm, i+end, b[end:])
	return i + end
}

// openNetpbmText reads samples that are written as numbers.
func openNetpbmText(w *work, i int) int {
	b := w.b[i:]
	at, width, height := netpbmHeader(b)
	if at < 0 || width*height == 0 {
		return i
	}
	channels := 1
	if b[1] == '3' {
		channels = 3
	}
	var out []byte
	for ; at < len(b) && len(out) < width*height*channels; at++ {
		if k := digits(b[at:]); k > 0 {
			out = append(out, byte(number(b[at:at+k], 10)))
			at += k
		} else if b[at] > ' ' && b[at] != '#' {
			break
		}
	}
	w.samples(Netpbm, i, out, channels)
	return i + min(at, len(b))
}

// openWebp decodes a lossless picture whose size is no lie.
func openWebp(w *work, i int) {
	b := w.b[i:]
	config, err := webp.DecodeConfig(bytes.NewReader(b))
	if err != nil || config.Width*config.Height*4 > min(w.limit()/4, 4096*len(b)) {
		return
	}
	w.charge(config.Width * config.Height)
	img, err := webp.Decode(bytes.NewReader(b))
	if err != nil {
		return
	}
	bounds := img.Bounds()
	out := make([]byte, 0, bounds.Dx()*bounds.Dy()*4)
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			c := color.NRGBAModel.Convert(img.At(x, y)).(color.NRGBA)
			out = append(out, c.R, c.G, c.B, c.A)
		}
	}
	w.samples(Webp, i, out, 4)
}
