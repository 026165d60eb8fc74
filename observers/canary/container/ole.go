package container

import (
	"encoding/binary"

	"postern/observers/canary/layer"
)

const Ole layer.Technique = "ole"

// ole is a compound file: a file system of sectors in chains.
type ole struct {
	b     []byte // from the header on
	size  int    // of a sector
	fat   []uint32
	steps int // that chains may still take, over all
}

// openOle joins the sectors of each stream.
func openOle(w *work, i int) int {
	o := &ole{b: w.b[i:]}
	if len(o.b) < 512 || o.b[30] < 9 || o.b[30] > 12 {
		return i
	}
	o.size = 1 << o.b[30]
	o.steps = 4 * len(o.b) / o.size
	o.readFat()
	u32 := func(at int) uint32 { return binary.LittleEndian.Uint32(o.b[at:]) }
	dir := o.chain(u32(48), 1<<30)
	smallFat := o.chain(u32(60), 1<<30)
	var small []byte
	var c columns
	for at := 0; at+128 <= len(dir) && c.next() && !w.done; at += 128 {
		e := dir[at : at+128]
		first, size := binary.LittleEndian.Uint32(e[116:]), int(binary.LittleEndian.Uint32(e[120:]))
		c.text(0, []byte(utf16Text(e[:min(64, max(0, int(binary.LittleEndian.Uint16(e[64:]))-2))], binary.LittleEndian)))
		switch {
		case e[66] == 5:
			small = o.chain(first, size)
		case e[66] != 2:
		case size < 4096:
			data := smallChain(small, smallFat, first, size)
			c.text(1, data)
			w.view(Ole, i, data)
		default:
			w.view(Ole, i, o.chain(first, size))
		}
	}
	c.show(w, Ole, i, false)
	return i + 8
}

// readFat takes the table from the sectors that the header lists.
func (o *ole) readFat() {
	for at := 76; at < 512; at += 4 {
		n := int64(binary.LittleEndian.Uint32(o.b[at:]))
		s := o.sector(n)
		for ; len(s) >= 4; s = s[4:] {
			o.fat = append(o.fat, binary.LittleEndian.Uint32(s))
		}
	}
}

func (o *ole) sector(n int64) []byte {
	from := (n + 1) * int64(o.size)
	if from >= int64(len(o.b)) {
		return nil
	}
	return o.b[from:min(from+int64(o.size), int64(len(o.b)))]
}

// chain joins sectors, no more than the file has.
func (o *ole) chain(n uint32, size int) (out []byte) {
	for len(out) < size && o.steps > 0 {
		s := o.sector(int64(n))
		if len(s) == 0 {
			break
		}
		o.steps--
		out = append(out, s...)
		if int(n) >= len(o.fat) {
			break
		}
		n = o.fat[n]
	}
	return out[:min(len(out), size)]
}

// smallChain joins the small sectors of 64 bytes, which stand in a stream.
func smallChain(small, fat []byte, n uint32, size int) (out []byte) {
	for len(out) < size {
		from := int64(n) * 64
		if from >= int64(len(small)) {
			break
		}
		out = append(out, small[from:min(from+64, int64(len(small)))]...)
		if int64(n)*4+4 > int64(len(fat)) {
			break
		}
		n = binary.LittleEndian.Uint32(fat[n*4:])
	}
	return out[:min(len(out), size)]
}
