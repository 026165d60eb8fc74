package forms

import (
	"bytes"
	"fmt"
	"sync"

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

// spelling is a list whose items are written out for every byte: many secrets
// need them.
type spelling struct {
	list
	fold  bool
	items [256]string
}

func spellings(all []list, fold bool) []spelling {
	out := make([]spelling, len(all))
	for k, l := range all {
		out[k] = spelling{list: l, fold: fold}
		for c := range 256 {
			item := fmt.Appendf(nil, l.format, byte(c))
			if fold {
				item = mapped(item, lowerByte)
			}
			out[k].items[c] = string(item)
		}
	}
	return out
}

// The spellings of each kind, written out when they are first needed.
var (
	spelledLists = sync.OnceValue(func() []spelling {
		return append(spellings(hexLists(), true), spellings(otherLists(), false)...)
	})
	spelledRare   = sync.OnceValue(func() []spelling { return spellings(rareLists(), false) })
	spelledDigits = sync.OnceValue(func() []spelling { return spellings(digitLists(), true) })
	spelledHalves = sync.OnceValue(func() []spelling { return spellings(halfLists(), false) })
)

// lists are one number a byte.
func lists(w *wardrobe) {
	for _, s := range w.sources() {
		w.spell(spelledLists(), s)
	}
	w.spell(spelledRare(), w.texts[0])
	if r := w.raw; r.b != nil {
		l := list{"signed-decimal", "%d", columns()}
		l.each(len(r.b), func(i int) any { return int8(r.b[i]) }, func(b []byte) { w.add(l.technique, r.bits, b) })
	}
}

func (w *wardrobe) spell(all []spelling, s source) {
	for i := range all {
		l, n := &all[i], 0
		for _, c := range s.b {
			n += len(l.items[c])
		}
		for _, sep := range l.separators {
			out := make([]byte, 0, n+len(sep)*len(s.b))
			for i, c := range s.b {
				if i > 0 {
					out = append(out, sep...)
				}
				out = append(out, l.items[c]...)
			}
			w.put(l.technique, s.bits, out, l.fold)
		}
	}
}
