package container

import (
	"bytes"
	"encoding/binary"

	"postern/observers/canary/layer"
)

const ISO layer.Technique = "iso9660"

const isoSector = 2048

// openISO is told of the magic of a volume descriptor, in the second byte of a
// sector of which sixteen come before.
func openISO(w *work, i int) int {
	start := i - 1 - 16*isoSector
	if start < 0 || w.b[i-1] != 1 && w.b[i-1] != 2 || i-1+190 > len(w.b) {
		return i
	}
	var c columns
	root := w.b[i-1+156:]
	w.isoDirectory(&c, w.b[start:], root, map[uint32]bool{}, 0)
	c.show(w, ISO, start, true)
	return i + isoSector - 1
}

// isoDirectory reads one directory and those below it, each once.
func (w *work) isoDirectory(c *columns, disk, record []byte, seen map[uint32]bool, depth int) {
	at, size := binary.LittleEndian.Uint32(record[2:]), int(binary.LittleEndian.Uint32(record[10:]))
	from := int(at) * isoSector
	if seen[at] || depth > 32 || from >= len(disk) {
		return
	}
	seen[at] = true
	b := disk[from:min(from+size, len(disk))]
	for at := 0; at+34 <= len(b) && !w.done; {
		n := int(b[at])
		if n < 34 || at+n > len(b) {
			at = at/isoSector*isoSector + isoSector
			continue
		}
		r := b[at : at+n]
		at += n
		if !c.next() {
			return
		}
		w.isoRecord(c, disk, r, seen, depth)
	}
}

func (w *work) isoRecord(c *columns, disk, r []byte, seen map[uint32]bool, depth int) {
	name := r[33:min(33+int(r[32]), len(r))]
	c.text(0, bytes.TrimSuffix(name, []byte(";1")))
	c.text(1, r[33+len(name):]) // system use
	c.text(3, r[18:25])         // when
	if r[25]&2 != 0 {
		if r[32] != 1 || name[0] > 1 {
			w.isoDirectory(c, disk, r, seen, depth+1)
		}
		return
	}
	from, size := int(binary.LittleEndian.Uint32(r[2:]))*isoSector, int(binary.LittleEndian.Uint32(r[10:]))
	if from < len(disk) {
		data := disk[from:min(from+size, len(disk))]
		c.text(2, data)
		w.part(ISO, from, data)
	}
}
