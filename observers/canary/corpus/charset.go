package corpus

import (
	"encoding/binary"
	"slices"
	"strings"
	"unicode/utf16"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"
)

const lowerHex = "0123456789abcdef"

func charset() []trick {
	return []trick{
		wide("utf-16le", 1, 2, binary.LittleEndian, ""),
		wide("utf-16be", 1, 2, binary.BigEndian, ""),
		wide("utf-16le-mark", 1, 2, binary.LittleEndian, "\ufeff"),
		wide("utf-16be-mark", 1, 2, binary.BigEndian, "\ufeff"),
		wide("utf-32le", 1, 4, binary.LittleEndian, ""),
		wide("utf-32be", 1, 4, binary.BigEndian, ""),
		wide("utf-32le-mark", 1, 4, binary.LittleEndian, "\ufeff"),
		file("utf-8-mark", 1, "txt", func(s *scene) []byte { return []byte("\ufeff" + s.prose(4) + " " + s.hex + "\r\n") }),
		blob("utf-16le-string", 1, func(s *scene) []byte { return spread(s.hex, 2, binary.LittleEndian) }),
		blob("utf-16be-string", 1, func(s *scene) []byte { return spread(s.hex, 2, binary.BigEndian) }),
		blob("utf-16le-upper", 1, func(s *scene) []byte { return spread(strings.ToUpper(s.hex), 2, binary.LittleEndian) }),
		blob("utf-16le-base64", 2, func(s *scene) []byte { return spread(b64(s.raw), 2, binary.LittleEndian) }),
		blob("utf-16le-reversed", 3, func(s *scene) []byte { return spread(reversed(s.hex), 2, binary.LittleEndian) }),
		blob("utf-16le-of-raw", 2, func(s *scene) []byte { return spread(latin(s.raw), 2, binary.LittleEndian) }),
		digits("utf-7", 1, utf7),
		digits("fullwidth", 1, runes(func(c byte) rune { return rune(c) - 0x21 + 0xff01 })),
		digits("mathematical-monospace", 2, shifted(0x1d7f6, 0x1d68a)),
		digits("mathematical-bold", 2, shifted(0x1d7ce, 0x1d41a)),
		digits("mathematical-sans", 2, shifted(0x1d7e2, 0x1d5ba)),
		digits("mathematical-double-struck", 2, shifted(0x1d7d8, 0x1d552)),
		digits("circled", 2, mapped(lowerHex, "⓪①②③④⑤⑥⑦⑧⑨ⓐⓑⓒⓓⓔⓕ")),
		digits("superscript", 2, mapped(lowerHex, "⁰¹²³⁴⁵⁶⁷⁸⁹ᵃᵇᶜᵈᵉᶠ")),
		digits("arabic-indic-digits", 2, shifted(0x660, 'a')),
		digits("devanagari-digits", 2, shifted(0x966, 'a')),
		digits("parenthesized", 2, mapped("123456789abcdef", "⑴⑵⑶⑷⑸⑹⑺⑻⑼⒜⒝⒞⒟⒠⒡")),
		digits("regional-letters", 2, shifted('0', 0x1f1e6)),
		digits("homoglyphs", 2, mapped("aceb0", "асеЬО")),
		digits("fullwidth-upper", 2, func(b []byte) string {
			return runes(func(c byte) rune { return rune(c) + 0xfee0 })([]byte(strings.ToUpper(string(b))))
		}),
		bytes16("latin-1-as-utf-8", 2, latin),
		bytes16("latin-1-twice", 2, func(b []byte) string { return latin([]byte(latin(b))) }),
		bytes16("cp437", 2, decoded(charmap.CodePage437)),
		bytes16("windows-1252", 2, decoded(charmap.Windows1252)),
		bytes16("koi8-r", 2, decoded(charmap.KOI8R)),
		bytes16("mac-roman", 2, decoded(charmap.Macintosh)),
		bytes16("braille-bytes", 2, runes(func(c byte) rune { return 0x2800 + rune(c) })),
		bytes16("cjk-bytes", 3, runes(func(c byte) rune { return 0x4e00 + rune(c) })),
		bytes16("private-use-bytes", 3, runes(func(c byte) rune { return 0xe000 + rune(c) })),
		bytes16("hangul-bytes", 3, runes(func(c byte) rune { return 0xac00 + rune(c) })),
		file("ebcdic-037", 1, "txt", ebcdic(charmap.CodePage037)),
		file("ebcdic-1047", 1, "txt", ebcdic(charmap.CodePage1047)),
		blob("ebcdic-upper", 2, func(s *scene) []byte {
			return must1(charmap.CodePage037.NewEncoder().Bytes([]byte(strings.ToUpper(s.hex))))
		}),
		file("gb18030-fullwidth", 2, "txt", func(s *scene) []byte {
			wide := runes(func(c byte) rune { return rune(c) + 0xfee0 })([]byte(s.hex))
			return must1(simplifiedchinese.GB18030.NewEncoder().Bytes([]byte("訂單號碼 " + wide + " 已經送出\n" + s.prose(4))))
		}),
		file("utf-16-of-fullwidth", 2, "txt", func(s *scene) []byte {
			wide := runes(func(c byte) rune { return rune(c) + 0xfee0 })([]byte(s.hex))
			return must1(unicode.UTF16(unicode.BigEndian, unicode.UseBOM).NewEncoder().Bytes([]byte(s.prose(3) + wide + s.prose(3))))
		}),
		blob("overlong-utf-8", 2, func(s *scene) []byte {
			var out []byte
			for _, c := range []byte(s.hex) {
				out = append(out, 0xc0|c>>6, 0x80|c&0x3f)
			}
			return out
		}),
		blob("gsm-septets", 2, func(s *scene) []byte { return septets(s.hex) }),
		blob("seven-bit-high-first", 2, func(s *scene) []byte {
			var out []byte
			for _, c := range []byte(s.hex) {
				out = append(out, splitBits([]byte{c})[1:]...)
			}
			return pack(out)
		}),
		blob("six-bit", 2, func(s *scene) []byte {
			var out []byte
			for _, c := range []byte(strings.ToUpper(s.hex)) {
				out = append(out, splitBits([]byte{c - 0x20})[2:]...)
			}
			return pack(out)
		}),
		blob("high-bit-set", 2, func(s *scene) []byte { return altered([]byte(s.hex), func(_ int, c byte) byte { return c | 0x80 }) }),
		blob("even-parity", 2, func(s *scene) []byte {
			return altered([]byte(s.hex), func(_ int, c byte) byte { return c | parity(c)<<7 })
		}),
		digits("punycode-label", 2, func(b []byte) string { return "xn--" + string(b) + "-kva.example.org" }),
	}
}

