package text

import (
	"bytes"

	"postern/observers/canary/layer"
)

const (
	around  = 96  // bytes kept on each side of an escape
	cluster = 192 // bytes between escapes that are undone in one view
)

// undo reads one escape at b[i], whose byte is the mark. It appends what the
// escape means and returns its length, or 0 where there is none. Telling is
// false for an escape so common that it is worth no view by itself.
type undo func(dst, b []byte, i int) (out []byte, n int, telling bool)

type escape struct {
	technique layer.Technique
	mark      byte
	undo      undo
}

var escapes = []escape{
	{"percent", '%', undoPercent},
	{"backslash", '\\', undoBackslash},
	{"entity", '&', undoEntity},
	{"quoted-printable", '=', undoQuoted},
	{"utf-7", '+', undoUTF7},
	{"utf-7-imap", '&', undoIMAP},
	{"xml-name", '_', undoXMLName},
	{"tags", '<', undoTags},
	{"cdata", ']', undoCDATA},
	{"ansi", 0x1b, undoANSI},
}

// openEscapes undoes each kind of escape in the neighbourhood of its marks.
func openEscapes(b []byte, room *layer.Room, yield func(layer.View) bool) {
	o := &out{room: room, yield: yield}
	look := room.Look(b)
	for _, e := range escapes {
		if look.Has(e.mark) {
			o.unescape(b, e)
		}
	}
	if look.Has('?') {
		o.mimeWords(b)
	}
	if look.Has('*') {
		o.parameters(b)
	}
	if look.Has('x') && look.Has('-') {
		o.punycode(b)
	}
	if look.Count(' ') >= fewNames && look.Count('T')+look.Count('t') >= fewNames {
		o.characterNames(b)
	}
	o.flush()
}

// stretch is a part of the input in which escapes are undone.
type stretch struct {
	undone  []byte
	from    int // where it begins, or -1
	to      int // what is undone
	telling bool
}

// unescape yields the stretches of b that have telling escapes, undone.
func (o *out) unescape(b []byte, e escape) {
	s := stretch{from: -1}
	var scratch [256]byte
	for i := 0; !o.ended; {
		k := bytes.IndexByte(b[i:], e.mark)
		if k < 0 {
			break
		}
		i += k
		if s.from >= 0 && i-s.to > cluster {
			o.endStretch(b, e, &s)
		}
		meant, n, tells := e.undo(scratch[:0], b, i)
		if n == 0 || !inText(b, i, i+n, e.mark) {
			i++
			continue
		}
		if s.from < 0 {
			s.from = textBefore(b, i, max(s.to, i-around))
			s.to = s.from
		}
		s.undone = append(append(s.undone, b[s.to:i]...), meant...)
		i += n
		s.to, s.telling = i, s.telling || tells
	}
	o.endStretch(b, e, &s)
}

func (o *out) endStretch(b []byte, e escape, s *stretch) {
	if s.from >= 0 && s.telling {
		d := append(s.undone, b[s.to:textAfter(b, s.to)]...)
		o.offer(e.technique, s.from, append([]byte(nil), d...))
	}
	s.undone, s.from, s.telling = s.undone[:0], -1, false
}

// inText reports whether text stands on both sides of from to.
func inText(b []byte, from, to int, mark byte) bool {
	return (from == 0 || textBytes[b[from-1]]) && (to >= len(b) || textBytes[b[to]] || b[to] == mark)
}

// textBefore returns where the text before i begins, not before low.
func textBefore(b []byte, i, low int) int {
	for i > low && textBytes[b[i-1]] {
		i--
	}
	return i
}

// textAfter returns where the text from i on ends, or what is kept of it.
func textAfter(b []byte, i int) int {
	end := min(len(b), i+around)
	for i < end && textBytes[b[i]] {
		i++
	}
	return i
}

func hexPair(b []byte, i int) (byte, bool) {
	if i+1 >= len(b) || !isHex(b[i]) || !isHex(b[i+1]) {
		return 0, false
	}
	return byte(hexAlphabet[b[i]])<<4 | byte(hexAlphabet[b[i+1]]), true
}

