package text

import (
	"bytes"
	"math/bits"

	"postern/observers/canary/layer"
)

// longNumeral is how many symbols of one number are read: the work grows with
// the square of it.
const longNumeral = 512

// shortNumeral is how many symbols of one are also read backwards, in rarer bases and
// in parts, where the piece is no longer than middlePiece.
const (
	shortNumeral = 64
	middlePiece  = 32 << 10
	longTrimmed  = 192 // and of one that is read without its ends
	trimmings    = 8   // symbols
	trimNear     = 24  // bytes
)

// numeral is a way to write bytes as one number.
type numeral struct {
	technique layer.Technique
	base      uint64
	alphabet  *alphabet
}

var (
	base58 = []numeral{
		{"base58", 58, alphabetOf("123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz", false)},
		{"base58-flickr", 58, alphabetOf("123456789abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ", false)},
		{"base58-ripple", 58, alphabetOf("rpshnaf39wBUDNEGHJKLM4PQRST7VWXYZ2bcdeCg65jkm8oFqi1tuvAxyz", false)},
	}
	base62 = []numeral{
		{"base62", 62, alphabetOf(digits+upper+lower, false)},
		{"base62-lower-first", 62, alphabetOf(digits+lower+upper, false)},
		{"base62-upper-first", 62, alphabetOf(upper+lower+digits, false)},
		{"base62-letters-first", 62, alphabetOf(lower+upper+digits, false)},
	}
	base36 = []numeral{{"base36", 36, alphabetOf(digits+lower, true)}}
	base52 = []numeral{
		{"base52", 52, alphabetOf(upper+lower, false)},
		{"base26", 26, alphabetOf(upper, true)},
	}
	lookless = []numeral{
		{"base57", 57, alphabetOf("23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz", false)},
		{"base56", 56, alphabetOf("23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz", false)},
	}
	decimal = []numeral{{"decimal-integer", 10, alphabetOf(digits, false)}}
)

// numerals reads b as one number in each base that has its symbols.
func (r *runs) numerals(b []byte, in alphabets, offset int) {
	if len(b) > longNumeral {
		return
	}
	if in&inBase58 != 0 {
		r.numbers(base58[:r.variants(1, len(base58))], b, offset)
		r.blocks("base58-blocks", base58[0], b, 11, 8, offset)
		if b[0] == 'z' { // Multibase's mark, as in did:key
			r.numbers(base58[:1], b[1:], offset+1)
		}
	}
	if single := oneCase(b); single {
		r.numbers(base36, b, offset)
		r.otherBases(b, offset)
	} else {
		r.numbers(base62[:r.variants(2, len(base62))], b, offset)
		if len(r.b) <= middlePiece && len(b) <= shortNumeral {
			r.widerBases(b, offset)
		}
	}
	if onlyLetters(b) {
		r.numbers(base52, b, offset)
	}
	if len(r.b) <= middlePiece && len(b) <= shortNumeral {
		r.backwards(b, in, offset)
	}
	r.trimmed(b, in, offset)
}

// trimmed reads b as a number without a few symbols at an end, where bytes that are no
// text are near: some of those, or the name that follows, may look like symbols,
// and one more changes all of a number.
func (r *runs) trimmed(b []byte, in alphabets, offset int) {
	end := offset + len(b)
	if len(r.b) > middlePiece || len(b) > longTrimmed || end > len(r.b) || !bytes.Equal(b, r.b[offset:end]) {
		return
	}
	if readable(r.b[max(0, offset-trimNear):offset]) && readable(r.b[end:min(len(r.b), end+trimNear)]) {
		return
	}
	for i := range trimmings + 1 {
		for j := range trimmings + 1 {
			few := i == 0 || j == 0 || i+j <= 3
			if i+j > 0 && few && len(b)-i-j >= fullRun {
				r.trimming(b[i:len(b)-j], in, offset+i)
			}
		}
	}
}

func (r *runs) trimming(b []byte, in alphabets, offset int) {
	if in&inBase58 != 0 || within(b, base58[0].alphabet) {
		r.numbers(base58[:1], b, offset)
	}
	if oneCase(b) {
		r.numbers(base36, b, offset)
	} else {
		r.numbers(base62[:2], b, offset)
	}
}

// backwards reads b as a number that was turned round.
func (r *runs) backwards(b []byte, in alphabets, offset int) {
	b = reversed(b)
	if in&inBase58 != 0 {
		r.numbers(base58[:1], b, offset)
	}
	if oneCase(b) {
		r.numbers(base36, b, offset)
	} else {
		r.numbers(base62[:2], b, offset)
	}
}

// variants is how many orders of an alphabet are tried: all in a short piece.
func (r *runs) variants(few, all int) int {
	if len(r.b) > shortPiece {
		return few
	}
	return all
}

