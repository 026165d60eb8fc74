package container

import (
	"bytes"
	"strconv"

	"postern/observers/canary/layer"
)

const Tar layer.Technique = "tar"

// openTar is told of the magic in a header's middle.
func openTar(w *work, i int) int {
	start := i - 257
	if start < 0 || !plausibleTar(w.b[start:]) {
		return i
	}
	at := w.tarEntries(start)
	if at-start > 512 && at < len(w.b) {
		w.part(Tar, at, w.b[at:]) // what the end hides
	}
	return at
}

// tarEntries reads headers as long as there are any, and shows their fields by
// column. It returns where they end.
func (w *work) tarEntries(at int) int {
	start := at
	var c columns
	for at+512 <= len(w.b) && plausibleTar(w.b[at:]) && c.next() && !w.done {
		h := w.b[at : at+512]
		size := int(tarNumber(h[124:136]))
		data := w.b[at+512 : min(at+512+size, len(w.b))]
		tarFields(&c, h)
		switch h[156] {
		case 'x', 'g':
			paxRecords(&c, data)
		case 'L', 'K':
			c.text(1, bytes.TrimRight(data, "\x00"))
		default:
			c.text(0, data)
		}
		w.part(Tar, at+512, data)
		at += 512 + (size+511)&^511
	}
	c.show(w, Tar, start, true)
	return min(at, len(w.b))
}

// tarFields puts aside what a header says beside the name.
func tarFields(c *columns, h []byte) {
	for n, f := range [][2]int{{0, 100}, {157, 257}, {265, 297}, {297, 329}, {345, 500}} {
		if b := cString(h[f[0]:f[1]]); len(b) > 0 {
			c.text(2+n, b)
		}
	}
	for n, f := range [][2]int{{100, 108}, {108, 116}, {116, 124}, {124, 136}, {136, 148}, {329, 337}, {337, 345}} {
		c.num(8+n, tarNumber(h[f[0]:f[1]]))
	}
	if pad := bytes.Trim(h[500:512], "\x00"); len(pad) > 0 {
		c.text(15, pad)
	}
}

// paxRecords reads "length key=value" lines; the values of each key are joined.
func paxRecords(c *columns, b []byte) {
	for len(b) > 0 {
		space := bytes.IndexByte(b[:min(len(b), 20)], ' ')
		if space < 0 {
			return
		}
		n, err := strconv.Atoi(string(b[:space]))
		if err != nil || n <= space || n > len(b) {
			return
		}
		if key, value, ok := bytes.Cut(bytes.TrimSuffix(b[space+1:n], []byte("\n")), []byte("=")); ok {
			c.text(16, key)
			c.text(17, value)
		}
		b = b[n:]
	}
}

// plausibleTar asks for numbers where they have to be; a checksum may be wrong.
func plausibleTar(h []byte) bool {
	return len(h) >= 512 && h[0] != 0 && octal(h[124:136]) && octal(h[148:156]) && h[148] != 0
}

func octal(b []byte) bool {
	if b[0]&0x80 != 0 {
		return true // binary, of GNU
	}
	for _, c := range b {
		if c != 0 && c != ' ' && (c < '0' || c > '7') {
			return false
		}
	}
	return true
}

func tarNumber(b []byte) (v uint64) {
	if b[0]&0x80 != 0 {
		for _, c := range b[max(1, len(b)-7):] {
			v = v<<8 | uint64(c)
		}
		return min(v, 1<<48)
	}
	for _, c := range b {
		if c >= '0' && c <= '7' {
			v = v<<3 | uint64(c-'0')
		}
	}
	return v
}

// cString is what stands before the first zero.
func cString(b []byte) []byte {
	s, _, _ := bytes.Cut(b, []byte{0})
	return s
}
