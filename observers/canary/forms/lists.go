package forms

import (
	"bytes"
	"fmt"

	"postern/observers/canary/layer"
)

// list writes each item by a format of fmt, with each of the separators
// between two.
type list struct {
	technique  layer.Technique
	format     string
	separators []string
}

func (l list) each(n int, item func(int) any, yield func([]byte)) {
	items := make([][]byte, n)
	for i := range items {
		items[i] = fmt.Appendf(nil, l.format, item(i))
	}
	for _, sep := range l.separators {
		yield(bytes.Join(items, []byte(sep)))
	}
}

// The usual separators. A list is a func, so that nothing can change it.
func columns() []string { return []string{" ", ",", ", "} }
func commas() []string  { return []string{",", ", "} }
func tight() []string   { return []string{""} }
func anyHow() []string  { return append(columns(), "-", ".", ":", "\n", "_", "/") }

// hexLists are numbers of one byte each, in either case.
func hexLists() []list {
	return []list{
		{"hex", "%02x", append(tight(), anyHow()...)},
		{"hex", "0x%02x", append(tight(), columns()...)},
		{"hex", "0x%x", columns()},
		{"hex", "%02xh", commas()},
		{"hex", "$%02x", commas()},
		{"hex-escape", `\x%02x`, tight()},
		{"hex-escape", `\\x%02x`, tight()},
		{"hex-escape", `\x{%02x}`, tight()},
		{"percent", "%%%02x", tight()},
		{"percent", "%%25%02x", tight()},
		{"percent-u", "%%u%04x", tight()},
		{"quoted-printable", "=%02x", tight()},
		{"unicode-escape", `\u%04x`, tight()},
		{"unicode-escape", `\\u%04x`, tight()},
		{"unicode-escape", `\u{%x}`, tight()},
		{"unicode-escape", `\U%08x`, tight()},
		{"unicode-escape", `\%x `, tight()}, // CSS
		{"unicode-names", "U+%04X", []string{"", " "}},
		{"html-entity", "&#x%x;", tight()},
		{"html-entity", "&#x%04x;", tight()},
		{"html-entity", "&amp;#x%x;", tight()},
	}
}

// otherLists are those in other bases.
func otherLists() []list {
	return []list{
		{"decimal", "%d", anyHow()},
		{"decimal", "%03d", append(tight(), " ", ",")},
		{"decimal-escape", `\%03d`, tight()},
		{"html-entity", "&#%d;", tight()},
		{"html-entity", "&#%03d;", tight()},
		{"html-entity", "&#%04d;", tight()},
		{"html-entity", "&amp;#%d;", tight()},
		{"octal", "%o", columns()},
		{"octal", "%03o", append(tight(), columns()...)},
		{"octal", "0%o", commas()},
		{"octal", "0o%o", columns()},
		{"octal-escape", `\%03o`, tight()},
		{"octal-escape", `\%o`, tight()},
		{"octal-escape", `\\%03o`, tight()},
		{"octal-escape", `\0%03o`, tight()},
		{"binary", "%08b", anyHow()[:7]},
		{"binary", "0b%08b", append(tight(), columns()...)},
		{"binary", "0b%b", columns()},
	}
}

// rareLists are written of the text as it is.
func rareLists() []list {
	return []list{
		{"binary", "%07b", []string{"", " "}},
		{"binary", "%b", columns()},
		{"character-calls", "chr(%d)", []string{"+", " + ", ".", "||"}},
		{"character-calls", "Chr(%d)", []string{"&", " & "}},
		{"character-calls", "CHR(%d)", []string{"||", " || "}},
		{"character-calls", "CHAR(%d)", []string{"+", ",", ", "}},
		{"decimal", `"%d"`, commas()},
		{"decimal", "%d.0", commas()},
		{"decimal", "%3d", append(tight(), " ")},
	}
}

// lists are one number a byte.
func lists(w *wardrobe) {
	for _, s := range w.sources() {
		w.list(hexLists(), s, true)
		w.list(otherLists(), s, false)
	}
	w.list(rareLists(), w.texts[0], false)
	if r := w.raw; r.b != nil {
		l := list{"signed-decimal", "%d", columns()}
		l.each(len(r.b), func(i int) any { return int8(r.b[i]) }, func(b []byte) { w.add(l.technique, r.bits, b) })
	}
}

func (w *wardrobe) list(all []list, s source, fold bool) {
	for _, l := range all {
		l.each(len(s.b), func(i int) any { return s.b[i] }, func(b []byte) {
			if fold {
				b = mapped(b, lowerByte)
			}
			w.put(l.technique, s.bits, b, fold)
		})
	}
}
