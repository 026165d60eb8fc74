package forms

import (
	"bytes"
	"crypto/sha256"
	"math"
	"math/big"
	"slices"

	"postern/observers/canary/layer"
)

// numbers are bytes taken for one number, in any base.
func numbers(w *wardrobe) {
	for _, s := range w.wholes() {
		n := new(big.Int).SetBytes(s.b)
		w.add("decimal-number", s.bits, []byte(n.String()))
		w.fold("base36", s.bits, []byte(n.Text(36)))
		for _, symbols := range []string{tens + uppers + lowers, tens + lowers + uppers, uppers + lowers + tens} {
			w.add("base62", s.bits, spelled(inBase(n, 62, 0), symbols))
		}
		base58(w, s)
	}
	if r := w.raw; r.b != nil {
		n := new(big.Int).SetBytes(r.b)
		for _, base := range []int{3, 5, 6, 7, 9, 11, 12, 13, 20, 24, 26} {
			w.fold("number-in-a-base", r.bits, []byte(n.Text(base)))
		}
		w.add("decimal-number", r.bits, []byte(n.SetBytes(reversed(r.b)).String()))
	}
}

// base58 keeps leading zeros, and may end in a check, of the bytes alone or of
// them after version 0.
func base58(w *wardrobe, s source) {
	zeros := make([]byte, len(s.b)-len(bytes.TrimLeft(s.b, "\x00")))
	groups := append(zeros, inBase(new(big.Int).SetBytes(s.b), 58, 0)...)
	for t, symbols := range map[layer.Technique]string{
		"base58":        "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz",
		"base58-flickr": "123456789abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ",
		"base58-ripple": "rpshnaf39wBUDNEGHJKLM4PQRST7VWXYZ2bcdeCg65jkm8oFqi1tuvAxyz",
	} {
		w.add(t, s.bits, spelled(groups, symbols))
		for _, versioned := range [][]byte{s.b, append([]byte{0}, s.b...)} {
			checked := inBase(new(big.Int).SetBytes(withSum(versioned)), 58, 0)
			w.add("base58check", s.bits, spelled(checked, symbols))
		}
	}
}

// withSum appends the check of Bitcoin's Base58Check.
func withSum(b []byte) []byte {
	one := sha256.Sum256(b)
	two := sha256.Sum256(one[:])
	return append(bytes.Clone(b), two[:4]...)
}

// inBase returns digits, the highest first, at least so many. It divides by as
// many digits at once as a word has.
func inBase(n *big.Int, base int64, least int) []byte {
	many, of := base, 1
	for many <= math.MaxInt64/base {
		many, of = many*base, of+1
	}
	var out []byte
	n, part, by := new(big.Int).Set(n), new(big.Int), big.NewInt(many)
	for n.Sign() > 0 {
		n.DivMod(n, by, part)
		rest := part.Int64()
		for range of {
			out = append(out, byte(rest%base))
			rest /= base
		}
	}
	for len(out) > 0 && out[len(out)-1] == 0 {
		out = out[:len(out)-1]
	}
	for len(out) < least {
		out = append(out, 0)
	}
	slices.Reverse(out)
	return out
}
