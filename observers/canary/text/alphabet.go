package text

// An alphabet gives each symbol's digit, or none.
type alphabet [256]int8

const none = -1

// alphabetOf numbers the symbols from 0. Fold lets the other case of a letter
// stand for it.
func alphabetOf(symbols string, fold bool) *alphabet {
	var a alphabet
	for i := range a {
		a[i] = none
	}
	for i := range len(symbols) {
		a[symbols[i]] = int8(i)
		if c := symbols[i] ^ 0x20; fold && isLetter(c) {
			a[c] = int8(i)
		}
	}
	return &a
}

// also lets each symbol of names stand for the digit.
func (a *alphabet) also(digit int8, names string) *alphabet {
	for i := range len(names) {
		a[names[i]] = digit
	}
	return a
}

const (
	digits = "0123456789"
	lower  = "abcdefghijklmnopqrstuvwxyz"
	upper  = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
)

var (
	hexAlphabet    = alphabetOf("0123456789abcdef", true)
	base64Alphabet = alphabetOf(upper+lower+digits+"+/", false).also(62, "-*.").also(63, "_,")
	base32Alphabet = alphabetOf(upper+"234567", true)
	base32Hex      = alphabetOf(digits+"abcdefghijklmnopqrstuv", true)
	crockford      = alphabetOf(digits+"abcdefghjkmnpqrstvwxyz", true).also(0, "oO").also(1, "iIlL")
	zBase32        = alphabetOf("ybndrfg8ejkmcpqxot1uwisza345h769", true)
	wordSafe       = alphabetOf("23456789CFGHJMPQRVWXcfghjmpqrvwx", false) // of Open Location Code
	nix            = alphabetOf(digits+"abcdfghijklmnpqrsvwxyz", false)
	geohash        = alphabetOf("0123456789bcdefghjkmnpqrstuvwxyz", true)
)

// set is which bytes belong to an alphabet.
type set [256]bool

func setOf(symbols string) *set {
	var s set
	for i := range len(symbols) {
		s[symbols[i]] = true
	}
	return &s
}

// span is the bytes from, to of an input.
type span struct{ from, to int }

// eachRun calls f with every longest run of at least min members, until it says
// false. It looks at the far end of a run first, so that most bytes of short
// runs are never read.
func eachRun(b []byte, in *set, min int, f func(r span) bool) {
	for i := 0; i+min <= len(b); {
		j := i + min - 1
		for j >= i && in[b[j]] {
			j--
		}
		if j >= i {
			i = j + 1
			continue
		}
		to := i + min
		for to < len(b) && in[b[to]] {
			to++
		}
		if !f(span{i, to}) {
			return
		}
		i = to + 1
	}
}

// pack appends the digits of the symbols, each of so many bits, most
// significant first. What is no symbol is left out.
func pack(dst, symbols []byte, a *alphabet, bits uint) []byte {
	var acc uint32
	var n uint
	for _, c := range symbols {
		d := a[c]
		if d < 0 {
			continue
		}
		acc = acc<<bits | uint32(d)
		if n += bits; n >= 8 {
			n -= 8
			dst = append(dst, byte(acc>>n))
		}
	}
	return dst
}

// packLow appends the digits of the symbols, least significant first.
func packLow(dst, symbols []byte, a *alphabet, bits uint) []byte {
	var acc uint32
	var n uint
	for _, c := range symbols {
		d := a[c]
		if d < 0 {
			continue
		}
		acc |= uint32(d) << n
		for n += bits; n >= 8; n -= 8 {
			dst = append(dst, byte(acc))
			acc >>= 8
		}
	}
	return dst
}

func isDigit(c byte) bool  { return c-'0' < 10 }
func isLower(c byte) bool  { return c-'a' < 26 }
func isUpper(c byte) bool  { return c-'A' < 26 }
func isLetter(c byte) bool { return (c|0x20)-'a' < 26 }
func isAlnum(c byte) bool  { return isDigit(c) || isLetter(c) }
func isSpace(c byte) bool  { return c == ' ' || c-9 < 5 }
func isHex(c byte) bool    { return hexAlphabet[c] >= 0 }

func reversed(b []byte) []byte {
	r := make([]byte, len(b))
	for i, c := range b {
		r[len(b)-1-i] = c
	}
	return r
}
