package text_test

import (
	"bytes"
	"encoding/ascii85"
	"encoding/base32"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math/big"
	"mime"
	"mime/quotedprintable"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// dress is one way to write the secret.
type dress struct {
	name    string
	dressed string
	depth   int // how often the stages are applied; 0 is once
}

func dresses() []dress {
	var all []dress
	for _, some := range [][]dress{base64Dresses(), base32Dresses(), hexDresses(), numeralDresses(), base85Dresses(), transferDresses(), escapeDresses(), mimeDresses(), charsetDresses(), numberDresses(), bitDresses(), wordDresses(), codeDresses()} {
		all = append(all, some...)
	}
	return all
}

func raw() string { return string(secretRaw()) }

func wrap(s string, width int, before, after string) string {
	var b strings.Builder
	for len(s) > 0 {
		n := min(width, len(s))
		b.WriteString(before + s[:n] + after)
		s = s[n:]
	}
	return b.String()
}

// each joins what f makes of the bytes of s.
func each(s, between string, f func(c byte) string) string {
	var parts []string
	for i := range len(s) {
		parts = append(parts, f(s[i]))
	}
	return strings.Join(parts, between)
}

func format(pattern string) func(c byte) string {
	return func(c byte) string { return fmt.Sprintf(pattern, c) }
}

// rot turns letters n places round.
func rot(s string, n byte) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z':
			return 'a' + (r-'a'+rune(n))%26
		case r >= 'A' && r <= 'Z':
			return 'A' + (r-'A'+rune(n))%26
		}
		return r
	}, s)
}

func swapCase(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r ^ 0x20
		}
		return r
	}, s)
}

func reverse(s string) string {
	b := []byte(s)
	for i, j := 0, len(b)-1; i < j; i, j = i+1, j-1 {
		b[i], b[j] = b[j], b[i]
	}
	return string(b)
}

func base64Dresses() []dress {
	long := strings.Repeat("some other text goes first, ", 9) + secretText + strings.Repeat(" and some follows", 9)
	std := base64.StdEncoding.EncodeToString
	b := std([]byte(secretText))
	l := std([]byte(long))
	utf16le := func(s string) []byte {
		var d []byte
		for _, u := range utf16.Encode([]rune(s)) {
			d = append(d, byte(u), byte(u>>8))
		}
		return d
	}
	return []dress{
		{"base64 of text", b, 0},
		{"base64 of raw bytes", std([]byte(raw())), 0},
		{"base64 twice", std([]byte(b)), 2},
		{"base64 three times", std([]byte(std([]byte(b)))), 3},
		{"base64 url", base64.RawURLEncoding.EncodeToString([]byte("\xff\xfe\xfd" + secretText)), 0},
		{"base64 behind glue", "xyz" + b, 0},
		{"base64 behind a name", "token_" + b, 0},
		{"base64 wrapped at 76", wrap(l, 76, "", "\r\n"), 0},
		{"base64 wrapped at 64 quoted", wrap(l, 64, "> ", "\n"), 0},
		{"base64 wrapped at 20 indented", wrap(b, 20, "    ", "\n"), 0},
		{"base64 wrapped in literals", wrap(l, 50, `  "`, "\" +\n"), 0},
		{"base64 wrapped with escapes", wrap(l, 64, "", `\n`), 2},
		{"base64 wrapped with numbers", numbered(l, 40), 0},
		{"base64 in remarks", wrap(l, 40, "REM ", "\r\n"), 0},
		{"base64 in fours", wrap(b, 4, " ", ""), 2},
		{"base64 letter by letter", wrap(b, 1, " ", ""), 2},
		{"base64 in parts", wrap(b, 7, `"`, `" + `), 2},
		{"base64 with escaped slashes", strings.ReplaceAll(std([]byte("???>>>"+secretText+"\xff\xff\xff")), "/", `\/`), 2},
		{"base64 with stars", strings.ReplaceAll(std([]byte("\xfb\xef\xbe"+raw())), "+", "*"), 0},
		{"base64 with other marks", strings.NewReplacer("+", ".", "/", "!").Replace(std([]byte("\xfb\xef\xbe\xff\xff\xff" + raw()))), 0},
		{"base64 rotated", rot(b, 13), 0},
		{"base64 swapped", swapCase(b), 0},
		{"base64 reversed", reverse(b), 0},
		{"base64 each line for itself", std([]byte(secretText[:16])) + "\n" + std([]byte(secretText[16:])) + "\n", 2},
		{"base64 of UTF-16", std(utf16le(secretText)), 2},
		{"base64 of hex", std([]byte(hex.EncodeToString([]byte(secretText)))), 2},
		{"hex of base64", hex.EncodeToString([]byte(b)), 2},
		{"jwt", "eyJhbGciOiJub25lIn0." + base64.RawURLEncoding.EncodeToString([]byte(`{"sub":"`+secretText+`"}`)) + ".c2ln", 0},
		{"data uri", "data:text/plain;base64," + b, 0},
		{"data uri with percent", "data:," + each(secretText, "", format("%%%02x")), 0},
		{"pem", "-----BEGIN DATA-----\n" + wrap(l, 64, "", "\n") + "-----END DATA-----\n", 0},
		{"base64 with percent", url.QueryEscape(std([]byte("\xfb\xef\xbe" + raw() + "\xff\xff\xff"))), 2},
		{"base64 crypt order", customBase64("./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", secretText), 0},
		{"base64 bcrypt order", customBase64("./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", secretText), 0},
		{"base64 lower first", customBase64("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/", secretText), 0},
		{"base64 digits first", customBase64("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz+/", secretText), 0},
	}
}

