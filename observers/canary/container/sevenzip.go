package container

import (
	"bytes"
	"compress/bzip2"
	"encoding/binary"
	"unicode/utf16"

	"postern/observers/canary/layer"
)

const SevenZip layer.Technique = "7z"

// The ids of properties that matter here (7zFormat.txt of the LZMA SDK).
const (
	szEnd, szPack, szUnpack, szSub, szSizes  = 0, 6, 7, 8, 9
	szCRC, szFolder, szCoderSizes, szEncoded = 10, 11, 12, 23
	szHeader, szStreams, szFiles, szNames    = 1, 4, 5, 17
)

// szFolderInfo is what one run of packed bytes was packed with.
type szFolderInfo struct {
	method  string
	props   []byte
	delta   int
	packs   int // packed streams that belong to it
	outs    int
	locked  bool // encrypted
	at, len int  // in the input
	size    uint64
}

// openSevenZip follows the header to the folders; where there is none, what
// follows may still be in one of the usual methods.
func openSevenZip(w *work, i int) int {
	if i+32 > len(w.b) {
		return i
	}
	h := w.b[i:]
	at, n := binary.LittleEndian.Uint64(h[12:]), binary.LittleEndian.Uint64(h[20:])
	if at > uint64(len(h)) || n > uint64(len(h)) || 32+at+n > uint64(len(h)) {
		w.headless7z(i + 32)
		return i + 32
	}
	end := i + 32 + int(at+n)
	header := h[32+at : 32+at+n]
	for range 4 { // a header may itself be packed
		r := &szReader{b: header}
		switch r.byte() {
		case szEncoded:
			folders := r.streams(i + 32)
			header = nil
			if len(folders) > 0 {
				w.unpack(SevenZip, i, func(limit int) (out []byte, cut bool) {
					out, cut = w.folder7z(folders[0], limit)
					header = out
					return out, cut
				})
			}
		case szHeader:
			w.header7z(r, i+32)
			return end
		default:
			w.headless7z(i + 32)
			return end
		}
	}
	return end
}

// header7z yields every folder and the names.
func (w *work) header7z(r *szReader, base int) {
	for !r.bad && !w.done {
		switch r.byte() {
		case szStreams:
			for _, f := range r.streams(base) {
				w.unpack(SevenZip, f.at, func(limit int) ([]byte, bool) { return w.folder7z(f, limit) })
			}
		case szFiles:
			w.names7z(r, base)
			return
		default:
			return
		}
	}
}

// names7z reads the names, in UTF-16 each, and shows them as a column.
func (w *work) names7z(r *szReader, off int) {
	r.num()
	for !r.bad {
		id, n := r.byte(), r.num()
		if id == szEnd {
			return
		}
		b := r.take(n)
		if id != szNames || len(b) < 3 {
			continue
		}
		var c columns
		for _, name := range bytes.Split([]byte(utf16Text(b[1:], binary.LittleEndian)), []byte{0}) {
			if c.next() && len(name) > 0 {
				c.text(0, name)
			}
		}
		c.show(w, SevenZip, off, false)
	}
}

// utf16Text is text in two bytes a unit.
func utf16Text(b []byte, order binary.ByteOrder) string {
	units := make([]uint16, len(b)/2)
	for i := range units {
		units[i] = order.Uint16(b[2*i:])
	}
	return string(utf16.Decode(units))
}

// headless7z tries the usual methods on the packed bytes.
func (w *work) headless7z(at int) {
	for _, f := range []szFolderInfo{{method: "\x21"}, {method: "\x03\x01\x01", props: []byte{0x5d}}} {
		f.at, f.len, f.size = at, len(w.b)-at, ^uint64(0)
		w.unpack(SevenZip, at, func(limit int) ([]byte, bool) { return w.folder7z(f, limit) })
	}
}

// folder7z decodes by method; filters for machine code leave texts alone.
func (w *work) folder7z(f szFolderInfo, limit int) (out []byte, cut bool) {
	if f.locked || f.at < 0 || f.at > len(w.b) {
		w.room.Spend()
		return nil, false
	}
	b := w.b[f.at:min(f.at+f.len, len(w.b))]
	switch f.method {
	case "\x00":
		out, cut = bytes.Clone(b[:min(len(b), limit)]), len(b) > limit
	case "\x21":
		out, cut = w.lzma2(b, limit)
	case "\x03\x01\x01":
		if len(f.props) > 0 {
			out, cut, _ = w.lzmaRaw(f.props[0], f.size, b, limit)
		}
	case "\x04\x01\x08":
		got := w.inflate(b, nil, limit)
		out, cut = got.out, got.cut
	case "\x04\x02\x02":
		w.charge(len(b) + 1<<16)
		out, cut, _ = drain(nil, bzip2.NewReader(bytes.NewReader(b)), limit)
	case "\x04\xf7\x11\x01":
		out, cut = w.unzstd(b, limit)
	default:
		w.room.Spend()
	}
	if f.delta > 0 {
		undelta(out, f.delta)
	}
	return out, cut
}
