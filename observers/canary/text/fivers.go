package text

// Codes of five bits: letters of the telegraph (ITA2) and of Bacon's cipher.
const (
	telegraphLetters = "\x00e\na siu\rdrjnfcktzlwhypqobg\x00mxv\x00"
	telegraphFigures = "\x003\n- '87\r\x004\x00,!:(5\")2#6019?&\x00./;\x00"
	baconLetters     = "abcdefghiklmnopqrstuwxyz"
)

// fivers reads a string of 0 and 1 as codes of five bits, either end first and
// of either sense.
func (o *out) fivers(at int, run []byte) {
	if len(run) > manyBits {
		return
	}
	codes := make([]byte, 0, len(run)/5)
	for ; len(run) >= 5; run = run[5:] {
		codes = append(codes, run[0]&1<<4|run[1]&1<<3|run[2]&1<<2|run[3]&1<<1|run[4]&1)
	}
	for _, flip := range []byte{0, 31} {
		o.gather("telegraph", at, telegraph(codes, flip, false))
		o.gather("telegraph", at, telegraph(codes, flip, true))
		o.gather("bacon", at, lookUp(codes, flip, baconLetters))
		o.gather("bacon", at, lookUp(codes, flip, lower+"012345"))
		o.gather("bacon", at, lookUp(codes, flip, upper+"234567"))
		o.gather("five-bits", at, lookUp(codes, flip, digits+lower))
	}
}

func lookUp(codes []byte, flip byte, letters string) []byte {
	d := make([]byte, 0, len(codes))
	for _, c := range codes {
		d = append(d, letters[min(int(c^flip), len(letters)-1)])
	}
	return d
}

// telegraph decodes ITA2, whose codes 27 and 31 shift to figures and letters.
func telegraph(codes []byte, flip byte, mirrored bool) []byte {
	var d []byte
	figures := false
	for _, c := range codes {
		c ^= flip
		if mirrored {
			c = c&1<<4 | c&2<<2 | c&4 | c&8>>2 | c&16>>4
		}
		switch {
		case c == 27:
			figures = true
		case c == 31:
			figures = false
		case figures:
			d = append(d, telegraphFigures[c])
		default:
			d = append(d, telegraphLetters[c])
		}
	}
	return d
}
