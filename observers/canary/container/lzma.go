package container

// lzmaDecoder decodes LZMA into a slice that is its own dictionary: a header
// that lies about one costs nothing, and what a broken stream gave before it
// broke is kept. Libraries do neither.
type lzmaDecoder struct {
	in            []byte
	at            int
	rng, code     uint32
	over          bool // read past the end of the input
	out           []byte
	base          int // matches reach back to here
	lc            uint
	lpMask, pMask uint32
	state         int
	rep           [4]uint32

	isMatch, isRep0Long [12][16]uint16
	isRep, isRepG0      [12]uint16
	isRepG1, isRepG2    [12]uint16
	slot                [4][64]uint16
	special             [128]uint16
	align               [16]uint16
	length, repLength   lzmaLength
	literal             []uint16
}

type lzmaLength struct {
	choice   [2]uint16
	low, mid [16][8]uint16
	high     [256]uint16
}

const lzmaHalf = 1 << 10 // a probability of one half

// lzmaEnd is why decoding ended.
type lzmaEnd int

const (
	lzmaFull   lzmaEnd = iota // the size that was asked for is there
	lzmaMarker                // the stream said so
	lzmaBroken
)

// setProps resets all, and says whether there are such properties.
func (d *lzmaDecoder) setProps(p byte) bool {
	if p >= 225 || p%9+p/9%5 > 4 { // as everywhere but in theory
		return false
	}
	d.lc, d.lpMask, d.pMask = uint(p%9), 1<<(p/9%5)-1, 1<<(p/45)-1
	if n := 0x300 << (d.lc + uint(p/9%5)); n <= cap(d.literal) {
		d.literal = d.literal[:n]
	} else {
		d.literal = make([]uint16, n)
	}
	d.resetState()
	return true
}

func half(probs []uint16) {
	for i := range probs {
		probs[i] = lzmaHalf
	}
}

func (d *lzmaDecoder) resetState() {
	d.state, d.rep = 0, [4]uint32{}
	for i := range d.isMatch {
		half(d.isMatch[i][:])
		half(d.isRep0Long[i][:])
	}
	half(d.isRep[:])
	half(d.isRepG0[:])
	half(d.isRepG1[:])
	half(d.isRepG2[:])
	for i := range d.slot {
		half(d.slot[i][:])
	}
	half(d.special[:])
	half(d.align[:])
	half(d.literal)
	d.length.reset()
	d.repLength.reset()
}

func (l *lzmaLength) reset() {
	half(l.choice[:])
	for i := range l.low {
		half(l.low[i][:])
		half(l.mid[i][:])
	}
	half(l.high[:])
}

// start begins a range coded stream.
func (d *lzmaDecoder) start(in []byte) bool {
	if len(in) < 5 || in[0] != 0 {
		return false
	}
	d.in, d.at, d.over, d.rng = in, 5, false, ^uint32(0)
	d.code = uint32(in[1])<<24 | uint32(in[2])<<16 | uint32(in[3])<<8 | uint32(in[4])
	return true
}

func (d *lzmaDecoder) normalize() {
	if d.rng >= 1<<24 {
		return
	}
	d.rng <<= 8
	d.code <<= 8
	if d.at < len(d.in) {
		d.code |= uint32(d.in[d.at])
	} else {
		d.over = true
	}
	d.at++
}

func (d *lzmaDecoder) bit(p *uint16) uint32 {
	bound := d.rng >> 11 * uint32(*p)
	if d.code < bound {
		d.rng = bound
		*p += (1<<11 - *p) >> 5
		d.normalize()
		return 0
	}
	d.rng -= bound
	d.code -= bound
	*p -= *p >> 5
	d.normalize()
	return 1
}

// tree reads n bits, most significant first.
func (d *lzmaDecoder) tree(probs []uint16, n uint) uint32 {
	m := uint32(1)
	for range n {
		m = m<<1 | d.bit(&probs[m])
	}
	return m - 1<<n
}

// reverse reads n bits, least significant first.
func (d *lzmaDecoder) reverse(probs []uint16, n uint) (v uint32) {
	m := uint32(1)
	for i := range n {
		b := d.bit(&probs[m])
		m = m<<1 | b
		v |= b << i
	}
	return v
}