// wide is prose with the canary in it, in units of n bytes.
func wide(name string, tier, n int, order binary.ByteOrder, mark string) trick {
	return file(name, tier, "txt", func(s *scene) []byte {
		return spread(mark+s.prose(5+s.IntN(9))+" "+s.hex+" "+s.prose(5), n, order)
	})
}

func spread(text string, n int, order binary.ByteOrder) []byte {
	var out []byte
	if n == 2 {
		for _, u := range utf16.Encode([]rune(text)) {
			out = append(out, 0, 0)
			order.PutUint16(out[len(out)-2:], u)
		}
		return out
	}
	for _, r := range text {
		out = append(out, 0, 0, 0, 0)
		order.PutUint32(out[len(out)-4:], uint32(r))
	}
	return out
}

func shifted(zero, a rune) func([]byte) string {
	return runes(func(c byte) rune {
		if c >= 'a' {
			return a + rune(c-'a')
		}
		return zero + rune(c-'0')
	})
}

func latin(b []byte) string { return runes(func(c byte) rune { return rune(c) })(b) }

func decoded(e encoding.Encoding) func([]byte) string {
	return func(b []byte) string { return string(must1(e.NewDecoder().Bytes(b))) }
}

func ebcdic(e encoding.Encoding) func(*scene) []byte {
	return func(s *scene) []byte {
		return must1(e.NewEncoder().Bytes([]byte(s.prose(6) + " " + s.hex + " " + s.prose(6))))
	}
}

// utf7 shifts the whole text into base64 of UTF-16.
func utf7(b []byte) string {
	return "+" + strings.TrimRight(b64(spread(string(b), 2, binary.BigEndian)), "=") + "-"
}

// septets packs as a short message does, the lowest bit first.
func septets(text string) []byte {
	var all []byte
	for _, c := range []byte(text) {
		seven := splitBits([]byte{c})[1:]
		slices.Reverse(seven)
		all = append(all, seven...)
	}
	out := make([]byte, (len(all)+7)/8)
	for i, bit := range all {
		out[i/8] |= bit << (i % 8)
	}
	return out
}

func parity(c byte) byte {
	var p byte
	for ; c > 0; c >>= 1 {
		p ^= c & 1
	}
	return p
}

// altered is a copy with each byte changed.
func altered(b []byte, f func(i int, c byte) byte) []byte {
	out := make([]byte, len(b))
	for i, c := range b {
		out[i] = f(i, c)
	}
	return out
}
