package text

import (
	"bytes"

	"postern/observers/canary/layer"
)

const (
	graphRun   = 16   // printable symbols in a row; fewer carry no eight bytes beside words
	graphPhase = 1024 // symbols that are decoded in every phase
)

var (
	graphSymbols  = printable()
	base45Symbols = setOf(digits + upper + " $%*+-./:")
)

func printable() *set {
	var s set
	for c := 33; c < 127; c++ {
		s[c] = true
	}
	return &s
}

// graph takes apart what is written in the 85 to 94 printable symbols.
type graph struct {
	out
	b []byte
}

func openGraph(b []byte, room *layer.Room, yield func(layer.View) bool) {
	g := &graph{out{room: room, yield: yield}, b}
	end := 0
	eachRun(b, graphSymbols, graphRun, func(s span) bool {
		if s.from >= end {
			end = g.block(s)
		}
		g.run(b[s.from:s.to], s.from)
		return !g.ended
	})
	g.marked()
	g.patches()
	eachRun(b, base45Symbols, 12, func(s span) bool {
		for s.from+2 < s.to && b[s.from] == ' ' && b[s.from+1] == ' ' && b[s.from+2] == ' ' { // indent
			s.from++
		}
		g.base45(b[s.from:s.to], s.from)
		return !g.ended
	})
	g.flush()
}

// block decodes the lines from a run on as one, where it is a line, and returns
// where they end.
func (g *graph) block(s span) int {
	var joined []byte
	to, lines := s.to, 1
	for next := s; dense(g.b[next.from:next.to]) || next.to-next.from < graphRun; lines++ {
		joined = append(joined, g.b[next.from:next.to]...)
		to = next.to
		if next.to-next.from < graphRun {
			break
		}
		if next = g.nextLine(next.to); next.from == next.to {
			break
		}
	}
	if len(joined) > s.to-s.from {
		g.symbols(joined, s.from)
	}
	return to
}

// nextLine is the run that begins the line after from, past indent.
func (g *graph) nextLine(from int) span {
	i, newline := from, false
	for i < len(g.b) && i-from < joinGap && isSpace(g.b[i]) {
		newline = newline || g.b[i] == '\n'
		i++
	}
	to := i
	for newline && to < len(g.b) && graphSymbols[g.b[to]] {
		to++
	}
	return span{i, to}
}

// dense reports whether a run has the punctuation, the capitals and the turns
// of these encodings rather than those of a path, a date or a piece of source.
func dense(b []byte) bool {
	if len(b) > 4096 {
		b = b[:4096]
	}
	var n [4]int
	turns := 0
	last := kind(b[0])
	for _, c := range b {
		k := kind(c)
		if k != last {
			turns++
		}
		n[k]++
		last = k
	}
	return turns*2 >= len(b) && n[aMark]*12 >= len(b) && n[aMark]*4 <= len(b)*3 && n[aDigit]*2 <= len(b) && n[anUpper] > 0 && !steps(b)
}

// steps reports whether most letters stand in words of four or more.
func steps(b []byte) bool {
	in, word := 0, 0
	for i, c := range b {
		if isLower(c) {
			if word++; i+1 < len(b) && isLower(b[i+1]) {
				continue
			}
		}
		if word >= 4 {
			in += word
		}
		word = 0
	}
	return in*3 > len(b)
}

func (g *graph) run(b []byte, offset int) {
	g.oddBase64(b, offset)
	if dense(b) {
		g.symbols(b, offset)
	}
}

// symbols decodes b in each alphabet.
func (g *graph) symbols(b []byte, offset int) {
	for _, e := range base85 {
		g.eachPart(b, e.alphabet, func(part []byte, at int) {
			g.phases85(e.technique, part, e.alphabet, offset+at)
		})
	}
	for _, e := range pairs {
		g.eachPart(b, e.alphabet, func(part []byte, at int) {
			g.starts(e, part, offset+at)
		})
	}
	if len(b) <= longNumeral {
		g.gather("base94", offset, bytesOf(b, base94))
	}
}

// eachPart calls f with the longest parts of b in the alphabet.
func (g *graph) eachPart(b []byte, a *alphabet, f func(part []byte, at int)) {
	from := 0
	for i := 0; i <= len(b); i++ {
		if i < len(b) && a[b[i]] != none {
			continue
		}
		if i-from >= 9 {
			f(b[from:i], from)
		}
		from = i + 1
	}
}

var base94 = numeral{base: 94, alphabet: alphabetOf(ascii(33, 127), false)}

// oddBase64 decodes base64 whose two last symbols are others than usual.
func (g *graph) oddBase64(b []byte, offset int) {
	b = bytes.Trim(b, `"'=<>(){}[];`)
	if k := bytes.LastIndexAny(b, `="'`); k >= 0 { // a name before it
		b = b[k+1:]
	}
	var odd []byte
	marks := 0
	for i, c := range b {
		if kinds[c] != aMark || i > 0 && b[i-1] == c {
			continue
		}
		marks++
		if bytes.IndexByte(odd, c) < 0 {
			if odd = append(odd, c); len(odd) > 2 {
				return
			}
		}
	}
	if marks == 0 || marks*6 > len(b) || len(b) < fullRun || !jumbled(b) || bytes.Contains([]byte("+/-_*+"), odd) {
		return
	}
	a := *base64Alphabet
	for i, c := range odd {
		a[c] = int8(62 + i)
	}
	g.gather("base64-odd", offset, pack(nil, b, &a, 6))
	for i, c := range odd {
		a[c] = int8(63 - i)
	}
	g.gather("base64-odd", offset, pack(nil, b, &a, 6))
	if bytes.IndexByte(odd, '.') >= 0 {
		for _, o := range orders {
			g.gather(o.technique, offset, pack(nil, b, o.alphabet, 6))
		}
	}
}

// marked decodes what stands between <~ and ~>, spaces or not.
func (g *graph) marked() {
	for from := 0; !g.ended; {
		i := bytes.Index(g.b[from:], []byte("<~"))
		if i < 0 {
			return
		}
		from += i + 2
		n := 0
		for from+n < len(g.b) && textBytes[g.b[from+n]] && g.b[from+n] != '~' {
			n++
		}
		g.offer("ascii85", from, unpack85(nil, g.b[from:from+n], base85[0].alphabet))
		from += n
	}
}
