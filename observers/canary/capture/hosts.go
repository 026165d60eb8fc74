package capture

import "bytes"

const hostMost = 255 // bytes of a name (RFC 1035, 2.3.4)

func labelsBy(s []byte, sep byte) [][]byte { return bytes.Split(s, []byte{sep}) }

func labelsOf(s []byte) name {
	return name(bytes.Split(bytes.Trim(s, "."), []byte{'.'}))
}

// hostByte says which bytes a name in a text may have: letters, digits, hyphen,
// underscore, dot, and what tunnels use besides.
func hostByte(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c == '-' || c == '_' || c == '.' || c == '*' || c == '+'
}

// pads says that a label ends with the padding of an encoding.
func pads(b []byte, at int) bool {
	return b[at] == '=' && at+1 < len(b) && (b[at+1] == '.' || b[at+1] == '=' && at+2 < len(b) && b[at+2] == '.')
}

// found is a host name in a text, with the line that it stands in.
type found struct {
	name name
	prev []byte // the word before it
	next []byte // the word after it
	nx   bool   // the line says that there is none such
}

// openHosts takes the host names out of query logs, lists and the like. Names
// of two labels count where there are no others.
func openHosts(b []byte, e *emitter) {
	list, bare := hostsIn(b)
	if len(list) < 2 {
		list = append(list, bare...)
	}
	if len(list) == 0 {
		return
	}
	if len(list) > namesMost {
		e.room.Spend()
	}
	names := make([]name, 0, len(list))
	for _, f := range list {
		names = append(names, f.name)
	}
	if others := e.pointers(names); len(others) > 0 {
		e.names(others)
	}
	e.outcomes(list)
}

// outcomes yields what a log says beside the names: the type, and failures.
func (e *emitter) outcomes(list []found) {
	prev, next := make([][]byte, len(list)), make([][]byte, len(list))
	failed := make([]bool, len(list))
	for i, f := range list {
		prev[i], next[i], failed[i] = f.prev, f.next, f.nx
	}
	e.words(prev)
	e.words(next)
	e.bits(failed)
}

// hostsIn finds names around their dots. Bare ones fill a line, and may have
// two labels; others have three, so that prose and code are left alone.
func hostsIn(b []byte) (list, bare []found) {
	for at := 0; at < len(b) && len(list) <= namesMost; {
		i := bytes.IndexByte(b[at:], '.')
		if i < 0 {
			break
		}
		i += at
		if i == at || i+1 == len(b) || !hostByte(b[i-1]) && b[i-1] != '=' || !hostByte(b[i+1]) {
			at = i + 1
			continue
		}
		from, to := i, i
		for from > at && (hostByte(b[from-1]) || pads(b, from-1)) {
			from--
		}
		for to < len(b) && (hostByte(b[to]) || pads(b, to)) {
			to++
		}
		at = to + 1
		s := b[from:to]
		for len(s) > 0 && (s[len(s)-1] == '.' || s[len(s)-1] == '-') {
			s = s[:len(s)-1]
		}
		switch dots, ok := hostName(s); {
		case !ok:
		case dots > 1 && letter(s[bytes.LastIndexByte(s, '.')+1]) || tunnelled(s):
			list = append(list, foundAt(b, from, to, s))
		case len(list) < 2 && len(bare) < namesMost && fills(b, from, to):
			bare = append(bare, foundAt(b, from, to, s))
		}
	}
	return list, bare
}

// tunnelled says that a name is one of dnscat2, which needs no domain.
func tunnelled(s []byte) bool {
	return len(s) > 7 && bytes.EqualFold(s[:7], []byte("dnscat."))
}

func foundAt(b []byte, from, to int, s []byte) found {
	return found{name: labelsOf(s), prev: wordBefore(b, from), next: word(b, to), nx: failed(b, to)}
}

// hostName has labels of 1 to 63 bytes; the last one is long, or begins with a
// letter.
func hostName(s []byte) (dots int, ok bool) {
	if len(s) > hostMost || len(s) < 4 {
		return 0, false
	}
	start := 0
	for i, c := range s {
		if c != '.' {
			continue
		}
		if n := i - start; n == 0 || n > 63 {
			return 0, false
		}
		dots++
		start = i + 1
	}
	n := len(s) - start
	return dots, dots > 0 && n > 1 && n <= 63 && (n > 7 || letter(s[start]))
}

func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// fills says that a line holds a name and at most a word more on each side.
func fills(b []byte, from, to int) bool {
	return (from == 0 || bytes.IndexByte([]byte("\n\r\t \"'@"), b[from-1]) >= 0) &&
		(to == len(b) || bytes.IndexByte([]byte("\n\r\t \"',:."), b[to]) >= 0)
}

// word is the next one in the line, which in logs of queries is the type.
func word(b []byte, at int) []byte {
	for at < len(b) && (b[at] == ' ' || b[at] == '\t' || b[at] == '.' || b[at] == '"' || b[at] == ',' || b[at] == ':') {
		at++
	}
	from := at
	for at < len(b) && at < from+16 && (letter(b[at]) || b[at] >= '0' && b[at] <= '9') {
		at++
	}
	return b[from:at]
}

// wordBefore is what stands before a name, which in some logs is the type.
func wordBefore(b []byte, at int) []byte {
	for at > 0 && b[at-1] == ' ' {
		at--
	}
	from := at
	for from > 0 && from > at-16 && b[from-1] > ' ' {
		from--
	}
	return b[from:at]
}

func failed(b []byte, at int) bool {
	line := b[at:min(len(b), at+hostMost)]
	if n := bytes.IndexByte(line, '\n'); n >= 0 {
		line = line[:n]
	}
	return bytes.Contains(line, []byte("NXDOMAIN"))
}
