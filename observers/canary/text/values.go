package text

import (
	"encoding/binary"
	"slices"
	"strconv"

	"postern/observers/canary/layer"
)

// read yields what a list may stand for.
func (l *lists) read(list []numeric) {
	s := shapeOf(list)
	if s.hex {
		l.hexadecimal(list, s)
	}
	if len(list) > longList {
		l.values("number-list", list, 10)
		return
	}
	if s.marked {
		l.values("number-list", list, 0)
		l.indexed(list)
		return
	}
	l.indexed(list)
	if s.decimal {
		l.values("decimal-list", list, 10)
		l.floats(list)
	}
	if s.top < 8 && s.decimal && s.widest <= 3 {
		l.values("octal-list", list, 8)
	}
	if s.top < 8 && s.decimal && s.widest > 3 && s.zeros {
		l.values("octal-list", list, 8) // as C writes it
	}
	for base := max(int(s.top)+1, 3); s.decimal && base < 10 && s.widest >= 2 && s.widest <= 8; base++ {
		if base != 8 {
			l.values("base-n-list", list, base)
		}
	}
	if s.top < 2 && s.decimal && s.widest >= 4 {
		l.binary(list, s)
	}
	l.cells(list, s)
}

// shape is what the numbers of a list have in common.
type shape struct {
	hex, decimal      bool // every number can be read so
	marked            bool // some number says its base
	top               byte // the largest decimal figure
	zeros             bool // every number begins with one
	widest, narrowest int
}

func shapeOf(list []numeric) shape {
	s := shape{hex: true, decimal: true, zeros: true, narrowest: 64}
	for _, n := range list {
		s.marked = s.marked || n.hex || n.octal || n.binary
		s.hex = s.hex && !n.octal && !n.binary
		s.zeros = s.zeros && len(n.figures) > 0 && n.figures[0] == '0'
		s.widest, s.narrowest = max(s.widest, len(n.figures)), min(s.narrowest, len(n.figures))
		for _, c := range n.figures {
			if !isDigit(c) {
				s.decimal = false
			} else {
				s.top = max(s.top, c-'0')
			}
		}
	}
	return s
}

// hexadecimal reads each number as hexadecimal digits, of as many bytes as it
// has, or as the widest.
func (l *lists) hexadecimal(list []numeric, s shape) {
	var joined, padded, swapped, low []byte
	width := (s.widest + 1) / 2 * 2
	for _, n := range list {
		f := n.figures
		if len(f)%2 != 0 {
			f = append([]byte{'0'}, f...)
		}
		d := pack(nil, f, hexAlphabet, 4)
		joined = append(joined, d...)
		for i := len(f); i < width; i += 2 {
			padded = append(padded, 0)
			d = append([]byte{0}, d...)
		}
		padded = append(padded, d[len(d)-len(f)/2:]...)
		swapped = append(swapped, reversed(d)...)
		low = append(low, d[len(d)-1])
	}
	at := list[0].at
	l.offer("hex-list", at, joined)
	if s.widest != s.narrowest && s.widest > 2 && s.widest <= 16 {
		l.offer("hex-list-padded", at, padded)
	}
	if s.widest > 2 && s.widest <= 16 {
		l.offer("hex-list-little", at, swapped)
		l.offer("hex-list-low", at, low)
	}
	if s.widest == 1 || s.narrowest == 1 && s.widest <= 2 {
		l.nibbles(list)
	}
}

// nibbles reads the figures as digits side by side.
func (l *lists) nibbles(list []numeric) {
	var d []byte
	for _, n := range list {
		d = append(d, n.figures...)
	}
	l.offer("joined-digits", list[0].at, d)
}

// values reads each number in the base, or in the one that it says, and yields
// the lowest byte of each, and the bytes of each both ways round.
func (l *lists) values(t layer.Technique, list []numeric, base int) {
	vs := make([]uint64, 0, len(list))
	for _, n := range list {
		v, err := strconv.ParseUint(string(n.figures), n.base(base), 64)
		if err != nil {
			return
		}
		if n.negative {
			v = -v
		}
		vs = append(vs, v)
	}
	l.words(t, list[0].at, vs)
}

func (n *numeric) base(usual int) int {
	switch {
	case n.hex:
		return 16
	case n.octal:
		return 8
	case n.binary:
		return 2
	case usual == 0:
		return 10
	}
	return usual
}

// words yields the numbers as bytes.
func (l *lists) words(t layer.Technique, at int, vs []uint64) {
	var low, big, little []byte
	width := widthOf(vs)
	for _, v := range vs {
		var w [8]byte
		binary.BigEndian.PutUint64(w[:], v)
		low = append(low, byte(v))
		if width > 1 {
			big = append(big, w[8-width:]...)
			little = append(little, reversed(w[8-width:])...)
		}
	}
	l.offer(t, at, low)
	l.offer(t+"-big", at, big)
	l.offer(t+"-little", at, little)
	l.digits(at, vs)
	l.positions(at, vs)
}

