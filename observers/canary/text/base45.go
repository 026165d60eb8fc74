package text

var base45Alphabet = alphabetOf(digits+upper+" $%*+-./:", false)

// base45 decodes RFC 9285: two bytes in three symbols, least significant digit
// first, in each phase.
func (g *graph) base45(b []byte, offset int) {
	if len(b) < 9 || !dense45(b) {
		return
	}
	for p := range 3 {
		g.gather("base45", offset+p, unpack45(b[p:]))
	}
}

func dense45(b []byte) bool {
	turns, capitals := 0, 0
	for i := 1; i < len(b); i++ {
		if kind(b[i]) != kind(b[i-1]) {
			turns++
		}
		if isUpper(b[i]) {
			capitals++
		}
	}
	return turns*4 >= len(b) && capitals*4 >= len(b)
}

func unpack45(b []byte) []byte {
	var d []byte
	for ; len(b) >= 3; b = b[3:] {
		v := digit45(b[0]) + 45*digit45(b[1]) + 2025*digit45(b[2])
		d = append(d, byte(v>>8), byte(v))
	}
	if len(b) == 2 {
		d = append(d, byte(digit45(b[0])+45*digit45(b[1])))
	}
	return d
}

func digit45(c byte) int { return int(base45Alphabet[c]) }
