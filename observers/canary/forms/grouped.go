package forms

import (
	"math/bits"

	"postern/observers/canary/layer"
)

// alphabet gives each group of so many bits a symbol.
type alphabet struct {
	technique layer.Technique
	symbols   string
	fold      bool
	usual     bool
}

const (
	lowers    = "abcdefghijklmnopqrstuvwxyz"
	uppers    = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	tens      = "0123456789"
	hexDigits = tens + "abcdef"
	printing  = " !\"#$%&'()*+,-./" + tens + ":;<=>?@" + uppers + "[\\]^_"
)

// alphabets are those that a standard or a well-known tool uses, by how many
// bits they take at a time.
func alphabets(bits int) []alphabet {
	switch bits {
	case 6:
		return []alphabet{
			{"base64", uppers + lowers + tens + "+/", false, true},
			{"base64url", uppers + lowers + tens + "-_", false, true},
			{"base64-imap", uppers + lowers + tens + "+,", false, false},
			{"base64-crypt", "./" + tens + uppers + lowers, false, false},
			{"base64-bcrypt", "./" + uppers + lowers + tens, false, false},
			{"base64-digits-first", tens + uppers + lowers + "-_", false, false},
			{"base64-digits-first", tens + lowers + uppers + "-_", false, false},
			{"uuencode", printing, false, true},
			{"uuencode", "`" + printing[1:], false, true},
			{"xxencode", "+-" + tens + uppers + lowers, false, false},
			{"binhex", "!\"#$%&'()*+,-012345689@ABCDEFGHIJKLMNPQRSTUVXYZ[`abcdefhijklmpqr", false, false},
		}
	case 5:
		return []alphabet{
			{"base32", lowers + "234567", true, true},
			{"base32hex", tens + "abcdefghijklmnopqrstuv", true, true},
			{"crockford", tens + "abcdefghjkmnpqrstvwxyz", true, false},
			{"z-base-32", "ybndrfg8ejkmcpqxot1uwisza345h769", true, false},
			{"bech32", "qpzry9x8gf2tvdw0s3jn54khce6mua7l", true, false},
			{"geohash", tens + "bcdefghjkmnpqrstuvwxyz", true, false},
			{"base32-letters-first", lowers + "012345", true, false},
		}
	case 4:
		return []alphabet{{"base16-letters", "abcdefghijklmnop", true, false}, {"modhex", "cbdefghijklnrtuv", true, false}}
	case 3:
		return []alphabet{{"octal-stream", "01234567", false, false}}
	case 2:
		return []alphabet{{"base4", "0123", false, false}, {"dna", "acgt", true, false}}
	default:
		return []alphabet{{"binary", "01", false, true}}
	}
}

// grouped are the encodings that cut the bits into groups, at each place of a
// longer input where the bytes may stand. What is not usual is given the text
// as it is, and what it spells.
func grouped(w *wardrobe) {
	sources := w.sources()
	for size := 6; size > 0; size-- {
		all := alphabets(size)
		for i, s := range sources {
			w.group(size, all, s, i == 0 || i == len(w.texts))
		}
		if size == 6 {
			for _, t := range w.texts {
				w.group(size, all[:1], source{w.spread(t.b, 2), t.bits}, true)
			}
		}
	}
	if r := w.raw; r.b != nil {
		w.add("binary", r.bits, w.spelled(w.cut(w.mapped(r.b, bits.Reverse8), 1, 0), "01"))
	}
}

func (w *wardrobe) group(size int, all []alphabet, s source, rare bool) {
	for before := range places(size) {
		groups := w.cut(s.b, size, before)
		for i := range all {
			if a := &all[i]; a.usual || rare {
				w.put(a.technique, s.bits*len(groups)*size/(8*len(s.b)), w.spelled(groups, a.symbols), a.fold)
			}
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
func (r *room) cut(b []byte, bits, before int) []byte {
	skip := (bits - 8*before%bits) % bits // what belongs to a group that began before
	out := r.take((8*len(b) - skip) / bits)
	acc, have := uint(0), -skip
	at := 0
	for _, c := range b {
		acc, have = acc<<8|uint(c), have+8
		for ; have >= bits; have -= bits {
			out[at] = byte(acc>>(have-bits)) & (1<<bits - 1)
			at++
		}
	}
	return out
}

func (r *room) spelled(groups []byte, symbols string) []byte {
	out := r.take(len(groups))
	for i, g := range groups {
		out[i] = symbols[g]
	}
	return out
}
