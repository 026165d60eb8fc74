package clients

import (
	"slices"
	"strings"

	"github.com/tailscale/hujson"

	"postern/gateway/guard"
)

// Server is what a client's file says of one server.
type Server struct {
	Project string // whose it is, in clients that keep servers by project
	Name    string
	Left    Why // why it is left alone, or ""

	Program string   // as the client starts it
	Args    []string // as the client starts it
	Listed  bool     // the entry has a list of arguments
	Wrapped bool     // by the guard; where Left is NotWhole, not as the guard does it

	Inner guard.Wrapped // of one that is wrapped

	program, args    span
	first            int    // where the first argument begins, or would
	elements         []span // of the arguments
	literals         []string
	trailing, nextTo bool // a comma after the last argument; the list follows the program at once
}

// span is a part of the file's bytes.
type span struct{ from, to int }

// server reads one entry. What is not plainly a command is left alone.
func (p *parser) server(all *hujson.Object, m hujson.ObjectMember, project string) Server {
	s := Server{Project: project, Name: text(m.Name)}
	entry, ok := m.Value.Value.(*hujson.Object)
	if _, n := member(all, s.Name); n > 1 {
		s.Left = Ambiguous
		return s
	}
	if !ok || s.Name == "" {
		s.Left = Misshapen
		return s
	}
	if s.Left = transport(entry); s.Left == "" {
		s.Left = p.command(entry, &s)
	}
	return s
}

// addresses are the keys under which clients keep where they connect to.
var addresses = []string{"url", "serverUrl", "httpUrl"}

// transport says why an entry is none of a command.
func transport(entry *hujson.Object) Why {
	_, command := member(entry, "command")
	connects := slices.ContainsFunc(addresses, func(key string) bool {
		_, n := member(entry, key)
		return n > 0
	})
	if kind, n := member(entry, "type"); n == 1 && kind.Value.Kind() == '"' {
		switch text(*kind) {
		case "stdio", "local":
		default:
			connects = true
		}
	}
	switch {
	case connects && command > 0:
		return Ambiguous
	case connects:
		return URL
	case command == 0:
		return Misshapen
	}
	return ""
}

// command reads what an entry starts. Zed once had an object of its own for it.
func (p *parser) command(entry *hujson.Object, s *Server) Why {
	program, n := member(entry, "command")
	holder := entry
	if inner, ok := program.Value.(*hujson.Object); ok && n == 1 {
		holder = inner
		program, n = member(inner, "path")
	}
	args, lists := member(holder, "args")
	switch {
	case n > 1 || lists > 1:
		return Ambiguous
	case n == 0 || program.Value.Kind() != '"' || text(*program) == "":
		return Misshapen
	}
	s.Program, s.program = text(*program), p.span(*program)
	if lists == 1 && args.Value.Kind() != 'n' {
		list, ok := args.Value.(*hujson.Array)
		if !ok || !p.arguments(list, *args, s) {
			return Misshapen
		}
		s.nextTo = follows(holder, program, args)
	} else if lists == 1 {
		return Misshapen // null: some clients take it for an empty list
	}
	return p.judge(s)
}

func (p *parser) arguments(list *hujson.Array, v hujson.Value, s *Server) bool {
	s.Listed, s.args = true, p.span(v)
	s.first = s.args.from + 1
	for i, e := range list.Elements {
		if e.Value.Kind() != '"' {
			return false
		}
		if i == 0 {
			s.first = e.StartOffset + p.shift
		}
		s.Args = append(s.Args, text(e))
		s.elements = append(s.elements, p.span(e))
		s.literals = append(s.literals, string(e.Value.(hujson.Literal)))
	}
	s.trailing = len(list.Elements) > 0 && list.Elements[len(list.Elements)-1].AfterExtra != nil
	return true
}

func (p *parser) span(v hujson.Value) span {
	return span{v.StartOffset + p.shift, v.EndOffset + p.shift}
}

// follows reports whether one value's member comes right behind another's.
func follows(o *hujson.Object, first, second *hujson.Value) bool {
	for i := range o.Members {
		if &o.Members[i].Value == first {
			return i+1 < len(o.Members) && &o.Members[i+1].Value == second
		}
	}
	return false
}

// judge says whether a command can be wrapped, or was.
func (p *parser) judge(s *Server) Why {
	words := append([]string{s.Name, s.Program}, s.Args...)
	if s.Wrapped = guard.IsWrapped(s.Args); s.Wrapped {
		var ok bool
		if s.Inner, ok = guard.ParseWrapped(s.Args); !ok {
			return NotWhole
		}
	}
	switch {
	case slices.ContainsFunc(words, func(w string) bool { return strings.ContainsRune(w, 0) }):
		return Misshapen // no process can be started so
	case !s.Wrapped && slices.ContainsFunc(words, p.variable):
		return Variables
	}
	return ""
}

// variable reports whether a client would put something else in place of a part
// of a word.
func (p *parser) variable(word string) bool {
	for rest := word; ; {
		_, after, found := strings.Cut(rest, "$")
		if !found {
			return false
		}
		if strings.HasPrefix(after, "{") || p.client.Dollar && after != "" && (after[0] == '_' || after[0]|0x20 >= 'a' && after[0]|0x20 <= 'z') {
			return true
		}
		rest = after
	}
}
