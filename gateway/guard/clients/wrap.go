package clients

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"postern/gateway/guard"
)

// Wrap is the bytes with the guard's program in place of what the servers
// start, which goes behind the markers, letter for letter. The keys of with are
// indices of Servers that are neither wrapped nor left alone.
func (d *Document) Wrap(program string, with map[int]guard.Wrapped) []byte {
	var edits []edit
	for i, w := range with {
		s := d.Servers[i]
		edits = append(edits, edit{s.program, quote(program)})
		inserted := quoted(w.Markers()) + ", " + string(d.raw[s.program.from:s.program.to])
		switch {
		case !s.Listed:
			edits = append(edits, edit{span{s.program.to, s.program.to}, `, "args": [` + inserted + `]`})
		case len(s.Args) == 0:
			edits = append(edits, edit{span{s.first, s.first}, inserted})
		default:
			edits = append(edits, edit{span{s.first, s.first}, inserted + ", "})
		}
	}
	return d.apply(edits)
}

// Unwrap is the bytes with what the servers started before. The indices are of
// Servers that are wrapped, and not left alone.
func (d *Document) Unwrap(which []int) []byte {
	var edits []edit
	for _, i := range which {
		s := d.Servers[i]
		inner := len(s.Args) - len(s.Inner.Command) // the index of the program that was there
		edits = append(edits, edit{s.program, s.literals[inner]})
		switch last := inner == len(s.Args)-1; {
		case last && s.Inner.Unlisted() && s.nextTo:
			edits = append(edits, edit{span{s.program.to, s.args.to}, ""})
		case last && s.trailing: // somebody formatted the list; a comma alone is no list
			edits = append(edits, edit{span{s.first, s.args.to - 1}, ""})
		case last:
			edits = append(edits, edit{span{s.first, s.elements[inner].to}, ""})
		default:
			edits = append(edits, edit{span{s.first, s.elements[inner+1].from}, ""})
		}
	}
	return d.apply(edits)
}

// edit puts a text in place of a part of the bytes.
type edit struct {
	span
	text string
}

func (d *Document) apply(edits []edit) []byte {
	slices.SortStableFunc(edits, func(a, b edit) int { return a.from - b.from })
	var out []byte
	at := 0
	for _, e := range edits {
		out = append(append(out, d.raw[at:e.from]...), e.text...)
		at = e.to
	}
	return append(out, d.raw[at:]...)
}

func quoted(words []string) string {
	all := make([]string, len(words))
	for i, w := range words {
		all[i] = quote(w)
	}
	return strings.Join(all, ", ")
}

// quote is a string in JSON. What is no Unicode cannot come out of a file that
// was parsed.
func quote(s string) string {
	q, _ := jsontext.AppendQuote(nil, s)
	return string(q)
}
