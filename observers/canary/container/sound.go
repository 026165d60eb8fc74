package container

import (
	"bytes"
	"encoding/binary"

	"postern/observers/canary/layer"
)

const (
	Riff layer.Technique = "riff"
	Aiff layer.Technique = "aiff"
	Au   layer.Technique = "au"
)

func soundKinds() []kind {
	return []kind{
		{magic: "RIFF", open: openRiff},
		{magic: "RIFX", open: openRiff},
		{magic: "FORM", open: openAiff},
		{magic: ".snd", open: openAu},
	}
}

// openRiff reads the chunks of a sound, and hands a picture on.
func openRiff(w *work, i int) int {
	b := w.b[i:]
	if len(b) < 20 {
		return i
	}
	if string(b[8:12]) == "WEBP" {
		openWebp(w, i)
	}
	order := binary.ByteOrder(binary.LittleEndian)
	if b[3] == 'X' {
		order = binary.BigEndian
	}
	return i + w.chunks(Riff, i, order, func(name string, body []byte) (channels, depth int) {
		if name != "fmt " || len(body) < 16 {
			return 0, 0
		}
		return int(order.Uint16(body[2:])), int(order.Uint16(body[14:]))
	})
}

func openAiff(w *work, i int) int {
	if len(w.b)-i < 20 || !bytes.HasPrefix(w.b[i+8:], []byte("AIF")) {
		return i
	}
	return i + w.chunks(Aiff, i, binary.BigEndian, func(name string, body []byte) (channels, depth int) {
		if name != "COMM" || len(body) < 8 {
			return 0, 0
		}
		return int(binary.BigEndian.Uint16(body)), int(binary.BigEndian.Uint16(body[6:]))
	})
}

// chunks reads a list of named chunks, from 20 bytes on; format says what the
// samples are like.
func (w *work) chunks(t layer.Technique, i int, order binary.ByteOrder, format func(name string, body []byte) (channels, depth int)) int {
	b := w.b[i:]
	if readable(b[:20]) {
		return 0 // text that names the format: the two lengths would be of half a gigabyte
	}
	var c columns
	channels, depth, at := 1, 16, 12
	for at+8 <= len(b) && c.next() && !w.done {
		name, n := string(b[at:at+4]), int(order.Uint32(b[at+4:]))
		from := at + 8
		body := b[from:min(from+n, len(b))]
		at = from + n + n&1
		if k, d := format(name, body); k > 0 && k <= 64 {
			channels, depth = k, d
		}
		switch name {
		case "data":
			w.sound(t, i+from, body, channels, depth, order)
		case "SSND":
			w.sound(t, i+from, body[min(8, len(body)):], channels, depth, order)
		case "fmt ", "COMM":
		default:
			w.part(t, i+from, body)
			c.text(0, body)
		}
	}
	c.show(w, t, i, true)
	return min(at, len(b))
}

// sound yields the lowest bits of samples of any width, and of each channel.
func (w *work) sound(t layer.Technique, off int, b []byte, channels, depth int, order binary.ByteOrder) {
	width := max((depth+7)/8, 1)
	if width > 4 {
		return
	}
	lowest := 0
	if order == binary.BigEndian {
		lowest = width - 1
	}
	b = b[:min(len(b), samplesMax*width)]
	low := deal(b, width)[lowest]
	w.samples(t, off, low, min(channels, 4))
}

// openAu reads the format of Sun, whose encoding 2 is of eight bits and 3 to 5 of more.
func openAu(w *work, i int) int {
	b := w.b[i:]
	if len(b) < 24 {
		return i
	}
	from, coding, channels := int(binary.BigEndian.Uint32(b[4:])), binary.BigEndian.Uint32(b[12:]), int(binary.BigEndian.Uint32(b[20:]))
	if from < 24 || from > len(b) || coding == 0 || coding > 30 || channels == 0 || channels > 64 {
		return i
	}
	depth := 8
	if coding >= 3 && coding <= 5 {
		depth = int(coding-1) * 8
	}
	w.sound(Au, i+from, b[from:], channels, depth, binary.BigEndian)
	return len(w.b)
}
