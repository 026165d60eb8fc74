package algebra

import (
	"bytes"
	"encoding/hex"
	"strings"

	"postern/observers/canary/secret"
)

const (
	minRaw  = 16 // bytes: 15 differences of eight bits
	minText = 16 // bytes of a text that is not hexadecimal
)

// carrier is one sequence of bytes that the secret alone decides.
type carrier struct {
	secret  int
	bytes   []byte
	bits    int // of the secret, in each byte
	kind    kind
	foreign bool // of a text that is not hexadecimal
}

type kind int

const (
	raw    kind = iota // spelled bytes, or those of a text that is not hexadecimal
	text               // hexadecimal digits as characters
	nibble             // hexadecimal digits as halves of bytes
)

// carriers lists what differences are taken of, forwards and backwards. A
// secret whose own differences are few would be seen in any counter or table,
// so it has none.
func carriers(number int, s secret.Secret) []carrier {
	spelled := s.Raw()
	if len(spelled) < minRaw {
		if len(spelled) > 0 || len(s.Text()) < minText || plainDifferences(s.Text()) {
			return nil
		}
		return bothWays(carrier{number, s.Text(), 8, raw, true})
	}
	if plainDifferences(spelled) || len(digitSet(spelled)) < minDigits {
		return nil
	}
	lower := hex.EncodeToString(spelled)
	out := bothWays(carrier{number, spelled, 8, raw, false})
	out = append(out, bothWays(carrier{number, []byte(lower), 4, text, false})...)
	if upper := strings.ToUpper(lower); upper != lower {
		out = append(out, bothWays(carrier{number, []byte(upper), 4, text, false})...)
	}
	return append(out, bothWays(carrier{number, nibbles(spelled), 4, nibble, false})...)
}

const minDigits = 6 // of sixteen: a random secret has fewer once in 2^41

func bothWays(c carrier) []carrier {
	back := c
	back.bytes = reversed(c.bytes)
	return []carrier{c, back}
}

// nibbles gives each half of a byte one of its own.
func nibbles(x []byte) []byte {
	out := make([]byte, 0, 2*len(x))
	for _, c := range x {
		out = append(out, c>>4, c&15)
	}
	return out
}

func digitSet(spelled []byte) map[byte]bool {
	set := map[byte]bool{}
	for _, c := range nibbles(spelled) {
		set[c] = true
	}
	return set
}

// plainDifferences reports a text such as a run, a sequence or a repetition.
func plainDifferences(x []byte) bool {
	half := len(x) / 2
	return distinct(xored(x, 1)) < minDistinct || distinct(subtracted(x, 1)) < minDistinct ||
		bytes.Equal(x[:half], x[half:2*half])
}

func distinct(x []byte) int {
	var seen [256]bool
	n := 0
	for _, c := range x {
		if !seen[c] {
			seen[c] = true
			n++
		}
	}
	return n
}

// xored is each byte xor the one k later; subtracted, the one k later less it.
func xored(x []byte, k int) []byte {
	return paired(x, k, func(a, b byte) byte { return a ^ b })
}

func subtracted(x []byte, k int) []byte {
	return paired(x, k, func(a, b byte) byte { return b - a })
}

func paired(x []byte, k int, f func(a, b byte) byte) []byte {
	if len(x) <= k {
		return nil
	}
	out := make([]byte, len(x)-k)
	for i := range out {
		out[i] = f(x[i], x[i+k])
	}
	return out
}

func negated(x []byte) []byte { return mapped(x, func(c byte) byte { return -c }) }
