package algebra

import (
	"bytes"
	"encoding/base64"
	"slices"

	"postern/observers/canary/layer"
)

// The techniques that differences recognise.
const (
	Xor      layer.Technique = "xor"          // with a byte or a key of up to 16
	Add      layer.Technique = "add"          // of a byte or a key, or taken from it
	Affine   layer.Technique = "affine"       // times an odd number, plus another
	Counter  layer.Technique = "counter"      // xor or add of a number that counts
	Delta    layer.Technique = "delta"        // each byte as its difference from an earlier
	Running  layer.Technique = "running"      // each byte with all that came before
	BitMap   layer.Technique = "bits-in-byte" // rotated, reversed, swapped, Gray code
	BitShift layer.Technique = "bit-shift"    // the stream begins within a byte
	Packed   layer.Technique = "packed"       // digits in fields of 5 to 12 bits
	Stride   layer.Technique = "stride"       // one byte of each so many
	Vigenere layer.Technique = "vigenere"     // digits added to a key of up to 16
	Unknown  layer.Technique = "substitution" // symbols put for the digits, one for one
	Grouped  layer.Technique = "substitution-of-groups"
)

// tables are all that one list of secrets needs.
type tables struct {
	xor1, xor2, sub1, second *table
	xor8, sub8, xor16, sub16 *table
	xorRare, subRare         *table   // many patterns, so apart from those that any input meets
	xorOthers, subOthers     []*table // the key lengths that 8 and 16 are no multiple of
	xor32                    *table
	apart                    *table
}

func newTables() *tables {
	t := &tables{
		xor1: newTable(xor, 1, 8, 7), xor2: newTable(xor, 2, 8, 7),
		sub1: newTable(sub, 1, 8, 7), second: newTable(second, 2, 8, 7),
		xor8: newTable(xor, 8, 4, 5), sub8: newTable(sub, 8, 4, 5),
		xor16: newTable(xor, 16, 8, 9), sub16: newTable(sub, 16, 8, 9),
		xorRare: newTable(xor, 1, 8, 7), subRare: newTable(sub, 1, 8, 7),
		apart: newTable(xor, 1, 4, 12), xor32: newTable(xor, 32, 8, 25),
	}
	for k := 5; k < 16; k++ {
		width, step := 4, 13-k
		if k == 8 {
			continue
		}
		if k > 8 { // of the digits; the raw bytes have too few differences
			width, step = 8, 25-k
		}
		t.xorOthers = append(t.xorOthers, newTable(xor, k, width, step))
		t.subOthers = append(t.subOthers, newTable(sub, k, width, step))
	}
	return t
}

func newTable(kind opKind, distance, width, step int) *table {
	return &table{operator: operator{kind, distance}, width: width, step: step}
}

// all lists every table once.
func (t *tables) all() []*table {
	return append(append(t.always(), t.others()...), t.apart)
}

// always lists those that any input is passed through.
func (t *tables) always() []*table {
	return []*table{t.xor1, t.xor2, t.sub1, t.second, t.xor8, t.sub8, t.xor16, t.sub16}
}

// others lists those for inputs that are not large.
func (t *tables) others() []*table {
	return append(append([]*table{t.xorRare, t.subRare, t.xor32}, t.xorOthers...), t.subOthers...)
}

// dresser enters the dresses of one carrier.
type dresser struct {
	*tables
	carrier
	whole int
	hex   bool
}

const minForeign = 14 // differences of a text that is not hexadecimal: at three bits or more each

func (d dresser) put(t *table, technique layer.Technique, x []byte) {
	if !d.hex && len(x) < minForeign {
		return
	}
	t.hold(pattern{secret: d.secret, technique: technique, bytes: x, bits: d.bits, whole: d.whole, lost: len(d.bytes) - len(x)})
}

// putSigned enters x and what it is where the subtraction went the other way.
func (d dresser) putSigned(t *table, technique layer.Technique, x []byte) {
	d.put(t, technique, x)
	d.put(t, technique, negated(x))
}

func (d dresser) dress() {
	switch d.kind {
	case raw:
		d.chained()
		d.keyed(d.xor8, d.sub8, 8)
		d.padded()
		d.mapped()
		d.shifted()
		d.apartRaw()
	case text:
		d.chained()
		d.keyed(d.xor16, d.sub16, 16)
		d.padded()
		d.put(d.xor1, Xor, xored(d.bytes, 1)) // all of the digits have an equality pattern, a part of them may have none
		d.shifted()
		d.packed()
		d.put(d.apart, Stride, xored(d.bytes, 1))
	}
}

// chained: each byte depends on those before it, or on a number that counts.
func (d dresser) chained() {
	x := d.bytes
	d.put(d.xor1, Running, x[1:])
	d.put(d.xor2, Running, xored(x[1:], 1)) // and a constant on top
	d.put(d.xor2, Running, x[2:])
	d.putSigned(d.sub1, Running, x[1:])
	d.putSigned(d.second, Running, subtracted(x[1:], 1))
	d.putSigned(d.second, Counter, d.second.of(x))
	d.putCounted()
	for _, k := range []int{1, 2, 4, 8} {
		if len(x)-k-1 < 14 {
			continue // too short to have a sample inside
		}
		d.put(d.xor1, Delta, xored(xored(x, k), 1))
		d.putSigned(d.sub1, Delta, subtracted(subtracted(x, k), 1))
	}
	d.putSigned(d.sub1, Delta, subtracted(xored(x, 1), 1))
}

