package corpus

import (
	"crypto/sha256"
	"encoding/ascii85"
	"fmt"
	"math/big"
	"slices"
	"strings"
)

const (
	bitcoinSet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
	flickrSet  = "123456789abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ"
	rippleSet  = "rpshnaf39wBUDNEGHJKLM4PQRST7VWXYZ2bcdeCg65jkm8oFqi1tuvAxyz"
	set62      = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	z85Set     = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#"
	rfc1924Set = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~"
	set45      = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:"
	set91      = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789!#$%&()*+,./:;<=>?@[]^_`{|}~\""
)

func otherBases() []trick {
	set94 := ""
	for c := '!'; c <= '~'; c++ {
		set94 += string(c)
	}
	return []trick{
		bytes16("base58", 1, numeral(bitcoinSet)),
		digits("base58-digits", 1, numeral(bitcoinSet)),
		bytes16("base58-flickr", 2, numeral(flickrSet)),
		bytes16("base58-ripple", 2, numeral(rippleSet)),
		bytes16("base58-check", 2, func(b []byte) string {
			b = append([]byte{0x80}, b...)
			one := sha256.Sum256(b)
			two := sha256.Sum256(one[:])
			return numeral(bitcoinSet)(append(b, two[:4]...))
		}),
		text("base58-text", 2, func(s *scene) string { return numeral(bitcoinSet)([]byte("token=" + s.hex + ";")) }),
		bytes16("base62", 1, numeral(set62)),
		digits("base62-digits", 2, numeral(set62)),
		bytes16("base62-lower-first", 2, numeral("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")),
		bytes16("base62-letters-first", 2, numeral("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")),
		bytes16("base36", 1, numeral("0123456789abcdefghijklmnopqrstuvwxyz")),
		bytes16("base36-upper", 1, numeral("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ")),
		digits("base36-digits", 2, numeral("0123456789abcdefghijklmnopqrstuvwxyz")),
		bytes16("base26", 2, numeral("ABCDEFGHIJKLMNOPQRSTUVWXYZ")),
		bytes16("base26-lower", 2, numeral("abcdefghijklmnopqrstuvwxyz")),
		bytes16("base52", 2, numeral("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")),
		bytes16("base12", 2, numeral("0123456789ab")),
		bytes16("base20", 2, numeral("0123456789abcdefghij")),
		bytes16("base7", 2, numeral("0123456")),
		bytes16("base5", 2, numeral("01234")),
		bytes16("base4", 1, numeral("0123")),
		bytes16("base3", 2, numeral("012")),
		bytes16("base64-number", 2, numeral(b64Set)),
		bytes16("base94", 2, numeral(set94)),
		bytes16("base16-letters", 2, func(b []byte) string { return substituted("a b c d e f g h i j k l m n o p", "")(b) }),
		digits("base16-letters-of-digits", 2, func(b []byte) string { return substituted("A B C D E F G H I J K L M N O P", "")(b) }),
		bytes16("base16-yubikey", 2, substituted("c b d e f g h i j k l n r t u v", "")),
		digits("ascii85", 1, a85),
		bytes16("ascii85-raw", 1, a85),
		digits("ascii85-adobe", 1, around("<~", a85, "~>")),
		text("ascii85-text", 1, func(s *scene) string { return "<~" + a85([]byte(s.prose(1)+s.hex+s.prose(1))) + "~>" }),
		text("ascii85-wrapped", 2, func(s *scene) string {
			return "<~" + wrapped(60, "\n", a85)([]byte(s.prose(2)+s.hex+s.prose(1))) + "~>"
		}),
		digits("z85", 1, b85(z85Set)),
		bytes16("z85-raw", 1, b85(z85Set)),
		digits("rfc1924-blocks", 1, b85(rfc1924Set)),
		bytes16("rfc1924-blocks-raw", 1, b85(rfc1924Set)),
		bytes16("rfc1924-number", 2, numeral(rfc1924Set)),
		text("git-binary-patch", 2, func(s *scene) string {
			return "GIT binary patch\nliteral 32\nf" + b85(rfc1924Set)([]byte(s.hex)) + "\n\nliteral 0\nHcmV?d00001\n"
		}),
		digits("base45", 1, base45),
		bytes16("base45-raw", 1, base45),
		text("base45-text", 2, func(s *scene) string { return "HC1:" + base45([]byte(s.prose(1)+s.hex+"x")) }),
		digits("base91", 1, base91),
		bytes16("base91-raw", 1, base91),
		text("base91-text", 2, func(s *scene) string { return base91([]byte("the value " + s.hex + " is set")) }),
		bytes16("base100", 2, runes(func(c byte) rune { return 0x1f3f7 + rune(c) })),
		digits("base100-digits", 2, runes(func(c byte) rune { return 0x1f3f7 + rune(c) })),
		bytes16("base256-emoji", 3, runes(func(c byte) rune { return 0x1f400 + rune(c) })),
		bytes16("base2048-like", 4, grouped11),
		bytes16("base8-hexagrams", 3, func(b []byte) string {
			var out strings.Builder
			for six := range slices.Chunk(append(splitBits(b), 0, 0, 0, 0), 6) {
				out.WriteRune(0x4dc0 + rune(pack(append([]byte{0, 0}, six...))[0]))
			}
			return out.String()
		}),
		bytes16("factorial", 4, factorial),
		text("base58-halves", 3, func(s *scene) string { return numeral(bitcoinSet)(s.raw[:8]) + "\n" + numeral(bitcoinSet)(s.raw[8:]) }),
		bytes16("base58-reversed", 2, then(numeral(bitcoinSet), func(b []byte) string { return reversed(string(b)) })),
		bytes16("base36-little-endian", 3, func(b []byte) string { return numeral("0123456789abcdefghijklmnopqrstuvwxyz")(reversedBytes(b)) }),
		text("ascii85-half", 1, func(s *scene) string { return a85([]byte(s.hex[:16])) }).as(Partial),
		text("z85-half", 1, func(s *scene) string { return b85(z85Set)(s.raw[:8]) }).as(Partial),
		text("base45-half", 1, func(s *scene) string { return base45([]byte(s.hex[:18])) }).as(Partial),
	}
}

