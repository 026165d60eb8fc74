package forms

import (
	"math/bits"

	"postern/observers/canary/layer"
)

// alphabet gives each group of so many bits a symbol.
type alphabet struct {
	technique layer.Technique
	bits      int
	symbols   string
	fold      bool
	usual     bool
}

const (
	lowers   = "abcdefghijklmnopqrstuvwxyz"
	uppers   = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	tens     = "0123456789"
	printing = " !\"#$%&'()*+,-./" + tens + ":;<=>?@" + uppers + "[\\]^_"
)

// alphabets are those that a standard or a well-known tool uses.
func alphabets() []alphabet {
	return []alphabet{
		{"base64", 6, uppers + lowers + tens + "+/", false, true},
		{"base64url", 6, uppers + lowers + tens + "-_", false, true},
		{"base64-imap", 6, uppers + lowers + tens + "+,", false, false},
		{"base64-crypt", 6, "./" + tens + uppers + lowers, false, false},
		{"base64-bcrypt", 6, "./" + uppers + lowers + tens, false, false},
		{"base64-digits-first", 6, tens + uppers + lowers + "-_", false, false},
		{"base64-digits-first", 6, tens + lowers + uppers + "-_", false, false},
		{"uuencode", 6, printing, false, true},
		{"uuencode", 6, "`" + printing[1:], false, true},
		{"xxencode", 6, "+-" + tens + uppers + lowers, false, false},
		{"binhex", 6, "!\"#$%&'()*+,-012345689@ABCDEFGHIJKLMNPQRSTUVXYZ[`abcdefhijklmpqr", false, false},
		{"base32", 5, lowers + "234567", true, true},
		{"base32hex", 5, tens + "abcdefghijklmnopqrstuv", true, true},
		{"crockford", 5, tens + "abcdefghjkmnpqrstvwxyz", true, false},
		{"z-base-32", 5, "ybndrfg8ejkmcpqxot1uwisza345h769", true, false},
		{"bech32", 5, "qpzry9x8gf2tvdw0s3jn54khce6mua7l", true, false},
		{"geohash", 5, tens + "bcdefghjkmnpqrstuvwxyz", true, false},
		{"base32-letters-first", 5, lowers + "012345", true, false},
		{"base16-letters", 4, "abcdefghijklmnop", true, false},
		{"modhex", 4, "cbdefghijklnrtuv", true, false},
		{"octal-stream", 3, "01234567", false, false},
		{"base4", 2, "0123", false, false},
		{"dna", 2, "acgt", true, false},
		{"binary", 1, "01", false, true},
	}
}

// grouped are the encodings that cut the bits into groups, at each place of a
// longer input where the bytes may stand.
func grouped(w *wardrobe) {
	few := w.few()
	for _, a := range alphabets() {
		if a.usual {
			w.group(a, w.sources())
		} else {
			w.group(a, few)
		}
		if a.technique == "base64" {
			for _, t := range w.texts {
				w.group(a, []source{{spread(t.b, 2), t.bits}})
			}
		}
	}
	if r := w.raw; r.b != nil {
		w.add("binary", r.bits, spelled(cut(mapped(r.b, bits.Reverse8), 1, 0), "01"))
	}
}

func (w *wardrobe) group(a alphabet, sources []source) {
	for _, s := range sources {
		for before := range places(a.bits) {
			groups := cut(s.b, a.bits, before)
			w.put(a.technique, s.bits*len(groups)*a.bits/(8*len(s.b)), spelled(groups, a.symbols), a.fold)
		}
	}
}

// places is how many bytes may stand before without a group's border at a
// byte's.
func places(bits int) int {
	for n := 1; ; n++ {
		if 8*n%bits == 0 {
			return n
		}
	}
}

// cut returns the groups of bits that lie wholly in b, where so many bytes
// stand before it.
func cut(b []byte, bits, before int) []byte {
	out := make([]byte, 0, 8*len(b)/bits)
	acc, have := uint(0), 0
	skip := (bits - 8*before%bits) % bits // what belongs to a group that began before
	for _, c := range b {
		acc, have = acc<<8|uint(c), have+8
		if skip > 0 {
			have, skip = have-skip, 0
		}
		for ; have >= bits; have -= bits {
			out = append(out, byte(acc>>(have-bits))&(1<<bits-1))
		}
	}
	return out
}

func spelled(groups []byte, symbols string) []byte {
	out := make([]byte, len(groups))
	for i, g := range groups {
		out[i] = symbols[g]
	}
	return out
}
