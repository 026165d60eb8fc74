package text_test

import (
	"encoding/base32"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math/big"
	"net/url"
	"strings"
	"unicode/utf16"
)

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
		{"base64 in fives with dots", wrap(b, 5, "", "."), 2},
		{"base64 in twelves as a list", wrap(b, 12, "- ", "\n"), 2},
		{"base64 in nines with entities", wrap(b, 9, "", "&#10;"), 2},
		{"base64 padded in pieces", std([]byte(secretText[:5])) + std([]byte(secretText[5:14])) + std([]byte(secretText[14:25])) + std([]byte(secretText[25:])), 0},
		{"base64 of each letter", each(secretText, " ", func(c byte) string { return std([]byte{c}) }), 0},
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
		{"base58 raw turned round", reverse(in(btc, raw())), 0},
		{"base58 flickr", in("123456789abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ", raw()), 0},
		{"base58 before a name", "\x00\xf5" + in(btc, secretText) + "soon_live\x00", 0},
		{"base58 among noise", "\x00\xf5B" + in(btc, secretText) + "x\xd5", 0},
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