// number reads up to most digits of the base from i on.
func number(b []byte, i, most int, base int) (v rune, n int) {
	for n < most && i+n < len(b) {
		d := int(base36[0].alphabet[b[i+n]])
		if d < 0 || d >= base {
			break
		}
		v = v*rune(base) + rune(d)
		n++
	}
	return v, n
}

// undoPercent also reads the %uXXXX of old scripts.
func undoPercent(dst, b []byte, i int) ([]byte, int, bool) {
	if i+5 < len(b) && b[i+1]|0x20 == 'u' {
		if v, n := number(b, i+2, 4, 16); n == 4 {
			return appendRune(dst, v), 6, true
		}
	}
	c, ok := hexPair(b, i+1)
	if !ok {
		return dst, 0, false
	}
	return append(dst, c), 3, c != ' ' && c != '/' && c != ':'
}

// undoQuoted reads quoted-printable: an escaped byte, or the soft end of a line.
func undoQuoted(dst, b []byte, i int) ([]byte, int, bool) {
	if c, ok := hexPair(b, i+1); ok {
		adjacent := i+3 < len(b) && b[i+3] == '=' || i > 2 && b[i-3] == '='
		return append(dst, c), 3, adjacent || c > ' ' && c < 127 && !named(b, i)
	}
	n := i + 1
	for n < len(b) && n < i+8 && (b[n] == ' ' || b[n] == '\t' || b[n] == '\r') {
		n++
	}
	if n < len(b) && b[n] == '\n' && i > 0 && b[i-1] > ' ' {
		return dst, n + 1 - i, true
	}
	return dst, 0, false
}

// named reports whether a word stands before i, as in bytes=512.
func named(b []byte, i int) bool {
	letters, hex := 0, 0
	for k := i - 1; k >= 0 && i-k < 16 && (isAlnum(b[k]) || b[k] == '_'); k-- {
		letters++
		if isHex(b[k]) {
			hex++
		}
	}
	return letters == 0 || hex < letters
}

// undoXMLName reads the _x0041_ of names in XML and in spreadsheets.
func undoXMLName(dst, b []byte, i int) ([]byte, int, bool) {
	if i+6 >= len(b) || b[i+1]|0x20 != 'x' || b[i+6] != '_' {
		return dst, 0, false
	}
	v, n := number(b, i+2, 4, 16)
	if n != 4 {
		return dst, 0, false
	}
	return appendRune(dst, v), 7, true
}

// undoTags removes comments and tags from between the parts of a text.
func undoTags(dst, b []byte, i int) ([]byte, int, bool) {
	n := 0
	for n < cluster {
		k := tag(b[i+n : min(len(b), i+n+cluster)])
		if k == 0 {
			break
		}
		n += k
	}
	return dst, n, n > 0 && glued(b, i, i+n)
}

// tag returns the length of the tag or comment that b begins with.
func tag(b []byte) int {
	end, most := ">", 64
	if bytes.HasPrefix(b, []byte("<!--")) {
		end, most = "-->", cluster
	} else if len(b) < 3 || b[0] != '<' || isSpace(b[1]) {
		return 0
	}
	n := bytes.Index(b[1:min(len(b), most)], []byte(end))
	if n < 0 {
		return 0
	}
	return 1 + n + len(end)
}

// undoCDATA joins sections of it.
func undoCDATA(dst, b []byte, i int) ([]byte, int, bool) {
	const between = "]]><![CDATA["
	if !bytes.HasPrefix(b[i:], []byte(between)) {
		return dst, 0, false
	}
	return dst, len(between), true
}

// glued reports whether letters and figures meet where from to is removed.
func glued(b []byte, from, to int) bool {
	return from > 1 && to+1 < len(b) && isAlnum(b[from-1]) && isAlnum(b[from-2]) && isAlnum(b[to]) && isAlnum(b[to+1])
}

// undoANSI removes the escape sequences of terminals.
func undoANSI(dst, b []byte, i int) ([]byte, int, bool) {
	if i+1 >= len(b) || b[i+1] != '[' {
		return dst, 0, false
	}
	for n := i + 2; n < len(b) && n < i+24; n++ {
		if b[n] >= '@' && b[n] <= '~' {
			return dst, n + 1 - i, true
		}
	}
	return dst, 0, false
}