const manyPositions = 64 // digits of one number that are numbers themselves

// positions reads numbers as the digits of one, in the first bases that have
// them all: minutes and seconds, groups of decimal digits.
func (l *lists) positions(at int, vs []uint64) {
	if len(vs) < fewNumbers || len(vs) > manyPositions {
		return
	}
	top, tried := slices.Max(vs), 0
	for _, base := range []uint64{20, 24, 26, 36, 58, 60, 62, 85, 91, 94, 100, 1000, 10_000, 1_000_000} {
		if base <= top || base/4 > top || tried == 3 {
			continue
		}
		tried++
		for range 2 {
			var limbs []uint64
			for _, v := range vs {
				limbs = mulAdd(limbs, base, v)
			}
			l.offer("positional-list", at, bytesOfLimbs(limbs))
			vs = slices.Clone(vs)
			slices.Reverse(vs)
		}
	}
}

// widthOf is how many bytes the largest number takes, signs aside.
func widthOf(vs []uint64) int {
	width := 1
	for _, v := range vs {
		if int64(v) < 0 && int64(v) >= -1<<31 {
			v = ^v << 1
		}
		for ; width < 8 && v>>(8*width) != 0; width *= 2 {
		}
	}
	return width
}

// digits reads small numbers as the digits of a base that is a power of two,
// and as places in the alphabet.
func (l *lists) digits(at int, vs []uint64) {
	top := uint64(0)
	for _, v := range vs {
		top = max(top, v)
	}
	if top > 127 || len(vs) < 8 || len(vs) > longList {
		return
	}
	for bits := uint(3); bits < 8; bits++ {
		if top>>bits != 0 || bits > 4 && top>>(bits-1) == 0 {
			continue
		}
		l.offer("digits-list", at, packValues(vs, bits))
	}
	if top < 38 {
		l.places(at, vs)
	}
}

func packValues(vs []uint64, bits uint) []byte {
	var d []byte
	var acc uint64
	var n uint
	for _, v := range vs {
		acc, n = acc<<bits|v, n+bits
		for n >= 8 {
			n -= 8
			d = append(d, byte(acc>>n))
		}
	}
	return d
}

// places reads numbers as places in the alphabet: a is 1, or a is 0, or figures
// before the letters, or letters before the figures.
func (l *lists) places(at int, vs []uint64) {
	for _, order := range []string{" " + lower + digits, lower + digits, digits + lower, " " + digits + lower} {
		d := make([]byte, 0, len(vs))
		for _, v := range vs {
			d = append(d, order[min(int(v), len(order)-1)])
		}
		l.offer("letter-numbers", at, d)
	}
}

// indexed reads every second number in the order that the others give, as in
// [0]=52, [1]=97.
func (l *lists) indexed(list []numeric) {
	n := len(list) / 2
	if n < fewNumbers {
		return
	}
	first := ^uint64(0)
	for i := range n {
		first = min(first, list[2*i].value())
	}
	ordered := make([]numeric, n)
	for i := range n {
		place := list[2*i].value() - first
		if place >= uint64(n) || ordered[place].figures != nil {
			return
		}
		ordered[place] = list[2*i+1]
	}
	l.offer("indexed-list", list[0].at, packValues(valuesOf(ordered), 8))
	l.hexadecimal(ordered, shapeOf(ordered))
}

func valuesOf(list []numeric) []uint64 {
	vs := make([]uint64, 0, len(list))
	for _, n := range list {
		vs = append(vs, n.value()&255)
	}
	return vs
}

// value reads a number in its own base, or as 0 where it is too large.
func (n *numeric) value() uint64 {
	v, err := strconv.ParseUint(string(n.figures), n.base(10), 64)
	if err != nil {
		return 0
	}
	return v
}

// floats reads numbers with fractions as the nearest bytes: themselves, and
// parts of 255 and of 256.
func (l *lists) floats(list []numeric) {
	var vs []float64
	for i := 0; i < len(list); i++ {
		text := list[i].figures
		if i+1 < len(list) && list[i+1].at == list[i].end+1 && l.b[list[i].end] == '.' {
			text = l.b[list[i].at:list[i+1].end]
			i++
		}
		v, err := strconv.ParseFloat(string(text), 64)
		if err != nil {
			return
		}
		vs = append(vs, v)
	}
	if len(vs) < fewNumbers || len(vs) == len(list) {
		return
	}
	for _, scale := range []float64{1, 255, 256} {
		d := make([]byte, 0, len(vs))
		for _, v := range vs {
			d = append(d, byte(int64(min(v*scale, 1<<40)+0.5)))
		}
		l.offer("float-list", list[0].at, d)
	}
}
