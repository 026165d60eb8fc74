package corpus

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
)

// each formats every byte alone.
func each(format, sep string) func([]byte) string {
	return func(b []byte) string {
		var parts []string
		for _, c := range b {
			parts = append(parts, fmt.Sprintf(format, c))
		}
		return strings.Join(parts, sep)
	}
}

// grouped formats groups of n bytes as numbers, the first byte the highest, or the lowest.
func grouped(n int, little bool, format, sep string) func([]byte) string {
	return func(b []byte) string {
		var parts []string
		for chunk := range slices.Chunk(b, n) {
			var v uint64
			for i, c := range chunk {
				if little {
					v |= uint64(c) << (8 * i)
				} else {
					v = v<<8 | uint64(c)
				}
			}
			parts = append(parts, fmt.Sprintf(format, v))
		}
		return strings.Join(parts, sep)
	}
}

// chunks cuts a text into pieces of n bytes.
func chunks(text string, n int) []string {
	var out []string
	for c := range slices.Chunk([]byte(text), n) {
		out = append(out, string(c))
	}
	return out
}

func wrapped(n int, sep string, f func([]byte) string) func([]byte) string {
	return func(b []byte) string { return strings.Join(chunks(f(b), n), sep) }
}

func reversed(text string) string {
	r := []rune(text)
	slices.Reverse(r)
	return string(r)
}

// then puts the second function after the first.
func then(f func([]byte) string, more ...func([]byte) string) func([]byte) string {
	return func(b []byte) string {
		out := f(b)
		for _, g := range more {
			out = g([]byte(out))
		}
		return out
	}
}

func around(before string, f func([]byte) string, after string) func([]byte) string {
	return func(b []byte) string { return before + f(b) + after }
}

func as(b []byte) string { return string(b) }

// nibbles are the 32 values of the digits.
func nibbles(raw []byte) []byte {
	var out []byte
	for _, b := range raw {
		out = append(out, b>>4, b&15)
	}
	return out
}

// splitBits are the bits of some bytes, the highest first.
func splitBits(raw []byte) []byte {
	var out []byte
	for _, b := range raw {
		for i := 7; i >= 0; i-- {
			out = append(out, b>>i&1)
		}
	}
	return out
}

func pack(bits []byte) []byte {
	out := make([]byte, (len(bits)+7)/8)
	for i, b := range bits {
		out[i/8] |= b << (7 - i%8)
	}
	return out
}

// numeral writes bytes as one number in some base, the first byte the highest.
func numeral(alphabet string) func([]byte) string {
	set := []rune(alphabet)
	return func(b []byte) string {
		v, base, rest := new(big.Int).SetBytes(b), big.NewInt(int64(len(set))), new(big.Int)
		var out []rune
		for v.Sign() > 0 {
			v.DivMod(v, base, rest)
			out = append(out, set[rest.Int64()])
		}
		slices.Reverse(out)
		return string(out)
	}
}

// substituted replaces each digit by a word.
func substituted(list, sep string) func([]byte) string {
	set := strings.Fields(list)
	return func(raw []byte) string {
		var out []string
		for _, n := range nibbles(raw) {
			out = append(out, set[n])
		}
		return strings.Join(out, sep)
	}
}

// mapped replaces each character that is in from.
func mapped(from, to string) func([]byte) string {
	table, target := map[rune]rune{}, []rune(to)
	for i, r := range []rune(from) {
		table[r] = target[i]
	}
	return func(b []byte) string {
		return strings.Map(func(r rune) rune {
			if t, ok := table[r]; ok {
				return t
			}
			return r
		}, string(b))
	}
}

func runes(f func(byte) rune) func([]byte) string {
	return func(b []byte) string {
		var out strings.Builder
		for _, c := range b {
			out.WriteRune(f(c))
		}
		return out.String()
	}
}
