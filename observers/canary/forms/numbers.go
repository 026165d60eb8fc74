package forms

import (
	"crypto/sha256"
	"math"
	"math/bits"
	"slices"

	"postern/observers/canary/layer"
)

// numbers are bytes taken for one number, in any base.
func numbers(w *wardrobe) {
	for _, s := range w.wholes() {
		w.add("decimal-number", s.bits, w.spelled(w.inBase(s.b, 10, 1), tens))
		w.put("base36", s.bits, w.spelled(w.inBase(s.b, 36, 1), tens+lowers), true)
		groups := w.inBase(s.b, 62, 0)
		for _, symbols := range []string{tens + uppers + lowers, tens + lowers + uppers, uppers + lowers + tens} {
			w.add("base62", s.bits, w.spelled(groups, symbols))
		}
		base58(w, s)
	}
	if r := w.raw; r.b != nil {
		for _, base := range []uint64{3, 5, 6, 7, 9, 11, 12, 13, 20, 24, 26} {
			w.put("number-in-a-base", r.bits, w.spelled(w.inBase(r.b, base, 1), tens+lowers), true)
		}
		w.add("decimal-number", r.bits, w.spelled(w.inBase(w.reversed(r.b), 10, 1), tens))
	}
}

// base58 keeps leading zeros, and may end in a check, of the bytes alone or of
// them after version 0.
func base58(w *wardrobe, s source) {
	zeros := 0
	for zeros < len(s.b) && s.b[zeros] == 0 {
		zeros++
	}
	plain := w.inBase(s.b, 58, 0)
	if zeros > 0 {
		plain = append(make([]byte, zeros, zeros+len(plain)), plain...)
	}
	alone, versioned := w.inBase(withSum(nil, s.b), 58, 0), w.inBase(withSum([]byte{0}, s.b), 58, 0)
	for _, a := range []struct {
		technique layer.Technique
		symbols   string
	}{
		{"base58", "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"},
		{"base58-flickr", "123456789abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ"},
		{"base58-ripple", "rpshnaf39wBUDNEGHJKLM4PQRST7VWXYZ2bcdeCg65jkm8oFqi1tuvAxyz"},
	} {
		w.add(a.technique, s.bits, w.spelled(plain, a.symbols))
		w.add("base58check", s.bits, w.spelled(alone, a.symbols))
		w.add("base58check", s.bits, w.spelled(versioned, a.symbols))
	}
}

// withSum appends the check of Bitcoin's Base58Check.
func withSum(version, b []byte) []byte {
	b = slices.Concat(version, b)
	one := sha256.Sum256(b)
	two := sha256.Sum256(one[:])
	return append(b, two[:4]...)
}

// inBase returns digits of the number that bytes make, the highest first, at
// least so many. It divides by as many digits at once as a word has.
func (r *room) inBase(b []byte, base uint64, least int) []byte {
	many, of := base, 1
	for many <= math.MaxUint64/base {
		many, of = many*base, of+1
	}
	var limbs [(maxText + 1 + 4 + 7) / 8]uint64 // the lowest first
	n := limbs[:(len(b)+7)/8]
	for i, c := range b {
		at := len(b) - 1 - i
		n[at/8] |= uint64(c) << (at % 8 * 8)
	}
	room := r.take(max(least, 8*len(b)+of)) // more than enough in any base
	at := len(room)
	for len(n) > 0 {
		rest := uint64(0)
		for i := len(n) - 1; i >= 0; i-- {
			n[i], rest = bits.Div64(rest, n[i], many)
		}
		for len(n) > 0 && n[len(n)-1] == 0 {
			n = n[:len(n)-1]
		}
		for range of {
			at--
			room[at] = byte(rest % base)
			rest /= base
		}
	}
	for at < len(room)-least && room[at] == 0 {
		at++
	}
	for at > len(room)-least {
		at--
		room[at] = 0
	}
	return room[at:]
}