func (d dresser) putCounted() {
	x := xored(d.bytes, 1)
	if d.hex || len(x) >= minForeign {
		d.xorRare.hold(pattern{secret: d.secret, technique: Counter, bytes: x, bits: d.bits, whole: d.whole, lost: 1, counter: true})
	}
}

// keyed: a key repeats, or each byte depends on the one a block before. Keys of
// half, a quarter ... the distance are among those of the whole distance.
func (d dresser) keyed(byXor, bySub *table, distance int) {
	d.keyedAt(byXor, bySub)
	d.put(byXor, Running, d.bytes[distance:])
	d.putSigned(bySub, Running, d.bytes[distance:])
	for i, t := range d.xorOthers {
		if t.distance > distance/2 && t.distance < distance {
			d.keyedAt(t, d.subOthers[i])
		}
	}
}

func (d dresser) keyedAt(byXor, bySub *table) {
	d.put(byXor, Xor, xored(d.bytes, byXor.distance))
	d.putSigned(bySub, Add, subtracted(d.bytes, bySub.distance))
}

// padded: a key as long as the secret stands right before it, or behind.
func (d dresser) padded() {
	switch len(d.bytes) {
	case d.xor16.distance:
		d.put(d.xor16, Xor, d.bytes)
		d.putSigned(d.sub16, Add, d.bytes)
	case d.xor32.distance:
		d.put(d.xor32, Xor, d.bytes)
	}
}

// mapped: a map of each byte, then a constant. Of digits any such map is a
// substitution, which the equality pattern recognises.
func (d dresser) mapped() {
	for i, f := range byteMaps() {
		x, xorName, addName := mapped(d.bytes, f), BitMap, BitMap
		if i == 0 { // the byte itself
			xorName, addName = Xor, Add
		}
		d.put(d.xor1, xorName, xored(x, 1))
		d.put(d.xor2, xorName, xored(x, 2))
		d.putSigned(d.sub1, addName, subtracted(x, 1))
		if i > 0 {
			d.put(d.xor8, BitMap, xored(x, 8))
		}
	}
	for _, n := range []int{2, 4, 8} { // words in the other order of bytes
		d.put(d.xor1, Xor, xored(turned(d.bytes, n), 1))
	}
	differences := subtracted(d.bytes, 1)
	for a := 3; a < 254; a += 2 { // 1 and 255 are addition
		d.put(d.subRare, Affine, mapped(differences, func(c byte) byte { return c * byte(a) }))
	}
}

// turned has each group of n bytes back to front.
func turned(x []byte, n int) []byte {
	var out []byte
	for group := range slices.Chunk(x, n) {
		out = append(out, reversed(group)...)
	}
	return out
}

func (d dresser) shifted() {
	for _, x := range misaligned(d.bytes) {
		d.put(d.xor1, BitShift, xored(x, 1))
		d.put(d.subRare, BitShift, subtracted(x, 1))
	}
}

func (d dresser) apartRaw() {
	for _, f := range byteMaps() {
		d.put(d.apart, Stride, xored(mapped(d.bytes, f), 1))
	}
}

// packed: the digits in fields of bits without gaps, by what a packer might
// make of a character.
func (d dresser) packed() {
	if !bytes.ContainsAny(d.bytes, "ABCDEF") { // digits have one value in both cases
		for _, width := range []int{5, 6, 7, 9, 10, 11, 12} {
			d.putPacked(d.xorRare, digitValue, width)
		}
	}
	character := func(c byte) uint16 { return uint16(c) }
	d.putPacked(d.xor1, character, 7)
	for _, width := range []int{9, 10, 11, 12} {
		d.putPacked(d.xorRare, character, width)
	}
	d.putPacked(d.xorRare, func(c byte) uint16 { return uint16(c & 63) }, 6)
	d.putPacked(d.xorRare, func(c byte) uint16 { return uint16(c-' ') & 63 }, 6)
	d.putPacked(d.xorRare, base64Value, 6)
}

func (d dresser) putPacked(t *table, value func(byte) uint16, width int) {
	values := make([]uint16, len(d.bytes))
	for i, c := range d.bytes {
		values[i] = value(c)
	}
	for _, x := range packed(values, width) {
		d.put(t, Packed, xored(x, 1))
	}
}

func digitValue(c byte) uint16 {
	if c > '9' {
		return uint16(c|0x20) - 'a' + 10
	}
	return uint16(c - '0')
}

func base64Value(c byte) uint16 {
	three, err := base64.StdEncoding.DecodeString(string([]byte{c, c, c, c}))
	if err != nil {
		return 0
	}
	return uint16(three[0] >> 2)
}
