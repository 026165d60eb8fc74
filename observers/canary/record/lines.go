package record

import (
	"bytes"

	"postern/observers/canary/layer"
)

const (
	linesFewest  = 2
	tokensMost   = 64 // fields of a line that are columns
	thoroughMost = 64 << 10
)

func openLines(b []byte, room *layer.Room, yield func(layer.View) bool) {
	o := newOut("lines", len(b), room, yield)
	for w := range windows(b) {
		if o.over {
			return
		}
		if !textual(w.s) || len(b) > large && !looksLogged(w.s) {
			continue
		}
		lines := splitLines(w.s, '\n')
		plain := len(b) > thoroughMost && !looksLogged(w.s)
		if len(lines) >= linesFewest && !deriveLines(o, lines, w.off, len(b), plain) {
			return
		}
	}
}

// deriveLines takes the lines as records in several ways. The larger the
// whole, the fewer; plain ones are only read by their places.
func deriveLines(o *out, lines []line, base, whole int, plain bool) bool {
	if plain {
		t := edges(lines)
		if t.trim(); len(t.cols) > 0 {
			giveTurnsOf(o, t, nil, acrostics())
		}
		return !o.over
	}
	derive(o, func(yield func(*table) bool) {
		for _, list := range arrangements(lines, whole) {
			for _, t := range list() {
				t.shift(base)
				if !yield(t) {
					return
				}
			}
		}
	}, whole <= large)
	return !o.over
}

// arrangements are the ways to take lines as records, the plausible first, none
// of which is made before it is asked for.
func arrangements(lines []line, whole int) (all []func() []*table) {
	add := func(t *signs, literal func([]line) map[string]int) {
		all = append(all, func() []*table { return shapes(lines, t, literal(lines)) })
	}
	none := func([]line) map[string]int { return nil }
	add(words(), none)
	if whole <= large {
		add(words(), frequent)
		add(wide(), none)
		all = append(all, func() []*table { return []*table{edges(lines)} })
	}
	if whole <= thoroughMost {
		add(wide(), frequent)
		add(spaced(), none)
	}
	return all
}

func (t *table) shift(by int) {
	if by == 0 {
		return
	}
	for _, c := range t.cols {
		for i := range c {
			c[i].off += by
		}
	}
}

// shapes groups the lines that differ in their tokens only, or also have the
// same literal words.
func shapes(lines []line, t *signs, literal map[string]int) []*table {
	groups := newTables()
	for row, l := range lines {
		g := groups.get(shape(l.s, t, literal))
		n := 0
		for i := 0; i < len(l.s) && n < tokensMost; n++ {
			from, to := t.next(l.s, i)
			if from == len(l.s) {
				break
			}
			g.put(n, cell{row, l.off + from, l.s[from:to]})
			i = to
		}
	}
	return groups.list
}

// shape is a hash of what stands between the tokens, and of the literal words.
func shape(s []byte, t *signs, literal map[string]int) uint64 {
	h := uint64(hashSeed)
	for i := 0; i < len(s); {
		from, to := t.next(s, i)
		h = hash(h, squeeze(s[i:from]), false)
		h = (h ^ 0xff) * 1099511628211
		if literal != nil && literal[string(s[from:to])] > 1 {
			h = hash(h, s[from:to], false)
		}
		i = to
	}
	return h
}

// squeeze makes several spaces one, also beside other signs: a level or a number
// is often padded to a width.
func squeeze(s []byte) []byte {
	if !bytes.Contains(s, []byte("  ")) {
		return s
	}
	out := make([]byte, 0, len(s))
	for i, c := range s {
		if c != ' ' || i == 0 || s[i-1] != ' ' {
			out = append(out, c)
		}
	}
	return out
}

// frequent counts the words that can belong to a template: letters, not only
// hexadecimal ones.
func frequent(lines []line) map[string]int {
	t := words()
	count := map[string]int{}
	for _, l := range lines {
		for i := 0; i < len(l.s); {
			from, to := t.next(l.s, i)
			if w := l.s[from:to]; len(w) > 1 && len(w) < 24 && letters(w) && !isHex(w) {
				count[string(w)]++
			}
			i = to
		}
	}
	return count
}

func letters(b []byte) bool {
	for _, c := range b {
		if c < 'A' || c >= '0' && c <= '9' {
			return false
		}
	}
	return true
}

// edges has whole lines, their first three fields and their last two, whatever
// their shape.
func edges(lines []line) *table {
	t := &table{}
	for row, l := range lines {
		s := bytes.TrimSpace(l.s)
		if len(s) == 0 {
			continue
		}
		t.put(0, cell{row, l.off, s})
		parts := bytes.Fields(s)
		for k := range min(3, len(parts)) {
			t.put(1+k, cell{row, l.off, parts[k]})
		}
		for k := range min(2, len(parts)) {
			t.put(4+k, cell{row, l.off, parts[len(parts)-1-k]})
		}
	}
	return t
}