func customBase64(alphabet, s string) string {
	return base64.NewEncoding(alphabet).WithPadding(base64.NoPadding).EncodeToString([]byte(s))
}

func numbered(s string, width int) string {
	var b strings.Builder
	for i := 0; len(s) > 0; i++ {
		n := min(width, len(s))
		fmt.Fprintf(&b, "%4d: %s\n", i+8, s[:n])
		s = s[n:]
	}
	return b.String()
}

func base32Dresses() []dress {
	std := base32.StdEncoding.EncodeToString([]byte(secretText))
	hexed := base32.HexEncoding.EncodeToString([]byte(secretText))
	of := func(alphabet string) string {
		return base32.NewEncoding(alphabet).WithPadding(base32.NoPadding).EncodeToString([]byte(raw()))
	}
	return []dress{
		{"base32", std, 0},
		{"base32 of raw bytes", base32.StdEncoding.EncodeToString([]byte(raw())), 0},
		{"base32 lower", strings.ToLower(std), 0},
		{"base32 hex", hexed, 0},
		{"base32 behind glue", "ABC" + std, 0},
		{"base32 in hyphens", wrap(strings.TrimRight(std, "="), 4, "", "-"), 2},
		{"base32 wrapped", wrap(std, 20, "  ", "\n"), 0},
		{"base32 spaced", wrap(std, 8, "", " "), 2},
		{"base32 as labels", wrap(strings.ToLower(strings.TrimRight(std, "=")), 30, "", "."), 0},
		{"crockford", of("0123456789ABCDEFGHJKMNPQRSTVWXYZ"), 0},
		{"crockford lower", strings.ToLower(of("0123456789ABCDEFGHJKMNPQRSTVWXYZ")), 0},
		{"z-base-32", of("ybndrfg8ejkmcpqxot1uwisza345h769"), 0},
		{"geohash", of("0123456789bcdefghjkmnpqrstuvwxyz"), 0},
		{"bech32", of("qpzry9x8gf2tvdw0s3jn54khce6mua7l"), 0},
		{"base32 rotated", rot(std, 13), 0},
		{"base32 reversed", reverse(std), 0},
		{"base32 of base64", base32.StdEncoding.EncodeToString([]byte(base64.StdEncoding.EncodeToString([]byte(secretText)))), 2},
	}
}

