package record

import (
	"bytes"
	"slices"

	"postern/observers/canary/layer"
)

// openPairs groups what has a name before it: key=value and key: value, in
// logs, settings, queries, cookies and headers.
func openPairs(b []byte, room *layer.Room, yield func(layer.View) bool) {
	o := newOut("pairs", len(b), room, yield)
	for w := range windows(b) {
		if o.over {
			return
		}
		if !textual(w.s) || len(b) > large && !looksLogged(w.s) {
			continue
		}
		leaves := pairs(w.s)
		for i := range leaves {
			leaves[i].key.off += w.off
			leaves[i].val.off += w.off
		}
		if len(leaves) > 1 {
			derive(o, slices.Values(leafTables(leaves, len(b) <= leavesMost)), len(b) <= large)
		}
	}
}

// pairs finds names that end with = or :, and their values. Inner records are
// lines, outer ones end with a blank line or before a name comes again.
func pairs(b []byte) []leaf {
	var leaves []leaf
	inner, outer, seen := 0, 0, 0
	within := map[uint64]bool{}
	for i := 0; i < len(b); {
		from, end := name(b, i)
		if end < 0 {
			break
		}
		breaks := bytes.Count(b[seen:end], []byte{'\n'})
		inner += breaks
		if breaks > 1 && blank(b[seen:end]) {
			outer++
		}
		seen = end
		val, next := value(b, end)
		if len(val.val) > 0 {
			class := hash(hashSeed, b[from:end], true)
			if within[class] {
				outer++
				clear(within)
			}
			within[class] = true
			leaves = append(leaves, leaf{class: class, parent: uint64(outer), inner: inner, outer: outer,
				key: cell{off: from, val: b[from:end]}, val: val})
		}
		i = max(next, end+1)
	}
	return leaves
}

func blank(b []byte) bool {
	return bytes.Contains(b, []byte("\n\n")) || bytes.Contains(b, []byte("\n\r\n"))
}

// name is the next one that = or : follows; end is -1 where there is none.
func name(b []byte, i int) (from, end int) {
	for ; i < len(b); i++ {
		if b[i] != '=' && b[i] != ':' {
			continue
		}
		end = i
		for end > 0 && (b[end-1] == '"' || b[end-1] == '\'' || b[end-1] == ' ') && i-end < 3 {
			end--
		}
		from = end
		for from > 0 && end-from < 48 && nameSign(b[from-1]) {
			from--
		}
		if from < end {
			return from, i
		}
	}
	return 0, -1
}

func nameSign(c byte) bool { return alnum(c) || c == '_' || c == '-' || c == '.' }

// value stands after the sign at i: quoted, or up to a space or separator; in a
// line with nothing else, the whole rest.
func value(b []byte, i int) (cell, int) {
	i++
	for i < len(b) && (b[i] == ' ' || b[i] == '\t' || b[i] == '>') {
		i++
	}
	if i < len(b) && (b[i] == '"' || b[i] == '\'') {
		if n := bytes.IndexByte(b[i+1:min(len(b), i+4096)], b[i]); n >= 0 {
			return cell{off: i + 1, val: b[i+1 : i+1+n]}, i + n + 2
		}
	}
	end := i
	for end < len(b) && b[end] > ' ' && bytes.IndexByte([]byte("&;,)}]\"'<?"), b[end]) < 0 {
		end++
	}
	return cell{off: i, val: b[i:end]}, end
}
