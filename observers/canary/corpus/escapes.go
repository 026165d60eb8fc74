package corpus

import (
	"fmt"
	"mime"
	"mime/quotedprintable"
	"strings"
	"unicode/utf8"
)

func escapes() []trick {
	percent, x := each("%%%02X", ""), each(`\x%02x`, "")
	return []trick{
		digits("percent", 1, percent),
		bytes16("percent-raw", 1, percent),
		digits("percent-lower", 1, each("%%%02x", "")),
		digits("percent-twice", 2, func(b []byte) string { return strings.ReplaceAll(percent(b), "%", "%25") }),
		digits("percent-three-times", 2, func(b []byte) string { return strings.ReplaceAll(percent(b), "%", "%2525") }),
		text("percent-some", 2, func(s *scene) string { return s.some(s.hex, "%%%02x") }),
		digits("percent-u", 2, each("%%u%04x", "")),
		text("percent-of-raw-mostly", 2, func(s *scene) string { return queryEscaped(s.raw) }),
		digits("entities-decimal", 1, each("&#%d;", "")),
		digits("entities-hex", 1, each("&#x%x;", "")),
		digits("entities-padded", 2, each("&#%07d;", "")),
		digits("entities-open", 2, each("&#%d", "")),
		digits("entities-twice", 2, each("&amp;#%d;", "")),
		text("entities-some", 2, func(s *scene) string { return s.some(s.hex, "&#%d;") }),
		bytes16("entities-raw", 2, each("&#%d;", "")),
		digits("unicode", 1, each(`\u%04x`, "")),
		digits("unicode-upper", 1, each(`\u%04X`, "")),
		bytes16("unicode-raw", 1, each(`\u%04x`, "")),
		digits("unicode-twice", 2, each(`\\u%04x`, "")),
		digits("unicode-braces", 2, each(`\u{%x}`, "")),
		digits("unicode-long", 2, each(`\U%08x`, "")),
		text("unicode-some", 2, func(s *scene) string { return s.some(s.hex, `\u%04x`) }),
		digits("unicode-plus", 2, each("U+%04X", " ")),
		digits("x", 1, x),
		bytes16("x-raw", 1, x),
		digits("x-twice", 2, each(`\\x%02x`, "")),
		digits("x-braces", 2, each(`\x{%x}`, "")),
		digits("octal", 1, each(`\%03o`, "")),
		bytes16("octal-raw", 1, each(`\%03o`, "")),
		digits("octal-zero", 2, each(`\0%03o`, "")),
		bytes16("go-quoted", 1, func(b []byte) string { return fmt.Sprintf("%q", b) }),
		bytes16("python-bytes", 1, python),
		digits("css", 2, each(`\%x `, "")),
		digits("css-padded", 2, each(`\%06x`, "")),
		digits("quoted-printable-all", 1, each("=%02X", "")),
		bytes16("quoted-printable-raw", 1, quotable),
		digits("quoted-printable-soft", 2, wrapped(9, "=\r\n", as)),
		text("quoted-printable-text", 2, func(s *scene) string {
			return quotable([]byte(strings.ReplaceAll(s.prose(1), "\n", " ") + " " + s.hex + "é"))
		}),
		digits("mime-word-b", 1, func(b []byte) string { return mime.BEncoding.Encode("utf-8", string(b)+"é") }),
		digits("mime-word-q", 1, func(b []byte) string { return "=?utf-8?Q?" + each("=%02X", "")(b) + "?=" }),
		digits("mime-words-split", 3, func(b []byte) string {
			return "=?utf-8?B?" + b64(b[:11]) + "?=\r\n =?utf-8?B?" + b64(b[11:20]) + "?=\r\n =?utf-8?B?" + b64(b[20:]) + "?="
		}),
		digits("rfc2231", 3, func(b []byte) string {
			return "Content-Disposition: attachment;\r\n filename*0*=utf-8''" + percent(b[:12]) + ";\r\n filename*1*=" + percent(b[12:22]) + ";\r\n filename*2=" + string(b[22:])
		}),
		digits("backslashes", 2, each(`\%c`, "")),
		digits("bracket-classes", 2, each("[%c]", "")),
		digits("sql-char", 2, around("CHAR(", each("%d", ","), ")")),
		digits("sql-chr", 2, each("CHR(%d)", "||")),
		digits("sql-concat", 3, each("'%c'", "||")),
		digits("javascript-codes", 2, around("String.fromCharCode(", each("%d", ","), ")")),
		digits("javascript-hex-codes", 2, around("String.fromCharCode(", each("0x%x", ","), ")")),
		digits("python-chr", 2, each("chr(%d)", "+")),
		digits("php-chr", 2, each("chr(%d)", ".")),
		digits("vba-chr", 2, each("Chr(%d)", " & ")),
		digits("powershell-char", 2, each("[char]%d", "+")),
		digits("powershell-format", 3, func(b []byte) string {
			return fmt.Sprintf(`("{2}{0}{3}{1}" -f '%s','%s','%s','%s')`, b[8:16], b[24:], b[:8], b[16:24])
		}),
		digits("shell-dollar", 1, around("$'", x, "'")),
		digits("shell-quotes", 2, wrapped(3, "''", as)),
		digits("shell-carets", 2, wrapped(2, "^", as)),
		digits("python-adjacent", 3, wrapped(6, `" "`, as)),
		digits("c-lines", 2, wrapped(6, "\\\n", as)),
		digits("rtf", 2, each(`\'%02x`, "")),
		digits("tex", 2, each("^^%02x", "")),
		digits("postscript-octal", 1, around("(", each(`\%03o`, ""), ")")),
		digits("character-names", 3, func(b []byte) string {
			names := strings.Fields("ZERO ONE TWO THREE FOUR FIVE SIX SEVEN EIGHT NINE")
			out := ""
			for _, c := range b {
				if c <= '9' {
					out += `\N{DIGIT ` + names[c-'0'] + "}"
				} else {
					out += `\N{LATIN SMALL LETTER ` + strings.ToUpper(string(c)) + "}"
				}
			}
			return out
		}),
		digits("percent-fullwidth", 2, func(b []byte) string {
			return percent([]byte(runes(func(c byte) rune { return rune(c) + 0xfee0 })(b)))
		}),
		digits("html-tags", 2, each("<b>%c</b>", "")),
		digits("html-comments", 2, wrapped(4, "<!-- -->", as)),
		digits("html-break", 2, wrapped(8, "<wbr>", as)),
		digits("bbcode", 2, each("[i]%c[/i]", "")),
		digits("ansi-colours", 2, each("\x1b[31m%c\x1b[0m", "")),
		digits("backspaces", 3, each("z\b%c", "")),
		digits("markdown", 2, each("*%c*", "")),
		digits("half-percent", 1, func(b []byte) string { return percent(b[:16]) }).as(Partial),
		digits("half-unicode", 1, func(b []byte) string { return each(`\u%04x`, "")(b[10:26]) }).as(Partial),
	}
}

// some escapes about half of the characters.
func (s *scene) some(text, format string) string {
	out := ""
	for _, c := range []byte(text) {
		if s.IntN(2) == 0 {
			out += fmt.Sprintf(format, c)
		} else {
			out += string(c)
		}
	}
	return out
}

func queryEscaped(b []byte) string {
	out := ""
	for _, c := range b {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' {
			out += string(c)
		} else {
			out += fmt.Sprintf("%%%02X", c)
		}
	}
	return out
}

func python(b []byte) string {
	out := "b'"
	for _, c := range b {
		if c < utf8.RuneSelf && c > 31 && c != 127 && c != '\'' && c != '\\' {
			out += string(c)
		} else {
			out += fmt.Sprintf(`\x%02x`, c)
		}
	}
	return out + "'"
}

func quotable(b []byte) string {
	var out strings.Builder
	w := quotedprintable.NewWriter(&out)
	must1(w.Write(b))
	must(w.Close())
	return out.String()
}
