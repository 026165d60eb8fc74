package text

import "bytes"

// patches decodes what git writes of a binary file: lines of base85, each after a
// letter that says how many bytes it holds, up to 52 (git-diff(1), --binary).
func (g *graph) patches() {
	var joined []byte
	at := 0
	for from := 0; from < len(g.b) && !g.ended; {
		end := bytes.IndexByte(g.b[from:], '\n')
		if end < 0 {
			end = len(g.b) - from
		}
		part := patchLine(bytes.TrimRight(g.b[from:from+end], "\r"))
		if len(joined) == 0 {
			at = from
		}
		joined = append(joined, part...)
		if part == nil {
			g.patch(at, joined)
			joined = nil
		}
		from += end + 1
	}
	g.patch(at, joined)
}

func (g *graph) patch(at int, b []byte) {
	if len(b) >= least {
		g.put("git-patch", at, b)
	}
}

// patchLine is the bytes of one such line, or nil.
func patchLine(line []byte) []byte {
	if len(line) < 6 || len(line)%5 != 1 || !isLetter(line[0]) {
		return nil
	}
	n := int(line[0]-'A') + 1
	if isLower(line[0]) {
		n = int(line[0]-'a') + 27
	}
	if len(line) != 1+(n+3)/4*5 {
		return nil
	}
	d := unpack85(nil, line[1:], base85[1].alphabet)
	if len(d) < n {
		return nil
	}
	return d[:n]
}
