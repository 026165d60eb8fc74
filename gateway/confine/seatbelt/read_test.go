package seatbelt

import (
	"errors"
	"strings"
)

// A reader of the dialect, as much of it as is written here: lists, words,
// strings, and remarks to the end of their line. What a text means is told by
// this, not by comparing it with what wrote it.

// node is a list, a word or a string.
type node struct {
	list   []node
	word   string
	value  string // of a string
	isList bool
	quoted bool
}

var errText = errors.New("no text of the dialect")

// read takes a text apart. It fails where a list or a string does not end.
func read(text string) ([]node, error) {
	var open [][]node
	var all []node
	for len(text) > 0 {
		c := text[0]
		text = text[1:]
		switch c {
		case ' ', '\n':
		case ';':
			_, text, _ = strings.Cut(text, "\n")
		case '(':
			open, all = append(open, all), nil
		case ')':
			if len(open) == 0 {
				return nil, errText
			}
			list := node{list: all, isList: true}
			all = append(open[len(open)-1], list)
			open = open[:len(open)-1]
		case '"':
			value, rest, err := readString(text)
			if err != nil {
				return nil, err
			}
			all, text = append(all, node{value: value, quoted: true}), rest
		default:
			end := strings.IndexAny(text, " \n();\"")
			if end < 0 {
				return nil, errText
			}
			all, text = append(all, node{word: string(c) + text[:end]}), text[end:]
		}
	}
	if len(open) > 0 {
		return nil, errText
	}
	return all, nil
}

// readString reads to the quote that ends a string. Only the two escapes that are
// written are known: any other may mean anything.
func readString(text string) (value, rest string, err error) {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '"':
			return b.String(), text[i+1:], nil
		case '\\':
			if i++; i == len(text) || text[i] != '"' && text[i] != '\\' {
				return "", "", errText
			}
			b.WriteByte(text[i])
		default:
			b.WriteByte(c)
		}
	}
	return "", "", errText
}

// clause is one rule of a text, for one action.
type clause struct {
	allow   bool
	action  string // may end in a star
	filters []filter
}

type filter struct{ kind, value string }

// clauses are the rules of a text, after its version and its default.
func clauses(text string) ([]clause, error) {
	forms, err := read(text)
	if err != nil {
		return nil, err
	}
	if len(forms) < 2 || !strings.HasPrefix(text, "(version 1)\n(deny default)\n") {
		return nil, errText
	}
	var all []clause
	for _, f := range forms[2:] {
		if !f.isList || len(f.list) < 2 || f.list[0].word != "allow" && f.list[0].word != "deny" {
			return nil, errText
		}
		var actions []string
		var filters []filter
		for _, n := range f.list[1:] {
			switch {
			case n.isList:
				words := ""
				value := ""
				for i, part := range n.list {
					switch {
					case part.isList, part.quoted && i != len(n.list)-1:
						return nil, errText
					case part.quoted:
						value = part.value
					default:
						words += " " + part.word
					}
				}
				filters = append(filters, filter{strings.TrimPrefix(words, " "), value})
			case n.quoted || len(filters) > 0:
				return nil, errText
			default:
				actions = append(actions, n.word)
			}
		}
		for _, a := range actions {
			all = append(all, clause{f.list[0].word == "allow", a, filters})
		}
	}
	return all, nil
}

// permits is what the last rule that fits says; without any, it is denied.
func permits(all []clause, action, kind, value string) bool {
	permitted := false
	for _, c := range all {
		if c.fits(action, kind, value) {
			permitted = c.allow
		}
	}
	return permitted
}

func (c clause) fits(action, kind, value string) bool {
	if tree, is := strings.CutSuffix(c.action, "*"); c.action != action && (!is || !strings.HasPrefix(action, tree)) {
		return false
	}
	if len(c.filters) == 0 {
		return true
	}
	for _, f := range c.filters {
		switch {
		case kind == "path" && f.kind == "literal" && f.value == value,
			kind == "path" && f.kind == "subpath" && (f.value == value || strings.HasPrefix(value, strings.TrimSuffix(f.value, "/")+"/")),
			kind == "name" && f.kind == "sysctl-name-prefix" && strings.HasPrefix(value, f.value),
			kind == f.kind && f.value == value:
			return true
		}
	}
	return false
}
