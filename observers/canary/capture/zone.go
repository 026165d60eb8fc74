package capture

import (
	"bytes"
	"encoding/hex"
	"net/netip"
	"strings"
)

// entry is one line of a zone, or of what dig prints.
type entry struct {
	owner name
	kind  string
	data  []byte
}

// openZone reads master files (RFC 1035, 5.1) as far as their lines go.
func openZone(b []byte, e *emitter) {
	if !hasClass(b) {
		return
	}
	list := entries(b)
	kinds := newFlows[string]()
	rows := make([]row, 0, len(list))
	var owners, hosts []name
	var last []byte
	for _, z := range list {
		if len(z.owner) > 0 {
			owners = append(owners, z.owner)
			rows = append(rows, append(row(z.owner[:len(z.owner):len(z.owner)]), z.data))
		}
		if last = nil; z.kind == "CNAME" || z.kind == "PTR" || z.kind == "NS" || z.kind == "MX" || z.kind == "SRV" {
			last = lastWord(z.data)
			hosts = append(hosts, labelsOf(last))
		}
		kinds.add(z.kind, z.data)
		kinds.add("", z.data)
	}
	for _, l := range kinds.lists() {
		e.join(l, "")
		e.texts(l)
		e.decoded(l)
		e.units(l)
	}
	e.rows(rows)
	for _, some := range [][]name{owners, hosts} {
		if len(some) > 1 {
			e.names(e.pointers(some))
		}
	}
	e.entryNumbers(list)
}

func lastWord(s []byte) []byte {
	if i := bytes.LastIndexByte(s, ' '); i >= 0 {
		return s[i+1:]
	}
	return s
}

// entryNumbers yields which type each entry has.
func (e *emitter) entryNumbers(list []entry) {
	kinds := make([][]byte, len(list))
	for i, z := range list {
		kinds[i] = []byte(z.kind)
	}
	e.words(kinds)
}

// hasClass looks for the class IN between blanks.
func hasClass(b []byte) bool {
	for at := 0; ; {
		i := bytes.Index(b[at:], []byte("IN"))
		if i < 0 {
			return bytes.Contains(b[:min(len(b), 4096)], []byte("$TTL")) || bytes.Contains(b[:min(len(b), 4096)], []byte("$ORIGIN"))
		}
		at += i + 2
		if at >= 3 && blank(b[at-3]) && at < len(b) && blank(b[at]) {
			return true
		}
	}
}

func blank(c byte) bool { return c == ' ' || c == '\t' }

func entries(b []byte) []entry {
	var out []entry
	var owner name
	for line := range bytes.Lines(b) {
		if len(line) > 1<<16 || len(out) >= namesMost {
			continue
		}
		z, ok := readEntry(line, owner)
		if !ok {
			if s := quotes(line); len(out) > 0 && len(s) > 0 && blank(line[0]) { // within parentheses
				out[len(out)-1].data = append(out[len(out)-1].data, s...)
			}
			continue
		}
		owner = z.owner
		out = append(out, z)
	}
	return out
}

const kinds = " A AAAA TXT CNAME MX SRV NS PTR CAA SPF HINFO NAPTR SVCB HTTPS SSHFP TLSA DNSKEY DS LOC NULL SOA RP URI CERT OPENPGPKEY "

// readEntry takes the first word that names a type, behind an owner, a class
// and a time in any order.
func readEntry(line []byte, owner name) (z entry, ok bool) {
	var words [][]byte
	for w := range bytes.FieldsSeq(line) {
		if words = append(words, w); len(words) == 4 { // none further on is asked for
			break
		}
	}
	z.owner = owner
	if len(words) < 2 || line[0] == ';' || line[0] == '$' {
		return z, false
	}
	at := 0
	if !blank(line[0]) {
		z.owner, at = labelsOf(words[0]), 1
	}
	for k := at; k < min(len(words), at+3); k++ {
		w := string(words[k])
		if !strings.Contains(kinds, " "+w+" ") && !strings.HasPrefix(w, "TYPE") {
			continue
		}
		z.kind = w
		z.data = rdata(w, line[bytes.Index(line, words[k])+len(w):])
		return z, true
	}
	return z, false
}

// rdata is what an entry says: strings without their quotes, addresses and
// unknown types (RFC 3597) as bytes.
func rdata(kind string, s []byte) []byte {
	if q := quotes(s); len(q) > 0 {
		return q
	}
	if i := bytes.IndexByte(s, ';'); i >= 0 {
		s = s[:i]
	}
	s = bytes.TrimSpace(s)
	switch a, err := netip.ParseAddr(string(s)); {
	case err == nil:
		return a.AsSlice()
	case bytes.HasPrefix(s, []byte(`\#`)):
		words := bytes.Fields(s)
		if raw, err := hex.DecodeString(string(bytes.Join(words[min(2, len(words)):], nil))); err == nil {
			return raw
		}
	}
	return bytes.Clone(s)
}

// quotes joins the strings between quotes.
func quotes(s []byte) []byte {
	var out []byte
	in := false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"':
			in = !in
		case in && c == '\\' && i+3 < len(s) && s[i+1] >= '0' && s[i+1] <= '9':
			n := 0
			for _, d := range s[i+1 : i+4] {
				n = n*10 + int(d-'0')
			}
			out = append(out, byte(n))
			i += 3
		case in && c == '\\' && i+1 < len(s):
			i++
			out = append(out, s[i])
		case in:
			out = append(out, c)
		}
	}
	return out
}