// otherBases reads b in the bases between ten and 36, whose digits are the first
// letters.
func (r *runs) otherBases(b []byte, offset int) {
	top := int8(0)
	for _, c := range b {
		top = max(top, base36[0].alphabet[c])
	}
	if len(b) > 256 || top < 10 {
		return
	}
	for base := uint64(top) + 1; base < min(36, uint64(top)+5); base++ { // a digit near the top is there
		if base != 16 && base != 32 {
			r.gather("integer-base-n", offset, bytesOf(b, numeral{base: base, alphabet: base36[0].alphabet}))
		}
	}
}

// widerBases reads b in the bases between 36 and 62, whose digits are the first
// letters of both cases, and in those of 56 and 57 that leave out what looks alike.
func (r *runs) widerBases(b []byte, offset int) {
	for _, n := range base62[:2] {
		top := int8(0)
		for _, c := range b {
			top = max(top, n.alphabet[c])
		}
		for base := uint64(top) + 1; base < min(62, uint64(top)+5); base++ {
			if base > 36 && base != 58 {
				n.base = base
				r.gather("integer-base-n", offset, bytesOf(b, n))
			}
		}
	}
	for _, n := range lookless {
		if within(b, n.alphabet) {
			r.numbers([]numeral{n}, b, offset)
		}
	}
}

func within(b []byte, a *alphabet) bool {
	for _, c := range b {
		if a[c] < 0 {
			return false
		}
	}
	return true
}

// numberParts reads what punctuation divides as one number each, of four bytes or of
// eight.
func (r *runs) numberParts(b []byte, parts []span, offset int) {
	if len(parts) < 2 || len(b) > shortNumeral || len(r.b) > middlePiece {
		return
	}
	for _, ns := range [][]numeral{base36, base58[:1], base62[:2]} {
		for _, n := range ns {
			var d []byte
			size := 4
			for _, p := range parts {
				v := bytesOf(b[p.from:p.to], n)
				if !within(b[p.from:p.to], n.alphabet) || len(v) > 8 {
					size = 0
					break
				}
				if len(v) > 4 {
					size = 8
				}
			}
			for _, p := range parts {
				if size == 0 {
					break
				}
				v := bytesOf(b[p.from:p.to], n)
				v = v[max(0, len(v)-size):]
				d = append(append(d, make([]byte, size-len(v))...), v...)
			}
			r.gather(n.technique+"-parts", offset, d)
		}
	}
}

func (r *runs) numbers(ns []numeral, b []byte, offset int) {
	for _, n := range ns {
		r.gather(n.technique, offset, bytesOf(b, n))
	}
}

// blocks reads b as numbers of so many symbols, each of so many bytes.
func (r *runs) blocks(t layer.Technique, n numeral, b []byte, symbols, size, offset int) {
	if len(b) < 2*symbols {
		return
	}
	var d []byte
	for ; len(b) > 0; b = b[min(symbols, len(b)):] {
		v := bytesOf(b[:min(symbols, len(b))], n)
		for i := len(v); i < size && len(b) >= symbols; i++ {
			d = append(d, 0)
		}
		d = append(d, v...)
	}
	r.gather(t, offset, d)
}

func oneCase(b []byte) bool {
	var low, up bool
	for _, c := range b {
		low, up = low || isLower(c), up || isUpper(c)
	}
	return !low || !up
}

func onlyLetters(b []byte) bool {
	for _, c := range b {
		if !isLetter(c) {
			return false
		}
	}
	return true
}

// bytesOf returns the number that b writes, most significant byte first. Its
// leading zeros stand for a byte each, as base58 has it.
func bytesOf(b []byte, n numeral) []byte {
	zeros := 0
	for zeros < len(b) && n.alphabet[b[zeros]] == 0 {
		zeros++
	}
	var limbs []uint64 // least significant first
	for len(b) > 0 {
		factor, sum := uint64(1), uint64(0)
		for len(b) > 0 && factor < 1<<57 {
			factor *= n.base
			sum = sum*n.base + uint64(max(n.alphabet[b[0]], 0))
			b = b[1:]
		}
		limbs = mulAdd(limbs, factor, sum)
	}
	return append(make([]byte, zeros), bytesOfLimbs(limbs)...)
}

// bytesOfLimbs returns a number, most significant byte first, without its leading
// zeros.
func bytesOfLimbs(limbs []uint64) []byte {
	d := make([]byte, 0, 8*len(limbs))
	started := false
	for i := len(limbs) - 1; i >= 0; i-- {
		for s := 56; s >= 0; s -= 8 {
			if c := byte(limbs[i] >> s); started || c != 0 {
				d, started = append(d, c), true
			}
		}
	}
	return d
}

func mulAdd(limbs []uint64, factor, carry uint64) []uint64 {
	for i, l := range limbs {
		hi, lo := bits.Mul64(l, factor)
		lo, c := bits.Add64(lo, carry, 0)
		limbs[i], carry = lo, hi+c
	}
	if carry > 0 {
		limbs = append(limbs, carry)
	}
	return limbs
}
