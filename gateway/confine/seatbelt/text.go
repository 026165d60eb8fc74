package seatbelt

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// text is a profile that is being written.
type text struct{ strings.Builder }

func (t *text) line(s string) { t.WriteString(s + "\n") }

func (t *text) remark(s string) { t.line("\n; " + s) }

// form writes a rule for what fits any of its filters. Without a filter it would
// be one for everything, so then there is none.
func (t *text) form(rule string, filters []string) {
	if len(filters) == 0 {
		return
	}
	t.line("(" + rule)
	for _, f := range filters {
		t.line("  " + f)
	}
	t.WriteString(")\n")
}

// each is one filter of a kind for each value.
func each(kind string, values ...string) []string {
	var all []string
	for _, v := range values {
		all = append(all, "("+kind+" "+quote(v)+")")
	}
	return all
}

// escapes are the two characters that mean something in a string of the dialect.
var escapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

func quote(s string) string { return `"` + escapes.Replace(s) + `"` }

// safe reports whether a path means in a text what it means to the kernel. One
// with control characters may, but nobody who reads the text would see it.
func safe(place string) bool {
	return strings.HasPrefix(place, "/") && utf8.ValidString(place) && !strings.ContainsFunc(place, unicode.IsControl)
}
