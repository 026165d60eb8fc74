package text

import "unicode/utf8"

// brailleASCII has, for each pattern of six dots, the character of the
// North American Braille ASCII code.
const brailleASCII = " A1B'K2L@CIF/MSP\"E3H9O6R^DJG>NTQ,*5<-U8V.%[$+X!&;:4\\0Z7(_?W]#Y)="

// braille reads patterns of dots as that code, and as letters with the sign
// before numbers.
func (o *out) braille(at int, b []byte) {
	var code, letters []byte
	figures := false
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		b = b[n:]
		if r < 0x2800 || r > 0x283f {
			figures = false
			continue
		}
		c := brailleASCII[r-0x2800]
		code = append(code, c)
		switch {
		case c == '#':
			figures = true
		case c == ' ' || c == ';':
			figures = false
		case figures && c >= 'A' && c <= 'J':
			letters = append(letters, "1234567890"[c-'A'])
		default:
			letters = append(letters, c|0x20)
			figures = false
		}
	}
	o.offer("braille", at, code)
	o.offer("braille", at, letters)
}