func (d *lzmaDecoder) direct(n uint) (v uint32) {
	for range n {
		d.rng >>= 1
		b := uint32(0)
		if d.code >= d.rng {
			d.code -= d.rng
			b = 1
		}
		v = v<<1 | b
		d.normalize()
	}
	return v
}

func (l *lzmaLength) read(d *lzmaDecoder, pos uint32) int {
	switch {
	case d.bit(&l.choice[0]) == 0:
		return 2 + int(d.tree(l.low[pos][:], 3))
	case d.bit(&l.choice[1]) == 0:
		return 10 + int(d.tree(l.mid[pos][:], 3))
	}
	return 18 + int(d.tree(l.high[:], 8))
}

func (d *lzmaDecoder) distance(n int) uint32 {
	slot := d.tree(d.slot[min(n-2, 3)][:], 6)
	if slot < 4 {
		return slot
	}
	k := uint(slot>>1 - 1)
	v := (2 | slot&1) << k
	if slot < 14 {
		return v + d.reverse(d.special[v-slot:], k)
	}
	return v + d.direct(k-4)<<4 + d.reverse(d.align[:], 4)
}

func (d *lzmaDecoder) literalByte() {
	pos, prev := uint32(len(d.out)-d.base), uint32(0)
	if pos > 0 {
		prev = uint32(d.out[len(d.out)-1])
	}
	probs := d.literal[0x300*((pos&d.lpMask)<<d.lc+prev>>(8-d.lc)):]
	m := uint32(1)
	if d.state >= 7 {
		match := uint32(d.out[len(d.out)-1-int(d.rep[0])])
		for m < 0x100 {
			match <<= 1
			want := match >> 8 & 1
			b := d.bit(&probs[(1+want)<<8+m])
			m = m<<1 | b
			if b != want {
				break
			}
		}
	}
	for m < 0x100 {
		m = m<<1 | d.bit(&probs[m])
	}
	d.out = append(d.out, byte(m))
	switch {
	case d.state < 4:
		d.state = 0
	case d.state < 10:
		d.state -= 3
	default:
		d.state -= 6
	}
}

// repeat reads which of the last distances is used again, and makes it the first;
// one is whether it is for a single byte.
func (d *lzmaDecoder) repeat(pos uint32) (one bool) {
	if d.bit(&d.isRepG0[d.state]) == 0 {
		return d.bit(&d.isRep0Long[d.state][pos]) == 0
	}
	n := 1
	if d.bit(&d.isRepG1[d.state]) == 1 {
		n = 2 + int(d.bit(&d.isRepG2[d.state]))
	}
	v := d.rep[n]
	copy(d.rep[1:n+1], d.rep[:n])
	d.rep[0] = v
	return false
}

// after is the state behind a match, a repeated one or a single byte of one.
func (d *lzmaDecoder) after(early, late int) {
	if d.state < 7 {
		d.state = early
	} else {
		d.state = late
	}
}

// run decodes until there are size bytes of output or the stream ends.
func (d *lzmaDecoder) run(size int) lzmaEnd {
	for len(d.out) < size && !d.over {
		pos := uint32(len(d.out)-d.base) & d.pMask
		if d.bit(&d.isMatch[d.state][pos]) == 0 {
			if d.state >= 7 && int(d.rep[0]) >= len(d.out)-d.base {
				return lzmaBroken
			}
			d.literalByte()
			continue
		}
		n := 1
		if d.bit(&d.isRep[d.state]) == 0 {
			copy(d.rep[1:], d.rep[:3])
			n = d.length.read(d, pos)
			d.after(7, 10)
			if d.rep[0] = d.distance(n); d.rep[0] == ^uint32(0) {
				return lzmaMarker
			}
		} else if d.repeat(pos) {
			d.after(9, 11)
		} else {
			n = d.repLength.read(d, pos)
			d.after(8, 11)
		}
		if int(d.rep[0]) >= len(d.out)-d.base {
			return lzmaBroken
		}
		d.out = copyBack(d.out, int(d.rep[0])+1, min(n, size-len(d.out)))
	}
	if d.over {
		return lzmaBroken
	}
	return lzmaFull
}
