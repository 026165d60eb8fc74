package text_test

import (
	"bytes"
	"encoding/ascii85"
	"encoding/binary"
	"strconv"
	"strings"
)

func base85Dresses() []dress {
	a := make([]byte, ascii85.MaxEncodedLen(len(secretText)+8))
	a = a[:ascii85.Encode(a, []byte("\x00\x00\x00\x00"+secretText))]
	long := strings.Repeat("something else first. ", 9) + secretText + strings.Repeat("and after", 6)
	l := make([]byte, ascii85.MaxEncodedLen(len(long)))
	l = l[:ascii85.Encode(l, []byte(long))]
	z := "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#"
	g := "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~"
	return []dress{
		{"ascii85", string(a), 0},
		{"ascii85 marked", "<~" + string(a) + "~>", 0},
		{"ascii85 marked, wrapped", "<~" + wrap(string(l), 60, "", "\n") + "~>", 0},
		{"ascii85 wrapped", wrap(string(l), 72, "", "\n"), 0},
		{"ascii85 in quotes", `{"data":"` + strings.ReplaceAll(string(a), `"`, `\"`) + `"}`, 2},
		{"z85", in85(z, secretText), 0},
		{"z85 raw", in85(z, raw()), 0},
		{"base85", in85(g, secretText), 0},
		{"base85 in code", `b85decode("` + in85(g, secretText) + `")`, 0},
		{"base91", in91(secretText), 0},
		{"base91 raw", in91(raw()), 0},
		{"base91 in quotes", `data="` + in91(raw()), 0},
		{"base92", in92(secretText), 0},
		{"base45", in45(secretText), 0},
		{"base45 raw", in45(raw()), 0},
	}
}

func in85(alphabet, s string) string {
	var d []byte
	for ; len(s) > 0; s = s[4:] {
		v := binary.BigEndian.Uint32([]byte(s))
		var g [5]byte
		for i := 4; i >= 0; i-- {
			g[i] = alphabet[v%85]
			v /= 85
		}
		d = append(d, g[:]...)
	}
	return string(d)
}

func in91(s string) string {
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789!#$%&()*+,./:;<=>?@[]^_`{|}~\""
	var d []byte
	acc, n := 0, 0
	for i := range len(s) {
		acc |= int(s[i]) << n
		n += 8
		if n > 13 {
			v := acc & 8191
			if v > 88 {
				acc, n = acc>>13, n-13
			} else {
				v = acc & 16383
				acc, n = acc>>14, n-14
			}
			d = append(d, alphabet[v%91], alphabet[v/91])
		}
	}
	if n > 0 {
		d = append(d, alphabet[acc%91])
		if n > 7 || acc > 90 {
			d = append(d, alphabet[acc/91])
		}
	}
	return string(d)
}

func in92(s string) string {
	bits := each(s, "", format("%08b"))
	symbol := func(v int) byte {
		switch {
		case v == 0:
			return '!'
		case v <= 61:
			return byte('#' + v - 1)
		}
		return byte('a' + v - 62)
	}
	var d []byte
	for len(bits) > 0 {
		n := min(13, len(bits))
		v, _ := strconv.ParseInt((bits[:n] + strings.Repeat("0", 13))[:13], 2, 32)
		if n < 7 {
			v, _ = strconv.ParseInt((bits[:n] + strings.Repeat("0", 6))[:6], 2, 32)
			d = append(d, symbol(int(v)))
		} else {
			d = append(d, symbol(int(v)/91), symbol(int(v)%91))
		}
		bits = bits[n:]
	}
	return string(d)
}

func in45(s string) string {
	const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:"
	var d []byte
	for ; len(s) > 1; s = s[2:] {
		v := int(s[0])<<8 | int(s[1])
		d = append(d, alphabet[v%45], alphabet[v/45%45], alphabet[v/2025])
	}
	return string(d)
}

func transferDresses() []dress {
	long := "something else that goes first, over a line of it. " + secretText + " and what follows"
	return []dress{
		{"uuencode", "begin 644 data\n" + uu(long, func(v int) byte { return byte(' ' + v) }) + "`\nend\n", 0},
		{"uuencode bare", uu(secretText, func(v int) byte { return byte(' ' + v) }), 0},
		{"uuencode backquote", uu(long, func(v int) byte {
			if v == 0 {
				return '`'
			}
			return byte(' ' + v)
		}), 0},
		{"xxencode", uu(long, func(v int) byte {
			return "+-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"[v]
		}), 0},
		{"yenc", "=ybegin line=128 size=32 name=x\r\n" + each(raw()+secretText, "", func(c byte) string {
			c += 42
			if c == 0 || c == '\n' || c == '\r' || c == '=' {
				return string([]byte{'=', c + 64})
			}
			return string([]byte{c})
		}) + "\r\n=yend size=32\r\n", 0},
		{"binhex", "(This file must be converted with BinHex 4.0)\n\n:" + wrap(customBase64("!\"#$%&'()*+,-012345689@ABCDEFGHIJKLMNPQRSTUVXYZ[`abcdefhijklmpqr", "name..."+secretText), 64, "", "\n") + ":\n", 0},
	}
}

func uu(s string, symbol func(int) byte) string {
	var b bytes.Buffer
	for len(s) > 0 {
		n := min(45, len(s))
		b.WriteByte(symbol(n))
		line := s[:n] + "\x00\x00"
		for i := 0; i < n; i += 3 {
			v := int(line[i])<<16 | int(line[i+1])<<8 | int(line[i+2])
			b.Write([]byte{symbol(v >> 18), symbol(v >> 12 & 63), symbol(v >> 6 & 63), symbol(v & 63)})
		}
		b.WriteByte('\n')
		s = s[n:]
	}
	return b.String()
}
