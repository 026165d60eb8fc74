package record

import (
	"bytes"
	"html"
	"slices"

	"postern/observers/canary/layer"
)

const markupText layer.Technique = "markup-text"

// looksMarked wants closing tags in a fair part.
func looksMarked(b []byte) bool {
	marks, all := 0, 0
	sampled(b, func(s []byte) bool {
		all += len(s)
		marks += bytes.Count(s, []byte("</")) + bytes.Count(s, []byte("/>")) + bytes.Count(s, []byte("--"))
		return true
	})
	if len(b) < large/16 {
		return marks > 0 || bytes.IndexByte(b, '<') >= 0 && bytes.IndexByte(b, '>') >= 0
	}
	return marks*400 > all
}

// openMarkupText yields XML or HTML without its tags, and its comments alone.
func openMarkupText(b []byte, room *layer.Room, yield func(layer.View) bool) {
	if len(b) > 16*large || !looksMarked(b) || !textual(b) {
		return
	}
	o := newOut(markupText, len(b), room, yield)
	o.left = 2 * len(b)
	var text, comments []byte
	first := -1
	walk(b, func(t tag) {
		switch {
		case t.comment:
			comments = append(comments, bytes.TrimSpace(t.inside)...)
		case first < 0:
			first = t.from
		}
		text = append(text, t.after...)
	})
	if first >= 0 || len(comments) > 0 {
		o.give(0, []byte(html.UnescapeString(string(text))))
		o.give(0, comments)
	}
}

// tag is what stands between < and >, and the text up to the next.
type tag struct {
	from    int
	inside  []byte
	comment bool
	textAt  int
	after   []byte
}

// walk visits the tags; text before the first comes with an empty one.
func walk(b []byte, visit func(tag)) {
	end := tagStart(b, 0)
	t := tag{after: b[:end]}
	for visit(t); end < len(b); visit(t) {
		t = tag{from: end, comment: bytes.HasPrefix(b[end:], []byte("<!--"))}
		open, shut := 1, []byte(">")
		if t.comment {
			open, shut = 4, []byte("-->")
		}
		open = min(end+open, len(b))
		n := bytes.Index(b[open:], shut)
		if n < 0 {
			n, shut = len(b)-open, nil
		}
		t.inside = b[open : open+n]
		t.textAt = open + n + len(shut)
		end = tagStart(b, t.textAt)
		t.after = b[t.textAt:end]
	}
}

// tagStart is the next < that can open a tag.
func tagStart(b []byte, i int) int {
	for i < len(b) {
		n := bytes.IndexByte(b[i:], '<')
		if n < 0 {
			break
		}
		i += n
		if i+1 < len(b) && (b[i+1] == '/' || b[i+1] == '!' || b[i+1] == '?' || b[i+1]|32 >= 'a' && b[i+1]|32 <= 'z') {
			return i
		}
		i++
	}
	return len(b)
}

// openMarkup groups texts and attributes by their elements.
func openMarkup(b []byte, room *layer.Room, yield func(layer.View) bool) {
	if len(b) > large || !looksMarked(b) || !textual(b) {
		return
	}
	r := markupReader{}
	walk(b, r.tag)
	if len(r.leaves) > 1 {
		derive(newOut("markup", len(b), room, yield), slices.Values(leafTables(r.leaves, len(b) <= leavesMost)), true)
	}
}

type markupReader struct {
	leaves  []leaf
	parents []int // number of each open element
	n       int
}

func (r *markupReader) tag(t tag) {
	if t.comment {
		r.add([]byte("!"), t.from, []byte("!"), bytes.TrimSpace(t.inside))
		return
	}
	word := t.inside
	if i := bytes.IndexAny(word, " \t\r\n"); i >= 0 {
		word = word[:i]
	}
	if bytes.HasPrefix(word, []byte("/")) {
		r.parents = r.parents[:max(0, len(r.parents)-1)]
	} else {
		r.open(t, bytes.TrimRight(word, "/"))
	}
	if s := bytes.TrimSpace(t.after); len(s) > 0 {
		r.add(word, t.textAt, word, s)
	}
}

func (r *markupReader) open(t tag, word []byte) {
	r.n++
	if len(r.parents) < jsonDeepest {
		r.parents = append(r.parents, r.n)
	}
	for _, l := range attributes(t.inside) {
		r.add(word, t.from, l.key.val, l.val.val)
	}
	if bytes.HasSuffix(t.inside, []byte("/")) {
		r.parents = r.parents[:max(0, len(r.parents)-1)]
	}
}

// attributes are names with = and a value.
func attributes(inside []byte) []leaf {
	if bytes.IndexByte(inside, '=') < 0 {
		return nil
	}
	var list []leaf
	for i := 0; i < len(inside); {
		from, end := name(inside, i)
		if end < 0 {
			break
		}
		if inside[end] != '=' {
			i = end + 1
			continue
		}
		val, next := value(inside, end)
		list = append(list, leaf{key: cell{val: inside[from:end]}, val: val})
		i = max(next, end+1)
	}
	return list
}

// add counts the element as the inner record, and the one around it as the
// outer.
func (r *markupReader) add(element []byte, off int, key, val []byte) {
	inner, outer := r.n, 0
	if n := len(r.parents); n > 0 {
		inner = r.parents[n-1]
	}
	if n := len(r.parents); n > 1 {
		outer = r.parents[n-2]
	}
	parent := hash(hashSeed, element, true)
	r.leaves = append(r.leaves, leaf{class: hash(parent^'@', key, true), parent: parent,
		inner: inner, outer: outer, key: cell{off: off, val: key}, val: cell{off: off, val: val}})
}
