package capture

import "bytes"

// openTargets takes the addresses of the web out of a text: those with a scheme,
// and those of request lines in logs.
func openTargets(b []byte, e *emitter) {
	var targets [][]byte
	var hosts []name
	for at := 0; len(targets) < namesMost; {
		i := bytes.Index(b[at:], []byte("://"))
		if i < 0 {
			break
		}
		at += i + 3
		if i+at < 6 || !letter(b[at-4]) {
			continue
		}
		s := target(b[at:])
		host, path := s, []byte(nil)
		if n := bytes.IndexAny(s, "/?#"); n >= 0 {
			host, path = s[:n], s[n:]
		}
		if n := bytes.LastIndexByte(host, '@'); n >= 0 {
			host = host[n+1:]
		}
		if len(host) > 0 && len(host) <= hostMost {
			hosts = append(hosts, labelsOf(host))
		}
		targets = append(targets, path)
		at += len(s)
	}
	if len(targets) > 0 {
		e.targets(targets)
		if len(hosts) > 1 {
			e.names(hosts)
		}
	}
	e.targets(logged(b))
}

// target ends at a blank, a quote or a bracket.
func target(b []byte) []byte {
	for i, c := range b[:min(len(b), startMost)] {
		if c <= ' ' || c >= 0x7f || c == '"' || c == '\'' || c == '<' || c == '>' || c == '`' || c == '\\' {
			return b[:i]
		}
	}
	return b[:min(len(b), startMost)]
}

// logged are the targets between a method and a version, as access logs and
// captures write them.
func logged(b []byte) [][]byte {
	var out [][]byte
	for at := 0; len(out) < namesMost; {
		i := bytes.Index(b[at:], []byte(" HTTP/"))
		if i < 0 {
			break
		}
		from := max(at, at+i-startMost)
		if n := bytes.LastIndexByte(b[from:at+i], ' '); n >= 0 {
			out = append(out, b[from+n+1:at+i])
		}
		at += i + 6
	}
	return out
}

// targets yields path segments and query values: of each target by itself, and
// of all of them in columns.
func (e *emitter) targets(list [][]byte) {
	if total(list) > 16*bytesMost {
		e.room.Spend()
		return
	}
	queries := newFlows[string]()
	var paths []row
	var values, last [][]byte
	for _, t := range list {
		path, query, _ := bytes.Cut(t, []byte{'?'})
		segments := row(bytes.Split(bytes.Trim(path, "/"), []byte{'/'}))
		e.join(segments, "")
		paths = append(paths, segments)
		last = append(last, segments[len(segments)-1])
		if len(query) == 0 {
			continue
		}
		e.pairs(query, '&')
		for _, p := range bytes.Split(query, []byte{'&'}) {
			n, v, _ := bytes.Cut(p, []byte{'='})
			queries.add(string(n), v)
			values = append(values, v)
		}
	}
	if len(list) < 2 {
		return
	}
	e.join(values, "")
	e.rows(paths)
	e.texts(list)
	e.rows(single(last))
	for _, l := range queries.lists() {
		e.join(l, "")
		e.rows(single(l))
	}
	e.queryRows(list)
}

// queryRows are the values of queries as rows, so that one may number the others.
func (e *emitter) queryRows(list [][]byte) {
	var rows []row
	for _, t := range list {
		if _, query, ok := bytes.Cut(t, []byte{'?'}); ok {
			var r row
			for _, p := range bytes.Split(query, []byte{'&'}) {
				_, v, _ := bytes.Cut(p, []byte{'='})
				r = append(r, v)
			}
			rows = append(rows, r)
		}
	}
	e.rows(rows)
}
