package capture

import (
	"math/big"
	"strings"
)

// alphabet is a way to write bytes in letters of some bits each.
type alphabet struct {
	bits   int
	values [256]int8 // -1 where a letter is none
}

func newAlphabet(letters string, fold bool) *alphabet {
	a := &alphabet{}
	for i := range a.values {
		a.values[i] = -1
	}
	for 1<<a.bits < len(letters) {
		a.bits++
	}
	for i := range len(letters) {
		a.values[letters[i]] = int8(i)
		if c := letters[i]; fold && c >= 'a' && c <= 'z' {
			a.values[c-32] = int8(i)
		}
	}
	return a
}

const (
	lower = "abcdefghijklmnopqrstuvwxyz"
	upper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	digit = "0123456789"
)

// alphabets are those of names: standard ones first, then iodine's (its
// base32, base64, base64u and base128).
func alphabets() []*alphabet {
	return []*alphabet{
		newAlphabet(digit+"abcdef", true),
		newAlphabet(lower+"234567", true),
		newAlphabet(digit+"abcdefghijklmnopqrstuv", true),
		newAlphabet(digit+"abcdefghjkmnpqrstvwxyz", true),
		newAlphabet("ybndrfg8ejkmcpqxot1uwisza345h769", true),
		newAlphabet(upper+lower+digit+"-_", false),
		newAlphabet(upper+lower+digit+"+/", false),
		newAlphabet(upper+lower+digit+"*/", false),
		newAlphabet(lower+digit[:6], true),
		newAlphabet(lower+upper+"-"+digit+"+", false),
		newAlphabet(lower+upper+"-"+digit+"_", false),
		newAlphabet(lower+upper+digit+high(), false),
	}
}

// high are the 66 letters above ASCII of iodine's base128.
func high() string {
	var s strings.Builder
	for c := 0274; c <= 0375; c++ {
		s.WriteByte(byte(c))
	}
	return s.String()
}

// decode reads letters, most significant bits first, and drops bits that fill
// no byte. Padding ends it.
func (a *alphabet) decode(s []byte) ([]byte, bool) {
	out := make([]byte, 0, len(s)*a.bits/8)
	acc, n := 0, 0
	for _, c := range s {
		if c == '=' {
			break
		}
		v := a.values[c]
		if v < 0 {
			return nil, false
		}
		acc, n = acc<<a.bits|int(v), n+a.bits
		if n >= 8 {
			n -= 8
			out = append(out, byte(acc>>n))
			acc &= 1<<n - 1
		}
	}
	return out, true
}

// decoded yields cells that were each encoded by itself.
func (e *emitter) decoded(c [][]byte) {
	if total(c) > bytesMost || e.done {
		return
	}
	for _, a := range alphabets() {
		if out, ok := decodeAll(a, c); ok {
			e.decodedUnits(out)
		}
	}
	for _, base := range []int{36, 10} {
		e.integers(c, base)
	}
}

func decodeAll(a *alphabet, c [][]byte) ([][]byte, bool) {
	out := make([][]byte, len(c))
	for i, s := range c {
		d, ok := a.decode(s)
		if !ok {
			return nil, false
		}
		out[i] = d
	}
	return out, true
}

// decodedUnits joins what was decoded, also without the header that a tunnel
// puts first.
func (e *emitter) decodedUnits(list [][]byte) {
	e.join(list, "")
	for _, h := range []int{1, 2, 3, 4, 5, 6, 8, 9, 12} {
		e.cut(list, h, 0)
	}
	for _, t := range []int{1, 2, 4} {
		e.cut(list, 0, t)
	}
}

// integers reads each cell as one number in a large base.
func (e *emitter) integers(c [][]byte, base int) {
	out := make([][]byte, len(c))
	for i, s := range c {
		n, ok := new(big.Int), len(s) <= 64
		if ok {
			n, ok = n.SetString(string(s), base)
		}
		if !ok || n.Sign() < 0 {
			return
		}
		out[i] = n.Bytes()
	}
	e.join(out, "")
}
