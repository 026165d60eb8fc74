package record

import (
	"bytes"
	"slices"

	"postern/observers/canary/layer"
)

// openQuoted joins what stands between marks: string literals, brackets,
// emphasis and comments, which is how sources and prose carry pieces.
func openQuoted(b []byte, room *layer.Room, yield func(layer.View) bool) {
	if len(b) > large || !textual(b) {
		return
	}
	o := newOut("quoted", len(b), room, yield)
	t := &table{}
	look := room.Look(b)
	for n, m := range marks() {
		if !look.Has(m[0][0]) {
			continue
		}
		between(b, m[0], m[1], func(off int, s []byte) { t.put(n, cell{off, off, s}) })
	}
	literals(b, func(off int, s []byte) { t.put(len(marks()), cell{off, off, s}) })
	var list []*table
	for _, c := range t.cols {
		list = append(list, &table{cols: []column{c}})
	}
	derive(o, slices.Values(list), len(b) <= thoroughMost)
	for _, sign := range []byte("+->") {
		if look.Has(sign) {
			o.give(0, linesMarked(b, sign))
		}
	}
}

func marks() [][2]string {
	return [][2]string{
		{`"`, `"`}, {`'`, `'`}, {"`", "`"}, {"(", ")"}, {"[", "]"}, {"{", "}"}, {"<", ">"},
		{"**", "**"}, {"*", "*"}, {"_", "_"}, {"~", "~"}, {"|", "|"}, {"/*", "*/"},
		{"//", "\n"}, {"#", "\n"}, {"--", "\n"}, {";", "\n"}, {"%", "\n"}, {"rem ", "\n"}, {"dnl ", "\n"},
		{">", "<"}, {"=", "\n"}, {":", "\n"}, {"'", "\n"},
	}
}

const betweenMost = 4096 // bytes from mark to mark

// between visits what stands between the marks, one line or comment at most.
func between(b []byte, open, shut string, visit func(int, []byte)) {
	for i := 0; i < len(b); {
		n := bytes.Index(b[i:], []byte(open))
		if n < 0 {
			return
		}
		i += n + len(open)
		rest := b[i:min(len(b), i+betweenMost)]
		if shut != "*/" {
			if end := bytes.IndexByte(rest, '\n'); end >= 0 {
				rest = rest[:min(len(rest), end+1)]
			}
		}
		end := bytes.Index(rest, []byte(shut))
		if end < 0 && shut == "\n" && i+len(rest) == len(b) {
			end = len(rest)
		}
		if end < 0 {
			i += len(rest)
			continue
		}
		visit(i, bytes.TrimSpace(rest[:end]))
		i += end + len(shut)
	}
}

// literals visits the strings of source text with either quote, escapes read.
func literals(b []byte, visit func(int, []byte)) {
	for i := 0; i < len(b); i++ {
		if q := b[i]; q == '"' || q == '\'' || q == '`' {
			end := i + 1
			for end < min(len(b), i+betweenMost) && b[end] != q && b[end] != '\n' {
				if b[end] == '\\' {
					end++
				}
				end++
			}
			if end < len(b) && b[end] == q {
				visit(i+1, unescaped(b[i+1:end]))
				i = end
			} else {
				i = end - 1
			}
		}
	}
}

// linesMarked joins the lines that begin with one sign, without it: the added
// or the removed ones of a difference, a quotation.
func linesMarked(b []byte, sign byte) []byte {
	var all []byte
	for _, l := range splitLines(b, '\n') {
		if l.s[0] == sign {
			all = append(all, bytes.TrimLeft(l.s, string([]byte{sign, ' '}))...)
		}
	}
	return all
}
