package dress

import (
	"bytes"
	"slices"
	"strings"
)

const (
	styles    = 16 // that a text may switch between
	longTag   = 128
	deepMarks = 8
)

// styled is a text whose characters each have a style.
type styled struct {
	text  []byte
	style []int // of each byte
	names map[string]int
}

// markup reads the style of each character as a symbol, and joins the text of
// each style. Styles are open tags, terminal colours and Markdown's marks.
func markup(b []byte, s *sink) {
	windows(b, s, func(offset int, text []byte) {
		for _, read := range []struct {
			mark  string
			style func([]byte) styled
		}{{"<", tagged}, {"\x1b[", coloured}, {"*", starred}, {"_", starred}, {"`", starred}} {
			if bytes.Count(text, []byte(read.mark)) >= shortest {
				s.styles(offset, read.style(text))
			}
		}
	})
}

func (s *sink) styles(offset int, t styled) {
	if len(t.names) < 2 || len(t.names) > styles {
		return
	}
	var all, letters, words []int
	in := false
	for i, c := range t.text {
		if c <= ' ' {
			in = false
			continue
		}
		all = append(all, t.style[i])
		if alnum(c) {
			letters = append(letters, t.style[i])
		}
		if !in {
			words = append(words, t.style[i])
		}
		in = true
	}
	s.symbols(offset, all)
	s.symbols(offset, letters)
	s.symbols(offset, words)
	s.symbols(offset, t.style)
	for style := range min(len(t.names), shortest) {
		var part []byte
		for i, c := range t.text {
			if t.style[i] == style {
				part = append(part, c)
			}
		}
		s.put(offset, part)
	}
}

func (t *styled) add(c byte, style string) {
	id, have := t.names[style]
	if !have {
		if id = len(t.names); id <= styles {
			t.names[style] = id
		}
	}
	t.text, t.style = append(t.text, c), append(t.style, id)
}

// tagged reads tags between < and >: a closing one ends what it names.
func tagged(b []byte) styled {
	t := styled{names: map[string]int{}}
	var open []string
	style := ""
	for i := 0; i < len(b); i++ {
		end := -1
		if b[i] == '<' {
			end = bytes.IndexByte(b[i:min(i+longTag, len(b))], '>')
		}
		if end < 2 {
			t.add(b[i], style)
			continue
		}
		tag := string(b[i+1 : i+end])
		open = nested(open, tag)
		style, i = strings.Join(open, " "), i+end
	}
	return t
}

func nested(open []string, tag string) []string {
	if name, closes := strings.CutPrefix(tag, "/"); closes {
		for i := len(open) - 1; i >= 0; i-- {
			if strings.HasPrefix(open[i], name) {
				return open[:i]
			}
		}
		return open
	}
	if strings.HasSuffix(tag, "/") || len(open) == deepMarks {
		return open
	}
	return append(slices.Clip(open), tag)
}

// coloured reads the terminal's control sequences that end in m.
func coloured(b []byte) styled {
	t := styled{names: map[string]int{}}
	style := ""
	for i := 0; i < len(b); i++ {
		if b[i] == 0x1b && i+1 < len(b) && b[i+1] == '[' {
			n := 2
			for i+n < len(b) && n < longTag && (b[i+n] < '@' || b[i+n] > '~') {
				n++
			}
			if i+n < len(b) && b[i+n] == 'm' {
				style = string(b[i+2 : i+n])
			}
			if style == "0" || style == "39" || style == "39;49" || style == "22" {
				style = ""
			}
			i += n
			continue
		}
		t.add(b[i], style)
	}
	return t
}

// starred reads Markdown's marks, each of which starts or ends a style.
func starred(b []byte) styled {
	t := styled{names: map[string]int{}}
	on := map[string]bool{}
	style := ""
	for i := 0; i < len(b); i++ {
		c := b[i]
		if c != '*' && c != '_' && c != '`' && c != '~' {
			t.add(c, style)
			continue
		}
		n := 1
		for n < 3 && i+n < len(b) && b[i+n] == c {
			n++
		}
		mark := string(b[i : i+n])
		on[mark] = !on[mark]
		var open []string
		for m, is := range on {
			if is {
				open = append(open, m)
			}
		}
		slices.Sort(open)
		style, i = strings.Join(open, ""), i+n-1
	}
	return t
}
