package forms

import (
	"bytes"
	"fmt"
	"mime/quotedprintable"
	"net/url"
	"strconv"

	"postern/observers/canary/layer"
)

// escapes are the bytes as text in which the printable ones stand for
// themselves.
func escapes(w *wardrobe) {
	r := w.raw
	if r.b == nil {
		return
	}
	add := func(t layer.Technique, s string) { w.add(t, r.bits, []byte(s)) }
	add("percent", url.QueryEscape(string(r.b)))
	add("percent", url.PathEscape(string(r.b)))
	add("quoted-printable", quotedPrintable(r.b))
	quoted := strconv.QuoteToASCII(string(latin1(r.b)))
	add("unicode-escape", quoted[1:len(quoted)-1])
	for _, style := range []struct {
		technique layer.Technique
		format    string
		short     bool // \n and its kin
	}{
		{"hex-escape", `\x%02x`, true}, {"hex-escape", `\x%02X`, true}, {"hex-escape", `\x%02x`, false}, {"hex-escape", `\x%02X`, false},
		{"octal-escape", `\%03o`, true}, {"octal-escape", `\%03o`, false}, {"decimal-escape", `\%03d`, false},
		{"unicode-escape", `\u%04x`, true}, {"unicode-escape", `\u%04X`, true},
		{"html-entity", "&#%d;", false}, {"html-entity", "&#x%x;", false}, {"html-entity", "&#x%X;", false},
		{"percent", "%%%02x", false}, {"percent", "%%%02X", false},
	} {
		w.add(style.technique, r.bits, escaped(r.b, style.format, style.short))
	}
}

func quotedPrintable(b []byte) string {
	var out bytes.Buffer
	q := quotedprintable.NewWriter(&out)
	q.Binary = true
	q.Write(b) // a Buffer takes everything
	q.Close()
	return out.String()
}

// escaped leaves printable ASCII as it is, and the backslash doubled where it
// escapes.
func escaped(b []byte, format string, short bool) []byte {
	var out []byte
	for _, c := range b {
		switch at := bytes.IndexByte([]byte("\t\n\r"), c); {
		case short && at >= 0:
			out = append(out, '\\', "tnr"[at])
		case c == '\\' && format[0] == '\\':
			out = append(out, c, c)
		case c == format[0] || c < ' ' || c > '~':
			out = fmt.Appendf(out, format, c)
		default:
			out = append(out, c)
		}
	}
	return out
}
