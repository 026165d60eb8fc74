package container

import (
	"bytes"
	"compress/bzip2"
	"encoding/binary"

	"postern/observers/canary/layer"
)

const Zip layer.Technique = "zip"

const (
	zipLocal   = "PK\x03\x04"
	zipCentral = "PK\x01\x02"
)

// zipEntry is what a local header says.
type zipEntry struct {
	flags, method  int
	size, unpacked int // in the archive, and of the file
	name, extra    []byte
	time, crc      uint32
	data           int // where it begins
}

// openZip reads local headers one after the other, wherever they are: an archive
// without its directory, or after a program, is read alike.
func openZip(w *work, i int) int {
	var entries, dir columns
	at := i
	for at >= 0 && !w.done {
		e, ok := readZipLocal(w.b, at)
		if !ok || !entries.next() {
			break
		}
		content, end := w.zipContent(e)
		entries.text(0, e.name)
		entries.num(1, uint64(e.time))
		entries.num(2, uint64(e.crc))
		entries.num(3, uint64(e.unpacked))
		entries.text(4, e.extra)
		entries.text(5, content)
		at = end
		if n := bytes.Index(w.b[at:min(at+64<<10, len(w.b))], []byte(zipLocal)); n >= 0 {
			at += n
		} else {
			break
		}
	}
	if entries.rows == 0 {
		return i
	}
	entries.show(w, Zip, i, true)
	end := w.zipDirectory(at, &dir)
	dir.show(w, Zip, i, true)
	return max(at, end)
}

func readZipLocal(b []byte, at int) (e zipEntry, ok bool) {
	if at+30 > len(b) || string(b[at:at+4]) != zipLocal {
		return e, false
	}
	h := b[at:]
	u16 := func(n int) int { return int(binary.LittleEndian.Uint16(h[n:])) }
	e = zipEntry{flags: u16(6), method: u16(8), time: binary.LittleEndian.Uint32(h[10:]), crc: binary.LittleEndian.Uint32(h[14:]),
		size: int(binary.LittleEndian.Uint32(h[18:])), unpacked: int(binary.LittleEndian.Uint32(h[22:]))}
	n, x := u16(26), u16(28)
	if e.data = at + 30 + n + x; e.data > len(b) {
		return e, n > 0 && at+30+n <= len(b)
	}
	e.name, e.extra = b[at+30:at+30+n], b[at+30+n:e.data]
	return e, true
}

// zipContent yields what one file holds, and says where it ends. A size that is
// missing or lies is made up for by the next signature.
func (w *work) zipContent(e zipEntry) (content []byte, end int) {
	if e.data >= len(w.b) {
		return nil, len(w.b)
	}
	b := w.b[e.data:]
	if e.size > 0 && e.size < len(b) && (e.flags&8 == 0 || e.size != 0xffffffff) {
		b = b[:e.size]
	} else if n := zipNext(b); e.method == 0 || e.flags&1 != 0 {
		b = b[:n]
	}
	end = e.data + len(b)
	if e.flags&1 != 0 {
		w.room.Spend() // encrypted
		return nil, end
	}
	if e.method == 0 {
		w.part(Zip, e.data, b)
		return b, end
	}
	used := 0
	w.unpack(Zip, e.data, func(limit int) (out []byte, cut bool) {
		out, cut, used = w.unzip(e, b, limit)
		content = out
		return out, cut
	})
	if used > 0 && used < len(b) {
		end = e.data + used
	} else if used == 0 {
		end = e.data
	}
	return content, end
}

// zipNext is where the next signature is.
func zipNext(b []byte) int {
	for at := 0; ; {
		n := bytes.Index(b[at:], []byte("PK"))
		if n < 0 {
			return len(b)
		}
		if at += n; at+4 <= len(b) && (b[at+2] == 3 && b[at+3] == 4 || b[at+2] == 1 && b[at+3] == 2 || b[at+2] == 7 && b[at+3] == 8) {
			return at
		}
		at += 2
	}
}

// unzip decodes by method (APPNOTE.TXT, 4.4.5).
func (w *work) unzip(e zipEntry, b []byte, limit int) (out []byte, cut bool, used int) {
	switch e.method {
	case 8, 9:
		got := w.inflate(b, nil, limit)
		return got.out, got.cut, got.used
	case 12:
		src := bytes.NewReader(b)
		out, cut, _ = drain(nil, bzip2.NewReader(src), limit)
		w.charge(len(b) - src.Len() + 1<<16)
		return out, cut, len(b) - src.Len()
	case 14:
		if len(b) > 9 {
			size := uint64(e.unpacked)
			if e.flags&2 != 0 || e.flags&8 != 0 {
				size = ^uint64(0)
			}
			out, cut, used = w.lzmaRaw(b[4], size, b[9:], limit)
			return out, cut, used + 9
		}
	case 93, 20:
		n := zstdFrames(b, 0)
		out, cut = w.unzstd(b[:n], limit)
		return out, cut, n
	case 95:
		out, cut, used = w.unxz(b, 0, limit)
		return out, cut, used
	default:
		w.room.Spend()
	}
	return nil, false, 0
}

// zipDirectory reads the central headers that follow.
func (w *work) zipDirectory(at int, dir *columns) int {
	n := bytes.Index(w.b[at:], []byte(zipCentral))
	w.charge(len(w.b) - at)
	if n < 0 {
		return at
	}
	for at += n; at+46 <= len(w.b) && string(w.b[at:at+4]) == zipCentral && dir.next(); {
		h := w.b[at:]
		u16 := func(n int) int { return int(binary.LittleEndian.Uint16(h[n:])) }
		name, extra, comment := u16(28), u16(30), u16(32)
		end := 46 + name + extra + comment
		if end > len(h) {
			break
		}
		dir.text(0, h[46:46+name])
		dir.text(1, h[46+name:46+name+extra])
		dir.text(2, h[46+name+extra:end])
		dir.num(3, uint64(binary.LittleEndian.Uint32(h[12:])))
		dir.num(4, uint64(binary.LittleEndian.Uint32(h[38:])))
		dir.num(5, uint64(u16(36)))
		at += end
	}
	return at
}
