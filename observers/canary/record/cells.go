package record

import (
	"bytes"
	"slices"

	"postern/observers/canary/layer"
)

// openCells takes text as a table with separators, and as records that end
// otherwise than with a line.
func openCells(b []byte, room *layer.Room, yield func(layer.View) bool) {
	if len(b) > large || !textualOrListed(b) {
		return
	}
	o := newOut("cells", len(b), room, yield)
	lines := splitLines(b, '\n')
	var list []*table
	look := room.Look(b)
	for _, sep := range []byte(",;\t|") {
		if n := look.Count(sep); n >= linesFewest && n >= len(lines)/2 {
			list = append(list, separated(lines, sep)...)
		}
	}
	derive(o, slices.Values(list), true)
	if len(b) > thoroughMost {
		return
	}
	for _, sep := range []byte("\x00;,&|)}]\x1e\x1f\r ") {
		n := look.Count(sep)
		if n < linesFewest || n*256 < len(b) || o.over || sep == ' ' && len(lines) > 1 {
			continue
		}
		deriveLines(o, splitLines(b, sep), 0, max(len(b), thoroughMost+1), false)
	}
}

// textualOrListed allows NUL bytes between names.
func textualOrListed(b []byte) bool {
	return textual(b) || len(b) < thoroughMost && textual(bytes.ReplaceAll(b, []byte{0}, []byte{'\n'}))
}

// separated groups the lines by their number of cells.
func separated(lines []line, sep byte) []*table {
	groups := newTables()
	for row, l := range lines {
		cells := splitCells(l.s, sep)
		if len(cells) < 2 {
			continue
		}
		g := groups.get(uint64(len(cells)))
		for n, c := range cells[:min(len(cells), tokensMost)] {
			g.put(n, cell{row, l.off + c.off, c.s})
		}
	}
	return groups.list
}

// splitCells honours double quotes, and leaves them and outer spaces out
// (RFC 4180).
func splitCells(s []byte, sep byte) []line {
	var cells []line
	from, quoted := 0, false
	for i := 0; i <= len(s); i++ {
		switch {
		case i < len(s) && s[i] == '"':
			quoted = !quoted
		case i == len(s) || s[i] == sep && !quoted:
			cells = append(cells, line{from, bytes.Trim(s[from:i], " \"")})
			from = i + 1
		}
	}
	return cells
}
