package text

import (
	"slices"

	"postern/observers/canary/layer"
)

type radix struct {
	technique layer.Technique
	alphabet  *alphabet
}

func ascii(from, to int) string {
	var b []byte
	for c := from; c < to; c++ {
		b = append(b, byte(c))
	}
	return string(b)
}

// Digits that stand for a whole group: of zeros, and of spaces.
const (
	groupZero  = -2
	groupSpace = -3
)

var base85 = []radix{
	{"ascii85", alphabetOf(ascii('!', 'v'), false).also(groupZero, "z").also(groupSpace, "y")},
	{"base85", alphabetOf(digits+upper+lower+"!#$%&()*+-;<=>?@^_`{|}~", false)},
	{"z85", alphabetOf(digits+lower+upper+".-:+=^!/*?&<>()[]{}@%$#", false)},
}

// phases85 decodes b from its first symbols on.
func (o *out) phases85(t layer.Technique, b []byte, a *alphabet, offset int) {
	n := 5
	if len(b) > graphPhase {
		n = 1
	}
	for p := range min(n, len(b)) {
		o.offer(t, offset+p, unpack85(nil, b[p:], a))
	}
}

// unpack85 appends four bytes for five symbols; what is no symbol is left out.
func unpack85(dst, symbols []byte, a *alphabet) []byte {
	var acc uint32
	n := 0
	for _, c := range symbols {
		switch d := a[c]; {
		case d >= 0:
			acc = acc*85 + uint32(d)
			if n++; n == 5 {
				dst = append(dst, byte(acc>>24), byte(acc>>16), byte(acc>>8), byte(acc))
				acc, n = 0, 0
			}
		case d == groupZero && n == 0:
			dst = append(dst, 0, 0, 0, 0)
		case d == groupSpace && n == 0:
			dst = append(dst, "    "...)
		}
	}
	return rest85(dst, acc, n)
}

// rest85 appends the bytes of a last group of n symbols.
func rest85(dst []byte, acc uint32, n int) []byte {
	if n < 2 {
		return dst
	}
	for range 5 - n {
		acc = acc*85 + 84
	}
	last := []byte{byte(acc >> 24), byte(acc >> 16), byte(acc >> 8), byte(acc)}
	return append(dst, last[:n-1]...)
}

// pairCode is an alphabet in which two symbols carry 13 bits, or 14.
type pairCode struct {
	technique layer.Technique
	alphabet  *alphabet
	unpack    func(b []byte, a *alphabet) []byte
}

var pairs = []pairCode{
	{"base91", alphabetOf(upper+lower+digits+"!#$%&()*+,./:;<=>?@[]^_`{|}~\"", false), unpack91},
	{"base92", alphabetOf("!"+ascii('#', '`')+ascii('a', '~'), false), unpack92},
}

// starts decodes b from its beginning and from behind its first few marks,
// because a name before the data shifts the bits.
func (g *graph) starts(e pairCode, b []byte, offset int) {
	g.offer(e.technique, offset, e.unpack(b, e.alphabet))
	left := 4
	for i := 0; i+9 < len(b) && i < 64 && left > 0; i++ {
		if slices.Contains([]byte(`:=,>"`), b[i]) {
			g.gather(e.technique, offset+i+1, e.unpack(b[i+1:], e.alphabet))
			left--
		}
	}
}

// unpack91 decodes basE91: 13 bits a pair, or 14 where the value is small,
// least significant first.
func unpack91(b []byte, a *alphabet) []byte {
	var d []byte
	var acc, n uint
	v := -1
	for _, c := range b {
		if v < 0 {
			v = int(a[c])
			continue
		}
		v += int(a[c]) * 91
		acc |= uint(v) << n
		n += 13
		if v&8191 <= 88 {
			n++
		}
		for ; n >= 8; n -= 8 {
			d = append(d, byte(acc))
			acc >>= 8
		}
		v = -1
	}
	if v >= 0 {
		d = append(d, byte(acc|uint(v)<<n))
	}
	return d
}

// unpack92 decodes base92: 13 bits a pair, most significant first, and six in a
// last single symbol.
func unpack92(b []byte, a *alphabet) []byte {
	var d []byte
	var acc, n uint
	for i := 0; i < len(b); i += 2 {
		if i+1 < len(b) {
			acc, n = acc<<13|uint(int(a[b[i]])*91+int(a[b[i+1]])), n+13
		} else {
			acc, n = acc<<6|uint(a[b[i]]), n+6
		}
		for n >= 8 {
			n -= 8
			d = append(d, byte(acc>>n))
		}
	}
	return d
}
