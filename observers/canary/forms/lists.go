package forms

import (
	"fmt"
	"sync"

	"postern/observers/canary/layer"
)

// list writes each byte by a format of fmt, with each of the separators between
// two.
type list struct {
	technique  layer.Technique
	format     string
	separators []string
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

// spellings writes out every item: many secrets need them.
func spellings(all []list, fold bool) []spelling {
	out := make([]spelling, len(all))
	for k, l := range all {
		out[k] = spelling{technique: l.technique, separators: separators(l.separators), fold: fold}
		for c := range 256 {
			item := fmt.Appendf(nil, l.format, byte(c))
			if fold {
				lower(item)
			}
			out[k].items[c] = itemOf(item)
		}
	}
	return out
}

// signed are bytes of which the highest bit is a sign.
func signed() spelling {
	out := spelling{technique: "signed-decimal", separators: separators(columns())}
	for c := range 256 {
		out.items[c] = itemOf(fmt.Append(nil, int8(c)))
	}
	return out
}

// The spellings of each kind, written out when they are first needed.
var (
	spelledLists = sync.OnceValue(func() []spelling {
		return append(spellings(hexLists(), true), spellings(otherLists(), false)...)
	})
	spelledRare   = sync.OnceValue(func() []spelling { return spellings(rareLists(), false) })
	spelledSigned = sync.OnceValue(func() []spelling { return []spelling{signed()} })
)

// lists are one number a byte.
func lists(w *wardrobe) {
	for _, s := range w.sources() {
		w.spell(spelledLists(), s)
	}
	w.spell(spelledRare(), w.texts[0])
	if w.raw.b != nil {
		w.spell(spelledSigned(), w.raw)
	}
}
