package container

import "postern/observers/canary/layer"

const Compress layer.Technique = "compress"

// openCompress reads the LZW of compress(1): codes of 9 bits and more, least
// significant bit first, in groups of eight of one width.
func openCompress(w *work, i int) int {
	b := w.b[i:]
	if len(b) < 5 || b[2]&0x60 != 0 || b[2]&31 < 9 || b[2]&31 > 16 {
		return i
	}
	end := i
	w.unpack(Compress, i, func(limit int) ([]byte, bool) {
		out, used, cut := compressed(b[3:], uint(b[2]&31), b[2]&0x80 != 0, limit)
		w.charge(used + 1<<12)
		if len(out) < 8 {
			return nil, cut
		}
		end = i + used
		return out, cut
	})
	return end
}

// compressed decodes up to the first code that cannot be.
func compressed(b []byte, widest uint, clears bool, limit int) (out []byte, used int, cut bool) {
	d := newStrings(clears)
	for at, width, group := 0, uint(9), 0; ; {
		if at+int(width) > 8*len(b) {
			return out, len(b), false
		}
		code := int(bitsLSB(b, at, width))
		at += int(width)
		switch {
		case clears && code == 256:
			at = group + (at-group+8*int(width)-1)/(8*int(width))*8*int(width)
			group, width, d = at, 9, newStrings(clears)
			continue
		case !d.add(code, 1<<widest):
			return out, at / 8, false
		}
		out = d.append(out, code)
		if len(out) > limit {
			return out[:limit], at / 8, true
		}
		if len(d.from) >= 1<<width && width < widest {
			at = group + (at-group+8*int(width)-1)/(8*int(width))*8*int(width)
			group = at
			width++
		}
	}
}

// bitsLSB reads n bits, of at most 16, at a bit offset.
func bitsLSB(b []byte, at int, n uint) (v uint32) {
	for k := 0; k < 3 && at>>3+k < len(b); k++ {
		v |= uint32(b[at>>3+k]) << (8 * k)
	}
	return v >> (at & 7) & (1<<n - 1)
}

// lzwStrings is a dictionary of strings: each the one before it and a byte more.
type lzwStrings struct {
	from  []int32
	last  []byte
	first []byte
	prev  int
	buf   []byte
}

func newStrings(clears bool) *lzwStrings {
	n := 256
	if clears {
		n = 257
	}
	d := &lzwStrings{from: make([]int32, n, 512), last: make([]byte, n, 512), first: make([]byte, n, 512), prev: -1}
	for i := range n {
		d.from[i], d.last[i], d.first[i] = -1, byte(i), byte(i)
	}
	return d
}

// add takes note of the string that code completes, and says whether there is
// such a code.
func (d *lzwStrings) add(code, most int) bool {
	if code > len(d.from) || code == len(d.from) && d.prev < 0 {
		return false
	}
	if d.prev >= 0 && len(d.from) < most {
		c := d.first[d.prev]
		if code < len(d.from) {
			c = d.first[code]
		}
		d.from = append(d.from, int32(d.prev))
		d.last = append(d.last, c)
		d.first = append(d.first, d.first[d.prev])
	}
	d.prev = code
	return code < len(d.from)
}

// append adds the string of a code.
func (d *lzwStrings) append(out []byte, code int) []byte {
	d.buf = d.buf[:0]
	for c := int32(code); c >= 0; c = d.from[c] {
		d.buf = append(d.buf, d.last[c])
	}
	for i := len(d.buf) - 1; i >= 0; i-- {
		out = append(out, d.buf[i])
	}
	return out
}
