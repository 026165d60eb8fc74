package container

import (
	"bytes"
	stdlzw "compress/lzw"
	"io"

	"golang.org/x/image/tiff/lzw"

	"postern/observers/canary/layer"
)

const LZW layer.Technique = "lzw"

const lzwLeast = 16 // bytes in a stream without an end

// openLZW reads a stream of bytes that begins with the code that clears the
// table, as every writer's do, in each order of bits: of GIF, and of TIFF and
// PDF, whose codes grow one earlier.
func openLZW(w *work) {
	b := w.b
	switch {
	case b[0] == 0x80 && b[1]&0x80 == 0:
		w.lzw(func(r io.Reader) io.ReadCloser { return stdlzw.NewReader(r, stdlzw.MSB, 8) })
		w.lzw(func(r io.Reader) io.ReadCloser { return lzw.NewReader(r, lzw.MSB, 8) })
	case b[0] == 0 && b[1]&1 == 1:
		w.lzw(func(r io.Reader) io.ReadCloser { return stdlzw.NewReader(r, stdlzw.LSB, 8) })
	}
}

func (w *work) lzw(open func(io.Reader) io.ReadCloser) {
	const tables = 1 << 15 // what a reader asks for, in bytes of reading
	w.unpack(LZW, 0, func(limit int) ([]byte, bool) {
		if !w.charge(tables) {
			return nil, false
		}
		r := open(bytes.NewReader(w.b))
		defer r.Close()
		out, cut, err := drain(nil, r, limit)
		w.charge(min(len(w.b), 64*len(out)+1<<10))
		if len(out) < 8 {
			return nil, cut
		}
		if !cut && err != io.EOF && len(out) < lzwLeast {
			return nil, false
		}
		return out, cut
	})
}
