package text

const (
	fewSeptets = 256 // bytes of a piece that is read in sevens
	fewTexts   = 28  // letters of text in a row that are no accident there
)

// septets reads a short piece that is no text as bytes of seven bits packed
// together, either end first; and one that is text as seven bits of each, as
// base122 has it.
func (o *out) septets(b []byte) {
	if len(b) > fewSeptets || len(b) < 8 {
		return
	}
	if foreignTo(b)*16 < len(b) {
		return
	}
	for p := range 7 {
		for _, big := range []bool{false, true} {
			eachRun(unpackSevens(b[p:], big), textBytes, fewTexts, func(r span) bool {
				o.gather("septets", p, unpackSevens(b[p:], big)[r.from:r.to])
				return false
			})
		}
	}
	if d := base122(b); len(d)*4 >= len(b)*3 {
		o.gather("base122", 0, d)
	}
}

// foreignTo counts the bytes that are not text.
func foreignTo(b []byte) int {
	n := 0
	for _, c := range b {
		if !textBytes[c] {
			n++
		}
	}
	return n
}

func unpackSevens(b []byte, big bool) []byte {
	var d []byte
	var acc, n uint
	for _, c := range b {
		if big {
			acc = acc<<8&0xffff | uint(c)
		} else {
			acc |= uint(c) << n
		}
		for n += 8; n >= 7; {
			n -= 7
			if big {
				d = append(d, byte(acc>>n&127))
			} else {
				d = append(d, byte(acc&127))
				acc >>= 7
			}
		}
	}
	return d
}

// base122Illegal are the bytes that a character of two bytes stands for.
var base122Illegal = []byte{0, '\n', '\r', '"', '&', '\\'}

func base122(b []byte) []byte {
	var d []byte
	var acc, n uint
	push := func(v uint) {
		acc, n = acc<<7&0xffff|v&127, n+7
		if n >= 8 {
			n -= 8
			d = append(d, byte(acc>>n))
		}
	}
	for len(b) > 0 {
		r, size := looseRune(b)
		if size == 0 {
			return d
		}
		if k := r >> 7 & 7; r > 127 && int(k) < len(base122Illegal) {
			push(uint(base122Illegal[k]))
		}
		push(uint(r))
		b = b[size:]
	}
	return d
}
