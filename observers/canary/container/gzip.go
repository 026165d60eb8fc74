package container

import (
	"bytes"
	"encoding/binary"

	"postern/observers/canary/layer"
)

const (
	Gzip    layer.Technique = "gzip"
	Zlib    layer.Technique = "zlib"
	Deflate layer.Technique = "deflate"
)

// openGzip joins the members that follow one another, whatever their checksums.
func openGzip(w *work, i int) int {
	end := i
	w.unpack(Gzip, i, func(limit int) (out []byte, cut bool) {
		for at := i; at < len(w.b) && !cut && !w.done; {
			body := gzipBody(w.b[at:])
			if body < 0 {
				break
			}
			got := w.inflate(w.b[at+body:], nil, limit-len(out))
			out, cut = append(out, got.out...), got.cut
			if !got.end {
				break
			}
			at = min(at+body+got.used+8, len(w.b))
			end = at
		}
		return out, cut
	})
	return end
}

// gzipBody is where the deflate stream begins, or -1 (RFC 1952).
func gzipBody(b []byte) int {
	if len(b) < 12 || b[0] != 0x1f || b[1] != 0x8b || b[2] != 8 || b[3] > 31 {
		return -1
	}
	at := 10
	if b[3]&4 != 0 {
		at += 2 + int(binary.LittleEndian.Uint16(b[10:]))
	}
	for _, flag := range []byte{8, 16} { // the name and the comment
		if b[3]&flag == 0 || at > len(b) {
			continue
		}
		n := bytes.IndexByte(b[at:], 0)
		if n < 0 {
			return -1
		}
		at += n + 1
	}
	if b[3]&2 != 0 {
		at += 2
	}
	if at > len(b) || !plausibleDeflate(b[at:]) {
		return -1
	}
	return at
}

// openZlib reads a stream after its two bytes; a preset dictionary is looked
// for nowhere, but what does not refer to it comes out.
func openZlib(w *work, i int) int {
	body := i + 2
	preset := w.b[i+1]&0x20 != 0
	if preset {
		body += 4
	}
	if body > len(w.b) || !plausibleDeflate(w.b[body:]) {
		return i
	}
	return w.openDeflate(Zlib, i, body, preset || w.b[i]>>4 != 7)
}

// openDeflate yields a raw stream at body. A strict one has to come to its end.
func (w *work) openDeflate(t layer.Technique, i, body int, strict bool) int {
	const least = 8 // bytes: nothing shorter is looked for
	end := i
	w.unpack(t, i, func(limit int) ([]byte, bool) {
		got := w.inflate(w.b[body:], nil, limit)
		whole := got.end || got.cut
		if len(got.out) < least || strict && !whole {
			return nil, got.cut
		}
		if got.end {
			end = min(body+got.used, len(w.b))
		}
		return got.out, got.cut
	})
	return end
}

// zlibKinds has every valid pair of first bytes (RFC 1950, 2.2).
func zlibKinds() []kind {
	var all []kind
	for cmf := 0x08; cmf <= 0x78; cmf += 0x10 {
		for flg := range 256 {
			if (cmf<<8|flg)%31 == 0 {
				all = append(all, kind{magic: string([]byte{byte(cmf), byte(flg)}), opaque: true, open: openZlib})
			}
		}
	}
	return all
}
