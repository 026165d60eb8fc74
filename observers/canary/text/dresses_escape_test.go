package text_test

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"mime"
	"mime/quotedprintable"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

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
		{"names of characters", each(secretText, "", func(c byte) string { return `\N{` + unicodeName(string(c)) + "}" }), 0},
		{"names of characters in a list", each(secretText, ", ", func(c byte) string { return unicodeName(string(c)) }), 0},
		{"xml name", half(format("_x%04X_")), 0},
		{"cdata", "<![CDATA[" + secretText[:11] + "]]><![CDATA[" + secretText[11:] + "]]>", 2},
		{"tags between", wrap(secretText, 3, "", "<b></b>"), 0},
		{"comments between", wrap(secretText, 5, "", "<!-- no -->"), 0},
		{"colours between", wrap(secretText, 2, "", "\x1b[31m"), 0},
	}
}

func unicodeName(c string) string {
	names := strings.Fields("ZERO ONE TWO THREE FOUR FIVE SIX SEVEN EIGHT NINE")
	if c <= "9" {
		return "DIGIT " + names[c[0]-'0']
	}
	return "LATIN SMALL LETTER " + strings.ToUpper(c)
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
	page := func(p *charmap.Charmap) string { d, _ := p.NewDecoder().String(raw()); return d }
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
		{"bytes as code page 437 in utf-8", page(charmap.CodePage437), 0},
		{"bytes as koi8 in utf-8", page(charmap.KOI8R), 0},
		{"bytes as mac roman in utf-8", page(charmap.Macintosh), 0},
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