func hexDresses() []dress {
	x := hex.EncodeToString([]byte(secretText))
	return []dress{
		{"hex", x, 0},
		{"hex upper", strings.ToUpper(x), 0},
		{"hex odd phase", "a" + x, 0},
		{"hex wrapped", wrap(x, 32, "  ", "\n"), 0},
		{"hex spaces", each(secretText, " ", format("%02x")), 0},
		{"hex colons", each(secretText, ":", format("%02X")), 0},
		{"hex dashes", each(raw(), "-", format("%02x")), 0},
		{"hex commas", each(raw(), ",", format("%02x")), 0},
		{"hex 0x", each(raw(), ", ", format("0x%02x")), 0},
		{"hex 0x short", each(raw(), ", ", format("%#x")), 0},
		{"hex h", each(secretText, " ", format("%02xh")), 0},
		{"hex dollar", each(secretText, ",", format("$%02x")), 0},
		{"hex hash", each(secretText, "", format("#%02x")), 0},
		{"hex percent", each(raw(), "", format("%%%02X")), 0},
		{"hex \\x", each(raw(), "", format("\\x%02x")), 0},
		{"hex array c", "unsigned char k[] = {" + wrap(each(secretText, ", ", format("0x%02x")), 72, "\n  ", "") + "\n};", 0},
		{"hex array go", "[]byte{" + each(secretText, ", ", format("%#02x")) + "}", 0},
		{"hex with U+", each(secretText, " ", format("U+%04X")), 0},
		{"hex words", wrap(x, 8, "0x", ", "), 0},
		{"hex nibbles apart", wrap(secretText, 1, " ", ""), 0},
		{"hex nibbles in words", "4a7f 09c3 e81b 62d5 907f ac3e 14b8 d26a", 0},
		{"xxd", xxd("noise before " + secretText + " and after"), 0},
		{"hexdump", hex.Dump([]byte("some more noise before " + secretText + " and after")), 0},
		{"od", octalDump("noise "+secretText, 1), 0},
		{"od characters", charDump("noise\n" + secretText + "\x80\n"), 0},
		{"tcpdump", strings.ReplaceAll(xxd("noise"+secretText), "000000", "\t0x00"), 0},
		{"od words", octalDump("noise."+secretText, 2), 0},
		{"hexdump words", wordDump("noise." + secretText), 0},
		{"intel hex", intelHex("noise" + secretText), 0},
		{"s-record", sRecord("noise" + secretText), 0},
		{"uuid", "4a7f09c3-e81b-62d5-907f-ac3e14b8d26a", 0},
		{"ipv6", ipv6(), 0},
		{"mac", "4a:7f:09:c3:e8:1b 62:d5:90:7f:ac:3e 14:b8:d2:6a:00:00", 0},
		{"sql", "SELECT 0x" + x, 0},
		{"hex reversed words", littleWords(), 0},
	}
}

func xxd(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i += 16 {
		line := s[i:min(len(s), i+16)]
		fmt.Fprintf(&b, "%08x: %-40s %s\n", i, strings.TrimPrefix(wrap(hex.EncodeToString([]byte(line)), 4, " ", ""), " "), line)
	}
	return b.String()
}

