package record

import (
	"bytes"
	"slices"
	"strconv"
	"unicode/utf8"

	"postern/observers/canary/layer"
)

const jsonDeepest = 64

// openJSON yields the leaves of JSON documents and lines, by path.
func openJSON(b []byte, room *layer.Room, yield func(layer.View) bool) {
	o := newOut("json-leaves", len(b), room, yield)
	for w := range windows(b) {
		if o.over {
			return
		}
		if !looksJSON(w.s) || !textual(w.s) {
			continue
		}
		r := jsonReader{b: w.s, base: w.off}
		r.read()
		if len(r.leaves) > 1 {
			derive(o, slices.Values(leafTables(r.leaves, len(b) <= leavesMost)), len(b) <= large)
		}
	}
}

// looksJSON wants quotes beside colons, commas or brackets in a fair part.
func looksJSON(b []byte) bool {
	marks, all := 0, 0
	sampled(b, func(s []byte) bool {
		all += len(s)
		marks += bytes.Count(s, []byte(`":`)) + bytes.Count(s, []byte(`",`)) + bytes.Count(s, []byte("},"))
		marks += bytes.Count(s, []byte(`" :`)) + bytes.Count(s, []byte(`"]`))
		return true
	})
	if len(b) < large/16 {
		return marks > 0 || bytes.IndexByte(b, '[') >= 0 && bytes.IndexByte(b, ',') >= 0
	}
	return marks*200 > all
}

// level is one open object or array.
type level struct {
	path  uint64
	array bool
	key   cell
	row   int
}

// jsonReader walks over whatever JSON there is, broken documents included.
type jsonReader struct {
	b      []byte
	base   int
	stack  []level
	leaves []leaf
	rows   int
	outer  int
}

func (r *jsonReader) read() {
	for i := 0; i < len(r.b); {
		switch c := r.b[i]; c {
		case '{', '[':
			r.push(c == '[')
			i++
		case '}', ']':
			r.stack = r.stack[:max(0, len(r.stack)-1)]
			i++
		case '"':
			i = r.text(i)
		case '\n':
			if len(r.stack) == 0 {
				r.outer++
			}
			i++
		case ' ', ',', ':', '\t', '\r':
			i++
		default:
			i = r.bareword(i)
		}
	}
}

func (r *jsonReader) push(array bool) {
	if len(r.stack) >= jsonDeepest {
		r.stack = r.stack[:0]
	}
	l := level{path: hashSeed, array: array, row: r.outer}
	if n := len(r.stack); n > 0 {
		above := r.stack[n-1]
		l.path = hash(above.path^'/', above.key.val, true)
		l.row = above.row
	}
	if n := len(r.stack); n == 0 || r.stack[n-1].array {
		r.rows++
		l.row = r.rows
		if n < 2 || !r.arrayAbove(n-1) {
			r.outer++
		}
	}
	r.stack = append(r.stack, l)
}

// arrayAbove reports whether an array holds the one at level n.
func (r *jsonReader) arrayAbove(n int) bool {
	for _, l := range r.stack[:n] {
		if l.array {
			return true
		}
	}
	return false
}

// text takes the string at i, as a key where a colon follows.
func (r *jsonReader) text(i int) int {
	end := i + 1
	for end < len(r.b) && r.b[end] != '"' {
		if r.b[end] == '\\' {
			end++
		}
		end++
	}
	end = min(end, len(r.b))
	c := cell{off: r.base + i + 1, val: unescaped(r.b[min(i+1, end):end])}
	next := end + 1
	for next < len(r.b) && r.b[next] == ' ' {
		next++
	}
	if n := len(r.stack); n > 0 && !r.stack[n-1].array && next < len(r.b) && r.b[next] == ':' {
		r.stack[n-1].key = c
		return next + 1
	}
	r.leaf(c)
	return end + 1
}

func (r *jsonReader) bareword(i int) int {
	end := i + 1
	for end < len(r.b) && bytes.IndexByte([]byte(",:{}[]\" \t\r\n"), r.b[end]) < 0 {
		end++
	}
	r.leaf(cell{off: r.base + i, val: r.b[i:end]})
	return end
}

func (r *jsonReader) leaf(c cell) {
	n := len(r.stack)
	if n == 0 || len(c.val) == 0 {
		return
	}
	top := r.stack[n-1]
	r.leaves = append(r.leaves, leaf{class: hash(top.path^'.', top.key.val, true), parent: top.path,
		inner: top.row, outer: r.outer, key: top.key, val: c})
}

// unescaped is a JSON string's content; what is no escape stays (RFC 8259).
func unescaped(s []byte) []byte {
	if bytes.IndexByte(s, '\\') < 0 {
		return s
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b = append(b, s[i])
			continue
		}
		i++
		switch c := s[i]; c {
		case 'n':
			b = append(b, '\n')
		case 't':
			b = append(b, '\t')
		case 'r':
			b = append(b, '\r')
		case 'b':
			b = append(b, '\b')
		case 'f':
			b = append(b, '\f')
		case 'u':
			r, n := codePoint(s[i+1:])
			b = utf8.AppendRune(b, r)
			i += n
		default:
			b = append(b, c)
		}
	}
	return b
}

// codePoint reads four hexadecimal digits, and a low surrogate after a high one.
func codePoint(s []byte) (rune, int) {
	if len(s) < 4 {
		return 'u', 0
	}
	n, err := strconv.ParseUint(string(s[:4]), 16, 32)
	if err != nil {
		return 'u', 0
	}
	if n>>10 == 0x36 && len(s) >= 10 && s[4] == '\\' && s[5] == 'u' {
		if low, err := strconv.ParseUint(string(s[6:10]), 16, 32); err == nil && low>>10 == 0x37 {
			return rune(0x10000 + (n-0xd800)<<10 + (low - 0xdc00)), 10
		}
	}
	return rune(n), 4
}
