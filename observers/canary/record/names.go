package record

import (
	"bytes"
	"slices"

	"postern/observers/canary/layer"
)

// openNames takes a list of paths, by lines or NUL bytes, apart: stems,
// extensions and each folder, to be sorted by name and by number.
func openNames(b []byte, room *layer.Room, yield func(layer.View) bool) {
	if len(b) > large {
		return
	}
	sep := byte('\n')
	if bytes.IndexByte(b, 0) >= 0 && len(b) < thoroughMost {
		sep = 0
	}
	lines := splitLines(b, sep)
	if len(lines) < linesFewest || !listed(lines) {
		return
	}
	whole, stems, parts := &table{}, &table{}, &table{}
	for row, l := range lines {
		whole.put(0, cell{row, l.off, l.s})
		putStem(stems, row, l)
		for n, p := range bytes.Split(bytes.Trim(l.s, "/"), []byte{'/'}) {
			if n < tokensMost {
				parts.put(n, cell{row, l.off, p})
			}
		}
	}
	derive(newOut("names", len(b), room, yield), slices.Values([]*table{stems, parts, whole}), true)
}

// putStem adds the base name whole, without its extension, and the extension;
// the whole name is there to sort by.
func putStem(t *table, row int, l line) {
	base := l.s[bytes.LastIndexByte(l.s, '/')+1:]
	dot := bytes.LastIndexByte(base, '.')
	if dot < 0 {
		dot = len(base)
	}
	t.put(0, cell{row, l.off, base[:dot]})
	t.put(1, cell{row, l.off, base[min(dot+1, len(base)):]})
	t.put(2, cell{row, l.off, l.s})
}

// listed reports whether nearly all lines are short and have no space.
func listed(lines []line) bool {
	odd := 0
	for _, l := range lines {
		if len(l.s) > 255 || bytes.IndexByte(bytes.TrimSpace(l.s), ' ') >= 0 {
			odd++
		}
	}
	return odd*4 <= len(lines)
}