func octalDump(s string, size int) string {
	var b strings.Builder
	for i := 0; i < len(s); i += 16 {
		fmt.Fprintf(&b, "%07o", i)
		line := s[i:min(len(s), i+16)]
		for k := 0; k+size <= len(line); k += size {
			if size == 1 {
				fmt.Fprintf(&b, " %03o", line[k])
			} else {
				fmt.Fprintf(&b, " %06o", int(line[k])|int(line[k+1])<<8)
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

func charDump(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i += 16 {
		fmt.Fprintf(&b, "%07o", i)
		for _, c := range []byte(s[i:min(len(s), i+16)]) {
			switch {
			case c == '\n':
				b.WriteString("  \\n")
			case c >= 0x80:
				fmt.Fprintf(&b, " %03o", c)
			default:
				fmt.Fprintf(&b, "   %c", c)
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

func wordDump(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i += 16 {
		fmt.Fprintf(&b, "%07x", i)
		line := s[i:min(len(s), i+16)]
		for k := 0; k+2 <= len(line); k += 2 {
			fmt.Fprintf(&b, " %04x", int(line[k])|int(line[k+1])<<8)
		}
		b.WriteString("\n")
	}
	return b.String()
}

func intelHex(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i += 16 {
		line := s[i:min(len(s), i+16)]
		fmt.Fprintf(&b, ":%02X%04X00%XFF\r\n", len(line), i, line)
	}
	return b.String() + ":00000001FF\r\n"
}

func sRecord(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i += 16 {
		line := s[i:min(len(s), i+16)]
		fmt.Fprintf(&b, "S1%02X%04X%XFF\n", len(line)+3, i, line)
	}
	return b.String()
}

func ipv6() string {
	var parts []string
	for r := secretRaw(); len(r) > 0; r = r[2:] {
		parts = append(parts, fmt.Sprintf("%x", binary.BigEndian.Uint16(r)))
	}
	return strings.Join(parts, ":")
}

func littleWords() string {
	var parts []string
	for r := secretRaw(); len(r) > 0; r = r[2:] {
		parts = append(parts, fmt.Sprintf("0x%04x", binary.LittleEndian.Uint16(r)))
	}
	return strings.Join(parts, ", ") + ", 0x0000, 0x0000"
}

func numeralDresses() []dress {
	in := func(alphabet, s string) string {
		n, base := new(big.Int).SetBytes([]byte(s)), big.NewInt(int64(len(alphabet)))
		var d []byte
		for n.Sign() > 0 {
			m := new(big.Int)
			n.DivMod(n, base, m)
			d = append(d, alphabet[m.Int64()])
		}
		return reverse(string(d))
	}
	const digits, upper, lower = "0123456789", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz"
	const btc = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
	all := []dress{
		{"base58", in(btc, secretText), 0},
		{"base58 raw", in(btc, raw()), 0},
		{"base58 flickr", in("123456789abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ", raw()), 0},
		{"base58 of base64", in(btc, base64.StdEncoding.EncodeToString([]byte(secretText))), 2},
		{"base62", in(digits+upper+lower, raw()), 0},
		{"base62 lower first", in(digits+lower+upper, secretText), 0},
		{"base62 letters first", in(upper+lower+digits, secretText), 0},
		{"base36", in(digits+lower, raw()), 0},
		{"base36 upper", strings.ToUpper(in(digits+lower, secretText)), 0},
		{"base26", in(upper, secretText), 0},
		{"base52", in(upper+lower, secretText), 0},
		{"integer", new(big.Int).SetBytes(secretRaw()).String(), 0},
		{"integer of text", new(big.Int).SetBytes([]byte(secretText)).String(), 0},
		{"integer octal", new(big.Int).SetBytes([]byte(secretText)).Text(8), 0},
		{"integer hex", "0x" + new(big.Int).SetBytes([]byte(secretText)).Text(16), 0},
	}
	for _, base := range []int{3, 5, 7, 9, 12, 20, 30, 35} {
		all = append(all, dress{fmt.Sprintf("integer base %d", base), new(big.Int).SetBytes([]byte(secretText)).Text(base), 0})
	}
	return all
}

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

func escapeDresses() []dress {
	percent := each(secretText, "", format("%%%02x"))
	half := func(f func(c byte) string) string { // every third byte escaped
		i := -1
		return each(secretText, "", func(c byte) string {
			if i++; i%3 == 0 {
				return f(c)
			}
			return string(c)
		})
	}
	mathDigits := each(secretText, "", func(c byte) string { return fmt.Sprintf("\\u%04x", c) })
	return []dress{
		{"percent", percent, 0},
		{"percent in part", half(format("%%%02X")), 0},
		{"percent twice", strings.ReplaceAll(percent, "%", "%25"), 2},
		{"percent in part twice", strings.ReplaceAll(half(format("%%%02X")), "%", "%25"), 2},
		{"percent u", each(secretText, "", format("%%u%04x")), 0},
		{"quoted-printable", each(secretText, "", format("=%02X")), 0},
		{"quoted-printable in part", half(format("=%02X")), 0},
		{"quoted-printable soft breaks", wrap(secretText, 10, "", "=\r\n"), 0},
		{"quoted-printable of raw bytes", quoted(raw()), 0},
		{"entities decimal", each(secretText, "", format("&#%d;")), 0},
		{"entities hexadecimal", each(secretText, "", format("&#x%x;")), 0},
		{"entities in part", half(format("&#%d;")), 0},
		{"entities padded", each(secretText, "", format("&#%07d;")), 0},
		{"entities bare", each(secretText, " ", format("&#%d")), 0},
		{"entities doubled", each(secretText, "", format("&amp;#%d;")), 2},
		{"json", mathDigits, 0},
		{"json in part", half(format("\\u%04x")), 0},
		{"json in json", strings.ReplaceAll(half(format("\\u%04x")), `\`, `\\`), 2},
		{"javascript braces", half(format("\\u{%x}")), 0},
		{"python U", half(format("\\U%08x")), 0},
		{"c x", half(format("\\x%02x")), 0},
		{"c octal", each(secretText, "", format("\\%03o")), 0},
		{"c octal of raw bytes", each(raw(), "", format("\\%03o")), 0},
		{"echo octal", each(secretText, "", format("\\0%03o")), 0},
		{"master file", each(secretText, "", format("\\%03d")), 0},
		{"css", each(secretText, "", format("\\%x ")), 0},
		{"css padded", each(secretText, "", format("\\%06x")), 0},
		{"perl", each(secretText, "", format("\\x{%x}")), 0},
		{"regexp", each(secretText, "", format("\\%c")), 0},
		{"continued", wrap(secretText, 9, "", "\\\n"), 0},
		{"xml name", half(format("_x%04X_")), 0},
		{"cdata", "<![CDATA[" + secretText[:11] + "]]><![CDATA[" + secretText[11:] + "]]>", 2},
		{"tags between", wrap(secretText, 3, "", "<b></b>"), 0},
		{"comments between", wrap(secretText, 5, "", "<!-- no -->"), 0},
		{"colours between", wrap(secretText, 2, "", "\x1b[31m"), 0},
	}
}

func quoted(s string) string {
	var b bytes.Buffer
	w := quotedprintable.NewWriter(&b)
	w.Write([]byte("noise " + s))
	w.Close()
	return b.String()
}

func mimeDresses() []dress {
	b, q := mime.BEncoding, mime.QEncoding
	return []dress{
		{"mime word b", b.Encode("utf-8", "é"+secretText), 0},
		{"mime word q", q.Encode("utf-8", "é"+secretText), 0},
		{"mime word q escaped", "=?utf-8?Q?" + each(secretText, "", format("=%02X")) + "?=", 0},
		{"mime words", b.Encode("utf-8", "é"+secretText[:13]) + "\r\n " + b.Encode("utf-8", secretText[13:]+"é"), 0},
		{"rfc2231", "a/b; name*0=" + secretText[:10] + ";\r\n name*1=" + secretText[10:20] + ";\r\n name*2=\"" + secretText[20:] + "\"", 0},
		{"rfc2231 out of order", "a/b; name*1*=" + each(secretText[10:], "", format("%%%02x")) + ";\r\n name*0*=utf-8''" + secretText[:10], 0},
		{"rfc5987", "filename*=UTF-8''" + each(secretText, "", format("%%%02X")), 0},
		{"punycode", "xn--" + secretText + "-kva", 0},
	}
}

func charsetDresses() []dress {
	var b16, l16, b32, l32 []byte
	for _, r := range secretText {
		b16, l16 = binary.BigEndian.AppendUint16(b16, uint16(r)), binary.LittleEndian.AppendUint16(l16, uint16(r))
		b32, l32 = binary.BigEndian.AppendUint32(b32, uint32(r)), binary.LittleEndian.AppendUint32(l32, uint32(r))
	}
	latin := each(raw(), "", func(c byte) string { return string(rune(c)) })
	windows := each(raw(), "", func(c byte) string {
		if r := charmap.Windows1252.DecodeByte(c); r != utf8.RuneError {
			return string(r)
		}
		return string(rune(c))
	})
	ebcdic, _ := charmap.CodePage037.NewEncoder().String("noise " + secretText)
	overlong := each(secretText, "", func(c byte) string { return string([]byte{0xc0 | c>>6, 0x80 | c&0x3f}) })
	overlong3 := each(secretText, "", func(c byte) string { return string([]byte{0xe0, 0x80 | c>>6, 0x80 | c&0x3f}) })
	full := each(secretText, "", func(c byte) string { return string(rune(c) + 0xfee0) })
	utf7 := each(secretText, "", func(c byte) string {
		return "+" + base64.RawStdEncoding.EncodeToString([]byte{0, c}) + "-"
	})
	return []dress{
		{"utf-16be", string(b16), 0}, {"utf-16le", string(l16), 0},
		{"utf-32be", string(b32), 0}, {"utf-32le", string(l32), 0},
		{"utf-16 marked", "\xff\xfe" + string(l16), 0},
		{"bytes as latin-1 in utf-8", latin, 0},
		{"bytes as latin-1 in utf-8 twice", each(latin, "", func(c byte) string { return string(rune(c)) }), 2},
		{"bytes as windows-1252 in utf-8", windows, 0},
		{"ebcdic", ebcdic, 0},
		{"overlong", overlong, 0}, {"overlong by three", overlong3, 0},
		{"full width", full, 0},
		{"utf-7", "+" + base64.RawStdEncoding.EncodeToString(b16) + "-", 2},
		{"utf-7 letter by letter", utf7, 0},
		{"utf-7 of imap", "&" + strings.ReplaceAll(base64.RawStdEncoding.EncodeToString(b16), "/", ",") + "-", 2},
		{"base100", each(secretText, "", func(c byte) string { return string(rune(c) + 0x1f3f7) }), 0},
		{"braille bytes", each(raw(), "", func(c byte) string { return string(rune(c) + 0x2800) }), 0},
		{"septets", packSevens(secretText, false), 0}, {"septets, high end first", packSevens(secretText, true), 0},
		{"private use", each(raw(), "", func(c byte) string { return string(rune(c) + 0xe000) }), 0},
	}
}

func packSevens(s string, big bool) string {
	var bits string
	if big {
		bits = each(s, "", format("%07b"))
	} else {
		bits = each(s, "", func(c byte) string { return reverse(fmt.Sprintf("%07b", c)) })
	}
	var d []byte
	for ; len(bits) >= 8; bits = bits[8:] {
		octet := bits[:8]
		if !big {
			octet = reverse(octet)
		}
		v, _ := strconv.ParseUint(octet, 2, 8)
		d = append(d, byte(v))
	}
	return string(d)
}

func numberDresses() []dress {
	signed := each(raw(), ", ", func(c byte) string { return strconv.Itoa(int(int8(c))) })
	words := func(size int, order binary.ByteOrder) string {
		var parts []string
		for r := secretRaw(); len(r) > 0; r = r[size:] {
			switch size {
			case 2:
				parts = append(parts, fmt.Sprint(order.Uint16(r)))
			case 4:
				parts = append(parts, fmt.Sprint(order.Uint32(r)))
			case 8:
				parts = append(parts, fmt.Sprint(order.Uint64(r)))
			}
		}
		return strings.Join(parts, ", ")
	}
	ip := func(s string) string {
		var parts []string
		for ; len(s) > 0; s = s[4:] {
			parts = append(parts, fmt.Sprintf("%d.%d.%d.%d", s[0], s[1], s[2], s[3]))
		}
		return strings.Join(parts, "\n")
	}
	return []dress{
		{"decimal", each(secretText, " ", format("%d")), 0},
		{"decimal commas", each(raw(), ",", format("%d")), 0},
		{"decimal lines", each(raw(), "\n", format("%d")), 0},
		{"decimal json", "[" + each(raw(), ", ", format("%d")) + "]", 0},
		{"decimal packed", each(secretText, "", format("%03d")), 0},
		{"decimal packed of raw", each(raw(), "", format("%03d")), 0},
		{"decimal packed by width", each(secretText, "", format("%d")), 0},
		{"octal", each(secretText, " ", format("%o")), 0},
		{"octal padded", each(raw(), " ", format("%03o")), 0},
		{"octal packed", each(secretText, "", format("%03o")), 0},
		{"octal 0o", each(raw(), " ", format("%O")), 0},
		{"binary", each(secretText, " ", format("%08b")), 0},
		{"binary 0b", each(raw(), ", ", format("0b%08b")), 0},
		{"binary short", each(secretText, " ", format("%b")), 0},
		{"signed", signed, 0},
		{"floats", each(raw(), ", ", format("%d.0")), 0},
		{"16 bits big", words(2, binary.BigEndian), 0}, {"16 bits little", words(2, binary.LittleEndian), 0},
		{"32 bits big", words(4, binary.BigEndian), 0}, {"32 bits little", words(4, binary.LittleEndian), 0},
		{"64 bits big", words(8, binary.BigEndian), 0}, {"64 bits little", words(8, binary.LittleEndian), 0},
		{"ipv4", ip(raw()), 0}, {"ipv4 of text", ip(secretText), 0},
		{"base 7 list", each(secretText, " ", func(c byte) string { return strconv.FormatInt(int64(c), 7) }), 0},
		{"nibbles", each(secretText, " ", func(c byte) string { return fmt.Sprint(strings.IndexByte("0123456789abcdef", c)) }), 0},
		{"letters by place", each(secretText, " ", func(c byte) string {
			return fmt.Sprint(1 + strings.IndexByte("abcdefghijklmnopqrstuvwxyz0123456789", c))
		}), 0},
		{"multi-tap", each(secretText, " ", tapped), 0},
		{"polybius", each(secretText, " ", func(c byte) string {
			i := strings.IndexByte("abcdefghijklmnopqrstuvwxyz0123456789", c)
			return fmt.Sprintf("%d%d", i/6+1, i%6+1)
		}), 0},
		{"roman", each(secretText, " ", roman), 0},
		{"roman of raw bytes", each(secretText+"z", ", ", func(c byte) string { return strings.ToLower(roman(c)) }), 0},
		{"chr", each(secretText, ".", format("chr(%d)")), 0},
		{"char codes", "String.fromCharCode(" + each(secretText, ",", format("%d")) + ")", 0},
		{"powershell", each(secretText, "+", format("[char]%d")), 0},
		{"sql char", "CHAR(" + each(secretText, ",", format("%d")) + ")", 0},
		{"vb", each(secretText, " & ", format("Chr$(%d)")), 0},
		{"colour functions", colours(), 0},
		{"indexed", indexed(false), 0}, {"indexed, shuffled", indexed(true), 0},
		{"floats of one", each(raw(), ", ", func(c byte) string { return fmt.Sprintf("%.6f", float64(c)/255) }), 0},
		{"xml elements", each(raw(), "", format("<b>%d</b>\n")), 0},
	}
}

func colours() string {
	var parts []string
	for s := raw() + "\x00\x00"; len(s) > 0; s = s[3:] {
		parts = append(parts, fmt.Sprintf("rgb(%d, %d, %d)", s[0], s[1], s[2]))
	}
	return strings.Join(parts, " ")
}

func indexed(shuffled bool) string {
	parts := make([]string, len(secretText))
	for i := range secretText {
		place := i
		if shuffled {
			place = i * 7 % len(secretText)
		}
		parts[place] = fmt.Sprintf("[%d]=%d", i, secretText[i])
	}
	return strings.Join(parts, " ")
}

func tapped(c byte) string {
	for key, letters := range strings.Fields("0 1 abc2 def3 ghi4 jkl5 mno6 pqrs7 tuv8 wxyz9") {
		if i := strings.IndexByte(letters, c); i >= 0 {
			return strings.Repeat(fmt.Sprint(key), i+1)
		}
	}
	return ""
}

func roman(c byte) string {
	values := []int{100, 90, 50, 40, 10, 9, 5, 4, 1}
	var b strings.Builder
	for n := int(c); n > 0; {
		for i, v := range values {
			if n >= v {
				b.WriteString(strings.Fields("C XC L XL X IX V IV I")[i])
				n -= v
				break
			}
		}
	}
	return b.String()
}

func bitDresses() []dress {
	bits := each(secretText, "", format("%08b"))
	as := func(zero, one string) string { return strings.NewReplacer("0", zero, "1", one).Replace(bits) }
	i := -1
	carrier := strings.Map(func(r rune) rune {
		if r < 'a' || r > 'z' {
			return r
		}
		if i++; i < len(bits) && bits[i] == '1' {
			return r - 32
		}
		return r
	}, strings.ToLower(prose))
	fives := each(raw(), "", format("%08b")) + "00"
	bacon := strings.Map(func(r rune) rune { return 'A' + r - '0' }, strings.Repeat("", 1)+fives)
	return []dress{
		{"bits", bits, 0},
		{"bits of raw bytes", each(raw(), "", format("%08b")), 0},
		{"bits wrapped", wrap(bits, 60, "", "\n"), 0},
		{"bits seven", each(secretText, "", format("%07b")), 0},
		{"bits inverted", as("1", "0"), 0},
		{"bits reversed", each(secretText, "", func(c byte) string { return reverse(fmt.Sprintf("%08b", c)) }), 0},
		{"bits as letters", as("O", "I"), 0},
		{"bits as letters in eights", wrap(as("o", "x"), 8, "", " "), 0},
		{"bits as tabs", as(" ", "\t"), 0},
		{"bits as signs", as("-", "+"), 0},
		{"bits as words of case", carrier, 0},
		{"bits in nibbles", each(secretText, " ", func(c byte) string { return fmt.Sprintf("%04b %04b", c>>4, c&15) }), 0},
		{"bacon", bacon, 0},
		{"dna", dna("ACGT"), 0}, {"dna other order", dna("TGAC"), 0}, {"dna wrapped", wrap(dna("ACGT"), 60, "", "\n"), 0},
	}
}

func dna(letters string) string {
	return each(secretText, "", func(c byte) string {
		return string([]byte{letters[c>>6], letters[c>>4&3], letters[c>>2&3], letters[c&3]})
	})
}

var morseOf = strings.Fields("----- .---- ..--- ...-- ....- ..... -.... --... ---.. ----. .- -... -.-. -.. . ..-.")

func wordDresses() []dress {
	word := func(list string) func(c byte) string {
		words := strings.Fields(list)
		return func(c byte) string { return words[strings.IndexByte("0123456789abcdef", c)] }
	}
	nato := word("zero one two three four five six seven eight nine alpha bravo charlie delta echo foxtrot")
	morse := func(c byte) string { return morseOf[strings.IndexByte("0123456789abcdef", c)] }
	say := func(c byte) string {
		return strings.TrimSpace(strings.NewReplacer(".", "dot ", "-", "dash ").Replace(morse(c)))
	}
	dah := func(c byte) string {
		return strings.Trim(strings.NewReplacer(".", "di-", "-", "dah-").Replace(morse(c)), "-")
	}
	return []dress{
		{"nato", each(secretText, " ", nato), 0},
		{"nato capitals", strings.ToUpper(each(secretText, ", ", nato)), 0},
		{"radio", each(secretText, "-", word("zero wun too tree fower fife six seven ait niner alfa bravo charlie delta echo foxtrot")), 0},
		{"able baker", each(secretText, " ", word("zero one two three four five six seven eight nine able baker charlie dog easy fox")), 0},
		{"spelled with letters", each(secretText, " ", word("zero one two three four five six seven eight nine a b c d e f")), 0},
		{"numbers in words", each(secretText, ", ", inWords), 0},
		{"morse", each(secretText, " ", morse), 0},
		{"morse slashes", each(secretText, "/", morse), 0},
		{"morse lines", each(secretText, "\n", morse), 0},
		{"morse typographic", strings.NewReplacer(".", "·", "-", "−").Replace(each(secretText, " ", morse)), 0},
		{"morse in words", each(secretText, " / ", say), 0},
		{"morse in sounds", each(secretText, " ", dah), 0},
		{"tap code", tapCode(), 0},
		{"pgp words", pgp(), 0},
		{"proquints", quints(), 0},
		{"bubble babble", babble(secretText), 0},
	}
}

// tapCode writes the secret on a square of six.
func tapCode() string {
	return " " + each(secretText, "  ", func(c byte) string {
		i := strings.IndexByte("abcdefghijklmnopqrstuvwxyz0123456789", c)
		return strings.Repeat(".", i/6+1) + " " + strings.Repeat(".", i%6+1)
	})
}

func inWords(c byte) string {
	ones := strings.Fields("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen")
	tens := strings.Fields("- - twenty thirty forty fifty sixty seventy eighty ninety")
	switch n := int(c); {
	case n >= 100 && n%100 == 0:
		return ones[n/100] + " hundred"
	case n >= 100:
		return ones[n/100] + " hundred " + inWords(byte(n%100))
	case n >= 20 && n%10 > 0:
		return tens[n/10] + "-" + ones[n%10]
	case n >= 20:
		return tens[n/10]
	default:
		return ones[n]
	}
}

// pgp is the raw bytes in the words of the list, alternately of both halves.
func pgp() string {
	return "dogsled integrate Algol replica trauma bravado flagpole specialist peachy integrate " +
		"ribcage cumbersome baboon provincial standard hamburger"
}

func quints() string {
	const consonants, vowels = "bdfghjklmnprstvz", "aiou"
	var words []string
	for r := secretRaw(); len(r) > 0; r = r[2:] {
		v := binary.BigEndian.Uint16(r)
		words = append(words, string([]byte{consonants[v>>12], vowels[v>>10&3], consonants[v>>6&15], vowels[v>>4&3], consonants[v&15]}))
	}
	return strings.Join(words, "-")
}

// babble follows the description by Huima (2001).
func babble(s string) string {
	const vowels, consonants = "aeiouy", "bcdfghklmnprstvzx"
	d, sum := []byte("x"), 1
	for i := 0; ; i += 2 {
		if i >= len(s) {
			return string(append(d, vowels[sum%6], consonants[16], vowels[sum/6], 'x'))
		}
		a := int(s[i])
		d = append(d, vowels[(a>>6+sum)%6], consonants[a>>2&15], vowels[(a&3+sum/6)%6])
		if i+1 >= len(s) {
			return string(append(d, 'x'))
		}
		b := int(s[i+1])
		d = append(d, consonants[b>>4], '-', consonants[b&15])
		sum = (sum*5 + a*7 + b) % 36
	}
}

func codeDresses() []dress {
	brain := ""
	at := byte(0)
	for i := range len(secretText) {
		c := secretText[i]
		if c >= at {
			brain += strings.Repeat("+", int(c-at))
		} else {
			brain += strings.Repeat("-", int(at-c))
		}
		brain += "."
		at = c
	}
	return []dress{
		{"string parts", wrap(secretText, 5, `"`, `" + `), 0},
		{"string parts over lines", wrap(secretText, 5, "\n   '", `' .`), 0},
		{"string parts in an array", "[" + wrap(secretText, 6, `"`, `",`) + "]", 0},
		{"brainfuck", brain, 0},
		{"brainfuck with loops", "++++++++++[>+++++>++++++++++<<-]>" + brainFrom(50), 0},
		{"whitespace", each(secretText, "", func(c byte) string {
			return "   " + strings.NewReplacer("0", " ", "1", "\t").Replace(fmt.Sprintf("%b", c)) + "\n\t\n  "
		}), 0},
		{"reversed percent", reverse(each(secretText, "", format("%%%02x"))), 2},
	}
}

func brainFrom(at byte) string {
	var b strings.Builder
	for i := range len(secretText) {
		for ; at < secretText[i]; at++ {
			b.WriteByte('+')
		}
		for ; at > secretText[i]; at-- {
			b.WriteByte('-')
		}
		b.WriteByte('.')
	}
	return b.String()
}
