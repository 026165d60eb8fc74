package clients

import (
	"bytes"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/tailscale/hujson"
)

// Why is a closed word for why a file, or what it says of a server, is left alone.
type Why string

const (
	NotUTF8    Why = "not-utf8"
	NotJSON    Why = "not-json"   // not even with comments and trailing commas
	TooDeep    Why = "too-deep"   // more objects and lists inside each other than maxDepth
	Misshapen  Why = "misshapen"  // not what a client reads as servers, or as a server
	Ambiguous  Why = "ambiguous"  // something is there twice, and clients differ in what they take
	URL        Why = "url"        // the client starts nothing: it connects
	Variables  Why = "variables"  // the client puts something else in place of ${NAME}, so that the command cannot be held to its hash
	NotWhole   Why = "not-whole"  // wrapped, but its markers are not what the guard writes
	Unreadable Why = "unreadable" // the file, by this user
	NotAFile   Why = "not-a-file"
	Linked     Why = "hard-linked" // the file has another name, which would keep the old content
	TooLarge   Why = "too-large"
	Busy       Why = "busy" // somebody else keeps writing the file
	NotWritten Why = "not-written"
)

// Left is the error of a file that is left alone. Line and Column are 0 where
// there is no one place.
type Left struct {
	Why          Why
	Line, Column int
}

func (l *Left) Error() string {
	if l.Line > 0 {
		return fmt.Sprintf("%s at line %d, column %d", l.Why, l.Line, l.Column)
	}
	return string(l.Why)
}

// maxDepth is far beyond any configuration, and what keeps the parser, which
// calls itself, from running out of stack.
const maxDepth = 10_000

// Document is the bytes of a client's file, and where its servers are in them.
type Document struct {
	Servers []Server
	raw     []byte
}

var bom = []byte("\uFEFF")

// Parse finds the servers in a client's file. A file with nothing in it has none.
func Parse(raw []byte, c Client) (*Document, error) {
	d := &Document{raw: raw}
	body := bytes.TrimPrefix(raw, bom)
	switch {
	case !utf8.Valid(raw):
		return nil, &Left{Why: NotUTF8}
	case len(bytes.TrimSpace(body)) == 0:
		return d, nil
	case deeper(body, maxDepth):
		return nil, &Left{Why: TooDeep}
	}
	// A comment may end with the file; the parser wants its line to end.
	v, err := hujson.Parse(append(slices.Clip(body), '\n'))
	if err != nil {
		left := &Left{Why: NotJSON}
		fmt.Sscanf(err.Error(), "hujson: line %d, column %d:", &left.Line, &left.Column) // the rest quotes the file
		return nil, left
	}
	root, ok := v.Value.(*hujson.Object)
	if !ok {
		return nil, &Left{Why: Misshapen}
	}
	p := parser{client: c, shift: len(raw) - len(body)}
	for _, keys := range c.Keys {
		if err := p.follow(root, keys, ""); err != nil {
			return nil, err
		}
	}
	d.Servers = p.servers
	return d, nil
}

// deeper reports whether objects and lists are inside each other more than so
// many times.
func deeper(b []byte, limit int) bool {
	depth := 0
	for i := 0; i < len(b); i++ {
		switch b[i] {
		case '{', '[':
			if depth++; depth > limit {
				return true
			}
		case '}', ']':
			depth--
		case '"':
			for i++; i < len(b) && b[i] != '"'; i++ {
				if b[i] == '\\' {
					i++
				}
			}
		case '/':
			i += comment(b[i:])
		}
	}
	return false
}

// comment is how much further one goes that begins here.
func comment(b []byte) int {
	end := "\n"
	switch {
	case bytes.HasPrefix(b, []byte("/*")):
		end = "*/"
	case !bytes.HasPrefix(b, []byte("//")):
		return 0
	}
	if n := bytes.Index(b[2:], []byte(end)); n >= 0 {
		return n + 1 + len(end)
	}
	return len(b)
}

type parser struct {
	client  Client
	shift   int // of the parser's offsets: a byte order mark
	servers []Server
}

// follow goes down one way to an object of servers.
func (p *parser) follow(o *hujson.Object, keys []string, project string) error {
	if len(keys) == 0 {
		for _, m := range o.Members {
			p.servers = append(p.servers, p.server(o, m, project))
		}
		return nil
	}
	if keys[0] == "*" {
		for _, m := range o.Members {
			if err := p.into(o, text(m.Name), keys[1:], text(m.Name)); err != nil {
				return err
			}
		}
		return nil
	}
	return p.into(o, keys[0], keys[1:], project)
}

func (p *parser) into(o *hujson.Object, key string, rest []string, project string) error {
	v, n := member(o, key)
	switch {
	case n > 1:
		return &Left{Why: Ambiguous}
	case n == 0 || v.Value.Kind() == 'n':
		return nil
	}
	next, ok := v.Value.(*hujson.Object)
	if !ok {
		return &Left{Why: Misshapen}
	}
	return p.follow(next, rest, project)
}

// member is the last value of a key, and how many there are.
func member(o *hujson.Object, key string) (v *hujson.Value, n int) {
	for i := range o.Members {
		if text(o.Members[i].Name) == key {
			v = &o.Members[i].Value
			n++
		}
	}
	return v, n
}

// text is a string as the client reads it.
func text(v hujson.Value) string { return v.Value.(hujson.Literal).String() }