func a85(b []byte) string {
	out := make([]byte, ascii85.MaxEncodedLen(len(b)))
	return string(out[:ascii85.Encode(out, b)])
}

// b85 writes five digits for each four bytes.
func b85(set string) func([]byte) string {
	return func(b []byte) string {
		var out strings.Builder
		for four := range slices.Chunk(b, 4) {
			v, five := uint32(four[0])<<24|uint32(four[1])<<16|uint32(four[2])<<8|uint32(four[3]), [5]byte{}
			for i := 4; i >= 0; i-- {
				five[i] = set[v%85]
				v /= 85
			}
			out.Write(five[:])
		}
		return out.String()
	}
}

func base45(b []byte) string {
	var out []byte
	for two := range slices.Chunk(b, 2) {
		v := int(two[0])
		if len(two) == 2 {
			v = v<<8 | int(two[1])
		}
		out = append(out, set45[v%45], set45[v/45%45])
		if len(two) == 2 {
			out = append(out, set45[v/2025])
		}
	}
	return string(out)
}

func base91(b []byte) string {
	var out []byte
	var queue, have uint
	for _, c := range b {
		queue |= uint(c) << have
		if have += 8; have <= 13 {
			continue
		}
		size, v := uint(13), queue&8191
		if v <= 88 {
			size, v = 14, queue&16383
		}
		queue >>= size
		have -= size
		out = append(out, set91[v%91], set91[v/91])
	}
	if have > 0 {
		out = append(out, set91[queue%91])
		if have > 7 || queue > 90 {
			out = append(out, set91[queue/91])
		}
	}
	return string(out)
}

// grouped11 writes one ideograph for each eleven bits.
func grouped11(b []byte) string {
	var out strings.Builder
	for eleven := range slices.Chunk(append(splitBits(b), 0, 0, 0, 0), 11) {
		v := 0
		for _, bit := range eleven {
			v = v<<1 | int(bit)
		}
		out.WriteRune(0x5000 + rune(v))
	}
	return out.String()
}

func factorial(b []byte) string {
	v, rest := new(big.Int).SetBytes(b), new(big.Int)
	var out []string
	for base := int64(2); v.Sign() > 0; base++ {
		v.DivMod(v, big.NewInt(base), rest)
		out = append(out, fmt.Sprint(rest.Int64()))
	}
	slices.Reverse(out)
	return strings.Join(out, ":")
}
