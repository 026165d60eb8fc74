package forms

import (
	"bytes"
	"fmt"
	"mime/quotedprintable"
	"net/url"
	"strconv"
	"sync"

	"postern/observers/canary/layer"
)

// escapes are the bytes as text in which the printable ones stand for
// themselves.
func escapes(w *wardrobe) {
	r := w.raw
	if r.b == nil {
		return
	}
	w.spell(spelledEscapes(), r)
	w.add("quoted-printable", r.bits, quotedPrintable(r.b))
}

var spelledEscapes = sync.OnceValue(func() []spelling {
	var out []spelling
	add := func(t layer.Technique, write func(c byte) []byte) {
		s := spelling{technique: t, separators: separators(tight())}
		for c := range 256 {
			s.items[c] = itemOf(write(byte(c)))
		}
		out = append(out, s)
	}
	add("percent", func(c byte) []byte { return []byte(url.QueryEscape(string([]byte{c}))) })
	add("percent", func(c byte) []byte { return []byte(url.PathEscape(string([]byte{c}))) })
	add("unicode-escape", func(c byte) []byte {
		quoted := strconv.QuoteToASCII(string(rune(c)))
		return []byte(quoted[1 : len(quoted)-1])
	})
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
		add(style.technique, func(c byte) []byte { return escaped(c, style.format, style.short) })
	}
	return out
})

func quotedPrintable(b []byte) []byte {
	var out bytes.Buffer
	q := quotedprintable.NewWriter(&out)
	q.Binary = true
	q.Write(b) // a Buffer takes everything
	q.Close()
	return out.Bytes()
}

// escaped leaves printable ASCII as it is, and the backslash doubled where it
// escapes.
func escaped(c byte, format string, short bool) []byte {
	switch at := bytes.IndexByte([]byte("\t\n\r"), c); {
	case short && at >= 0:
		return []byte{'\\', "tnr"[at]}
	case c == '\\' && format[0] == '\\':
		return []byte{c, c}
	case c == format[0] || c < ' ' || c > '~':
		return fmt.Appendf(nil, format, c)
	}
	return []byte{c}
}
