package container

import (
	"bytes"
	"iter"

	"postern/observers/canary/layer"
)

const Markup layer.Technique = "markup"

// openMarkup yields the text between tags as one, with comments and tags removed,
// and the values of each attribute and of each element by name.
func openMarkup(w *work) {
	first := bytes.IndexByte(w.b, '<')
	if first < 0 || !mostlyText(w.b) {
		return
	}
	if !bytes.Contains(w.b, []byte("</")) && !bytes.Contains(w.b, []byte("/>")) && !bytes.Contains(w.b, []byte("<!--")) {
		return
	}
	m := &markup{names: map[string]int{}}
	for from, to := range tagged(w.b) {
		m.read(w.b[from:to])
		w.charge(to - from)
	}
	w.view(Markup, first, m.tight)
	w.view(Markup, first, m.lines)
	w.view(Markup, first, m.comments)
	m.c.show(w, Markup, first, true)
}

type markup struct {
	tight, lines, comments []byte
	names                  map[string]int
	c                      columns
	tag                    string // the last that was opened
}

const markupNames = 256 // columns at most

// farFromTags is how many bytes from any tag a text is none of a document, but
// stands there as it is.
const farFromTags = 4 << 10

// tagged yields the stretches of b in which tags or comments are, with what stands
// near them.
func tagged(b []byte) iter.Seq2[int, int] {
	return func(yield func(from, to int) bool) {
		from, last := 0, -1
		for at := range marksIn(b) {
			if last >= 0 && at-last > 2*farFromTags {
				if !yield(from, last+farFromTags) {
					return
				}
				last = -1
			}
			if last < 0 {
				from = max(0, at-farFromTags)
			}
			last = at
		}
		if last >= 0 {
			yield(from, min(len(b), last+farFromTags))
		}
	}
}

// marksIn yields where tags or comments begin, and where tags end that stand alone.
func marksIn(b []byte) iter.Seq[int] {
	return func(yield func(int) bool) {
		for at := 0; ; at++ {
			n := bytes.IndexAny(b[at:], "<>")
			if n < 0 {
				return
			}
			if at += n; isMark(b, at) && !yield(at) {
				return
			}
		}
	}
}

func isMark(b []byte, at int) bool {
	if b[at] == '>' {
		return at > 0 && b[at-1] == '/'
	}
	if at+1 == len(b) {
		return false
	}
	c := b[at+1]
	return c == '/' || c == '!' || c|0x20 >= 'a' && c|0x20 <= 'z'
}

func (m *markup) read(b []byte) {
	for len(b) > 0 {
		n := bytes.IndexByte(b, '<')
		if n < 0 {
			n = len(b)
		}
		m.text(b[:n])
		b = b[n:]
		switch {
		case len(b) == 0:
		case bytes.HasPrefix(b, []byte("<!--")):
			body, rest, _ := bytes.Cut(b[4:], []byte("-->"))
			m.comments = append(m.comments, bytes.TrimSpace(body)...)
			b = rest
		case bytes.HasPrefix(b, []byte("<![CDATA[")):
			body, rest, _ := bytes.Cut(b[9:], []byte("]]>"))
			m.text(body)
			b = rest
		default:
			b = m.element(b)
		}
	}
}

func (m *markup) text(b []byte) {
	if s := bytes.TrimSpace(b); len(s) > 0 {
		m.tight = append(m.tight, s...)
		m.lines = append(append(m.lines, s...), '\n')
		m.cell(m.tag, s)
	}
}

func (m *markup) cell(name string, v []byte) {
	col, ok := m.names[name]
	if !ok {
		if len(m.names) >= markupNames {
			return
		}
		col = len(m.names)
		m.names[name] = col
	}
	if m.c.next() {
		m.c.text(col, v)
	}
}

// element reads a tag up to its end, quotes counted in.
func (m *markup) element(b []byte) (rest []byte) {
	end := 1
	if len(b) > 1 && b[1] == '/' {
		end++
	}
	for end < len(b) && !bytes.ContainsRune([]byte(" \t\r\n/>"), rune(b[end])) {
		end++
	}
	m.tag = string(b[1:min(end, 64)])
	b = b[end:]
	if m.tag == "" {
		m.text([]byte("<"))
		return b
	}
	for len(b) > 0 && b[0] != '>' {
		n := bytes.IndexAny(b, "=>")
		if n < 0 {
			return nil
		}
		if b[n] == '>' {
			return b[n+1:]
		}
		name := bytes.Trim(b[:n], " \t\r\n/")
		b = bytes.TrimLeft(b[n+1:], " \t\r\n")
		if len(b) == 0 || b[0] != '"' && b[0] != '\'' {
			continue
		}
		n = bytes.IndexByte(b[1:], b[0])
		if n < 0 {
			return nil
		}
		m.cell(m.tag+" "+string(name[max(0, len(name)-64):]), b[1:1+n])
		b = b[n+2:]
	}
	return b[min(1, len(b)):]
}
