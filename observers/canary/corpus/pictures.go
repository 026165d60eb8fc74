package corpus

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	"image/gif"
	"image/png"
)

func greys(n int) color.Palette {
	var p color.Palette
	for i := range n {
		p = append(p, color.Gray{uint8(i * 16)})
	}
	return p
}

func (s *scene) png(w, h int) []byte {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	for i := range img.Pix {
		img.Pix[i] = byte(i/4*3) + s.byte()&3
	}
	var out bytes.Buffer
	must(png.Encode(&out, img))
	return out.Bytes()
}

func (s *scene) gif() []byte {
	img := image.NewPaletted(image.Rect(0, 0, 20, 20), greys(16))
	for i := range img.Pix {
		img.Pix[i] = s.byte() & 15
	}
	var out bytes.Buffer
	must(gif.Encode(&out, img, nil))
	return out.Bytes()
}

// pngWith puts a chunk behind the header.
func pngWith(s *scene, kind string, body []byte) []byte {
	b := s.png(16, 16)
	chunk := binary.BigEndian.AppendUint32(nil, uint32(len(body)))
	chunk = append(append(chunk, kind...), body...)
	chunk = binary.BigEndian.AppendUint32(chunk, crc(chunk[4:]))
	return append(append(append([]byte{}, b[:33]...), chunk...), b[33:]...)
}

// pixels are grey, so that each row has its bytes side by side.
func pixels(s *scene, body []byte) []byte {
	img := image.NewGray(image.Rect(0, 0, 48, 12))
	copy(img.Pix, s.noise(len(img.Pix)))
	copy(img.Pix[48*5+7:], body)
	var out bytes.Buffer
	must(png.Encode(&out, img))
	return out.Bytes()
}

func jpegWith(s *scene, marker byte, body []byte) []byte {
	out := []byte("\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01\x01\x00\x00\x01\x00\x01\x00\x00")
	out = append(out, 0xff, marker, 0, byte(len(body)+2))
	out = append(append(out, body...), 0xff, 0xda, 0, 8, 1, 1, 0, 0, 0x3f, 0)
	return append(append(out, bytes.ReplaceAll(s.noise(500), []byte{0xff}, []byte{0xfe})...), 0xff, 0xd9)
}

// slots is filled, but for the bytes that stand in it at some distance.
func slots(n int, b []byte, first, every int, fill func() byte) []byte {
	out := make([]byte, n)
	for i := range out {
		out[i] = fill()
	}
	for i, c := range b {
		out[first+i*every] = c
	}
	return out
}

// header is a magic word and numbers of four bytes, the lowest first.
func header(magic string, numbers ...uint32) []byte {
	out := []byte(magic)
	for _, n := range numbers {
		out = binary.LittleEndian.AppendUint32(out, n)
	}
	return out
}

func wav(samples, list []byte) []byte {
	out := append(header("RIFF", uint32(36+len(samples)+len(list))), "WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00\x40\x1f\x00\x00\x80\x3e\x00\x00\x02\x00\x10\x00"...)
	return append(append(append(out, list...), header("data", uint32(len(samples)))...), samples...)
}
