package text

import (
	"bytes"
	"net/url"
	"sort"
	"strings"

	"golang.org/x/net/idna"
)

// mimeWords decodes the encoded words of RFC 2047; neighbours are one text.
func (o *out) mimeWords(b []byte) {
	var text []byte
	start, end := 0, -1
	for i := 0; !o.ended; {
		k := bytes.Index(b[i:], []byte("=?"))
		if k < 0 {
			break
		}
		i += k
		word, n := mimeWord(b[i:min(len(b), i+1024)])
		if n == 0 {
			i += 2
			continue
		}
		if end < 0 || len(bytes.TrimSpace(b[end:i])) > 0 {
			o.offer("mime-word", start, text)
			text, start = nil, i
		}
		text = append(text, word...)
		i += n
		end = i
	}
	o.offer("mime-word", start, text)
}

func mimeWord(b []byte) (text []byte, n int) {
	parts := bytes.SplitN(b, []byte("?"), 5)
	if len(parts) < 5 || len(parts[1]) > 64 || len(parts[2]) != 1 || !bytes.HasPrefix(parts[4], []byte("=")) {
		return nil, 0
	}
	n = 2 + len(parts[1]) + 3 + len(parts[3]) + 2
	if parts[2][0]|0x20 == 'b' {
		return pack(nil, parts[3], base64Alphabet, 6), n
	}
	for i := 0; i < len(parts[3]); i++ {
		c := parts[3][i]
		if v, ok := hexPair(parts[3], i+1); ok && c == '=' {
			c = v
			i += 2
		} else if c == '_' {
			c = ' '
		}
		text = append(text, c)
	}
	return text, n
}

// parameters joins the continued parameters of RFC 2231, in the order of their
// numbers, and decodes them.
func (o *out) parameters(b []byte) {
	parts := map[string][]parameter{}
	var names []string
	for i := 0; len(names) < 1024 && i < len(b); i++ {
		k := bytes.IndexByte(b[i:], '*')
		if k < 0 {
			break
		}
		i += k
		name, p, ok := continued(b, i)
		if !ok {
			continue
		}
		if parts[name] == nil {
			names = append(names, name)
		}
		parts[name] = append(parts[name], p)
		i = p.end - 1
	}
	for _, name := range names {
		o.parameter(parts[name])
	}
}

// continued reads the parameter whose number follows the star at i.
func continued(b []byte, i int) (name string, p parameter, ok bool) {
	index, n := number(b, i+1, 4, 10)
	at := i + 1 + n
	if at < len(b) && b[at] == '*' {
		at++
	}
	from := i
	for from > 0 && i-from < 40 && (isAlnum(b[from-1]) || b[from-1] == '-' || b[from-1] == '_') {
		from--
	}
	if n == 0 || from == i || at >= len(b) || b[at] != '=' {
		return "", p, false
	}
	value := b[at+1 : min(len(b), at+1+512)]
	ends := "; \t\r\n"
	if len(value) > 0 && value[0] == '"' {
		value, ends = value[1:], "\"\n"
	}
	if k := bytes.IndexAny(value, ends); k >= 0 {
		value = value[:k]
	}
	return strings.ToLower(string(b[from:i])), parameter{int(index), from, at + 1 + len(value), value}, true
}

type parameter struct {
	index   int
	at, end int
	value   []byte
}

func (o *out) parameter(ps []parameter) {
	sort.SliceStable(ps, func(i, j int) bool { return ps[i].index < ps[j].index })
	var text []byte
	for _, p := range ps {
		text = append(text, p.value...)
	}
	if plain, err := url.PathUnescape(string(text)); err == nil {
		o.offer("rfc2231", ps[0].at, []byte(plain))
	}
	o.offer("rfc2231", ps[0].at, text)
}

// punycode decodes the labels that begin with xn--.
func (o *out) punycode(b []byte) {
	for i := 0; !o.ended; {
		k := bytes.Index(b[i:], []byte("xn--"))
		if k < 0 {
			return
		}
		i += k
		n := 4
		for i+n < len(b) && n < 128 && (isAlnum(b[i+n]) || b[i+n] == '-') {
			n++
		}
		if u, err := idna.Punycode.ToUnicode(string(b[i : i+n])); err == nil {
			o.gather("punycode", i, []byte(u))
		}
		i += n
	}
}
