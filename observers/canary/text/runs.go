package text

import (
	"bytes"

	"postern/observers/canary/layer"
)

const (
	shortRun    = 11      // symbols of 64 that carry eight bytes
	manySymbols = 1 << 20 // of one piece that are read in every alphabet; the rest in the usual ones
	fullRun     = 22      // that carry sixteen; fewer are tried in the usual alphabets alone
	longPhase   = 1 << 16 // symbols that are decoded in every phase; the rest in the first
	pathRun     = 96      // in which punctuation may be a path's or a date's
	joinGap     = 48      // bytes between the lines of one wrapped text: indent, quote mark, number
	joinRun     = 16      // symbols in a line of it
	fewLines    = 16      // lines that are each read in every alphabet
)

var (
	runSymbols = setOf(digits + lower + upper + "+/-_*")
	hexSymbols = setOf("0123456789abcdefABCDEF")
)

// runs takes apart what is written in at most 64 symbols, each run alone and
// neighbouring runs joined.
type runs struct {
	out
	b     []byte
	group []span
	read  int    // symbols so far that were read in every alphabet
	bare  []byte // a run without its punctuation
}

func openRuns(b []byte, room *layer.Room, yield func(layer.View) bool) {
	r := &runs{out: out{room: room, yield: yield}, b: b}
	eachRun(b, runSymbols, shortRun, func(s span) bool {
		r.add(s)
		return !r.ended
	})
	r.endGroup()
	r.flush()
}

func (r *runs) add(s span) {
	if n := len(r.group); n > 0 && !r.joins(r.group[n-1], s) {
		r.endGroup()
	}
	r.group = append(r.group, s)
}

// joins reports whether two runs look like lines of one text.
func (r *runs) joins(a, z span) bool {
	if z.from-a.to > joinGap || !r.between(a, z) {
		return false
	}
	la, lz := a.to-a.from, z.to-z.from
	return la == lz || (la >= joinRun && lz >= joinRun) || (la >= joinRun && lz < la)
}

// between reports whether what stands between two runs may be the end of a line
// and the begin of the next: no letters, or a line end between equal lengths.
func (r *runs) between(a, z span) bool {
	gap := r.b[a.to:z.from]
	for _, c := range gap {
		if isLetter(c) {
			return a.to-a.from == z.to-z.from && z.to-z.from >= joinRun && bytes.IndexByte(gap, '\n') >= 0
		}
	}
	return true
}

// endGroup decodes the runs of the group as one.
func (r *runs) endGroup() {
	g := r.group
	r.group = r.group[:0]
	if len(g) == 0 || r.ended {
		return
	}
	tail := r.tail(g)
	if len(g) == 1 {
		r.run(r.b[g[0].from:g[0].to], g[0].from)
	}
	if len(g) == 1 && tail.from == tail.to {
		return
	}
	var joined, each []byte
	for _, s := range g {
		r.line(r.b[s.from:s.to], s.from, len(g))
		joined = append(joined, r.b[s.from:s.to]...)
		each = pack(each, r.b[s.from:s.to], base64Alphabet, 6)
	}
	last := r.b[tail.from:tail.to]
	each = pack(each, last, base64Alphabet, 6)
	if !jumbled(joined) {
		return
	}
	in := alphabetsOf(joined)
	if len(g) > 1 && in&alphabetsOf(last) != in { // the next word, perhaps
		r.symbols(joined, g[0].from)
	}
	r.symbols(append(joined, last...), g[0].from)
	if r.padded(g) {
		r.put("base64-lines", g[0].from, each)
	}
}

// tail is the last, shorter line after a group, where one follows as far off as
// the lines before it do.
func (r *runs) tail(g []span) span {
	last := g[len(g)-1]
	from := last.to
	if len(g) > 1 {
		from += g[len(g)-1].from - g[len(g)-2].to
	} else {
		for from < len(r.b) && from-last.to < joinGap && !runSymbols[r.b[from]] {
			from++
		}
	}
	if from > len(r.b) || last.to-last.from < joinRun || bytes.IndexByte(r.b[last.to:from], '\n') < 0 {
		return span{}
	}
	to := from
	for to < len(r.b) && to-from < shortRun && runSymbols[r.b[to]] {
		to++
	}
	return span{from, to}
}

// padded reports whether the lines were each encoded for themselves.
func (r *runs) padded(g []span) bool {
	for _, s := range g[:len(g)-1] {
		if (s.to-s.from)%4 != 0 || r.b[s.to] == '=' {
			return true
		}
	}
	return false
}

// line decodes a run that others join, for itself: in the first phase alone, and
// as a number where they are not many.
func (r *runs) line(b []byte, offset, lines int) {
	switch {
	case lines <= fewLines:
		r.run(b, offset)
	case jumbled(b):
		in := alphabetsOf(b)
		if in&inHex != 0 {
			r.phases("hex", offset, b, hexAlphabet, 4, 1)
			return
		}
		r.phases("base64", offset, b, base64Alphabet, 6, 1)
		if in&inBase32 != 0 {
			r.phases("base32", offset, b, base32Alphabet, 5, 1)
		}
		if in&inBase58 != 0 && len(b) <= longNumeral {
			r.numbers(base58[:1], b, offset)
		}
	}
}

// run decodes one run whole, its parts between punctuation, and without that.
func (r *runs) run(b []byte, offset int) {
	if !jumbled(b) {
		return
	}
	path := pathLike(b)
	if !path {
		r.symbols(b, offset)
	}
	r.hexInside(b, offset)
	parts := partsOf(b)
	if len(parts) == 1 || len(b) > longPhase {
		return
	}
	bare := r.bare[:0]
	even := true // the parts are of one length
	for i, p := range parts {
		part := b[p.from:p.to]
		if path || alone(b, parts, i) {
			r.part(part, offset+p.from)
		}
		bare = append(bare, part...)
		even = even && (len(part) == parts[0].to || i == len(parts)-1)
	}
	r.numberParts(b, parts, offset)
	r.bare = bare
	if even || !path && len(b) <= pathRun && alphabetsOf(bare)&(inBase32|inHex) != 0 {
		r.part(bare, offset)
	}
}

// partsOf returns the parts of b between its punctuation.
func partsOf(b []byte) []span {
	var parts []span
	from := 0
	for i, c := range b {
		if kinds[c] == aMark {
			parts = append(parts, span{from, i})
			from = i + 1
		}
	}
	return append(parts, span{from, len(b)})
}

// alone reports whether the other parts are names, or too short: else the
// punctuation belongs to the alphabet.
func alone(b []byte, parts []span, i int) bool {
	for k, p := range parts {
		if k != i && p.to-p.from > 3 && jumbled(b[p.from:p.to]) {
			return false
		}
	}
	return true
}

// hexInside decodes hexadecimal digits that letters touch, as in 0x4a.
func (r *runs) hexInside(b []byte, offset int) {
	if alphabetsOf(b)&inHex != 0 {
		return
	}
	eachRun(b, hexSymbols, 2*shortRun, func(s span) bool {
		r.symbols(b[s.from:s.to], offset+s.from)
		return !r.ended
	})
}

func (r *runs) part(b []byte, offset int) {
	if len(b) >= shortRun && jumbled(b) {
		r.symbols(b, offset)
	}
}

// symbols decodes b in every alphabet that has all its symbols.
func (r *runs) symbols(b []byte, offset int) {
	in := alphabetsOf(b)
	if in&inDigits != 0 {
		r.figures(b, offset)
	}
	if in&inHex != 0 {
		r.phases("hex", offset, b, hexAlphabet, 4, 2)
		if len(b) > 128 || isDigestSize(len(b)) { // a digest is no other number
			return
		}
	} else {
		r.phases("base64", offset, b, base64Alphabet, 6, 4)
	}
	if r.read += len(b); r.read > manySymbols || len(b) < fullRun {
		if in&inBase32 != 0 {
			r.gather("base32", offset, pack(nil, b, base32Alphabet, 5))
		}
		return
	}
	if in&inHex == 0 {
		r.orders(b, offset)
	}
	if in&inAlnum != 0 && r.fits(1) {
		r.fives(b, in, offset)
		r.numerals(b, in, offset)
	}
}

func isDigestSize(n int) bool { return n&(n-1) == 0 || n == 40 || n == 96 }

// phases decodes b from its first symbols on.
func (o *out) phases(t layer.Technique, offset int, b []byte, a *alphabet, bits uint, n int) {
	for p := range n {
		if p >= len(b) {
			return
		}
		if !o.fits(len(b) * int(bits) / 8) {
			return
		}
		if p > 0 {
			b = b[:min(len(b), longPhase)]
		}
		if p == 0 && !small(len(b)*int(bits)/8) {
			o.put(t, offset, pack(nil, b, a, bits))
			continue
		}
		o.scratch = pack(o.scratch[:0], b[p:], a, bits)
		o.gather(t, offset+p, o.scratch)
	}
}

// order is the alphabet of base64 in another order.
type order struct {
	technique layer.Technique
	alphabet  *alphabet
	often     bool // it is tried in pieces of any size
}

var orders = []order{
	{"base64-rot13", alphabetOf("NOPQRSTUVWXYZABCDEFGHIJKLMnopqrstuvwxyzabcdefghijklm"+digits+"+/", false).also(62, "-").also(63, "_"), true},
	{"base64-swapcase", alphabetOf(lower+upper+digits+"+/", false).also(62, "-").also(63, "_"), true},
	{"base64-digits-first", alphabetOf(digits+upper+lower+"+/", false).also(62, "-").also(63, "_"), false},
	{"base64-digits-lower-upper", alphabetOf(digits+lower+upper+"+/", false).also(62, "-").also(63, "_"), false},
	{"base64-xx", alphabetOf("+-"+digits+upper+lower, false), false},
	{"base64-crypt", alphabetOf("./"+digits+upper+lower, false), false},
	{"base64-bcrypt", alphabetOf("./"+upper+lower+digits, false), false},
	{"base64-sortable", alphabetOf("-"+digits+upper+"_"+lower, false), false},
}

// orders decodes what was turned round, rotated or re-ordered after encoding.
func (r *runs) orders(b []byte, offset int) {
	if len(b) > longPhase/4 || len(b) < fullRun {
		return
	}
	r.offer("base64-reversed", offset, pack(nil, reversed(b), base64Alphabet, 6))
	for _, o := range orders {
		if len(r.b) > shortPiece && !o.often {
			continue
		}
		r.gather(o.technique, offset, pack(nil, b, o.alphabet, 6))
	}
}

// fives decodes the alphabets of 32.
func (r *runs) fives(b []byte, in alphabets, offset int) {
	for _, f := range fives {
		if in&f.in != 0 {
			r.phases(f.technique, offset, b, f.alphabet, 5, f.phases)
		}
	}
	if in&inNix != 0 && len(b) <= longPhase/4 { // Nix writes the last group first, and the low bits of a byte
		r.gather("base32-nix", offset, packLow(nil, reversed(b), nix, 5))
	}
	if in&inBase32 != 0 && len(b) <= longPhase/4 {
		r.gather("base32-reversed", offset, pack(nil, reversed(b), base32Alphabet, 5))
	}
}

type five struct {
	technique layer.Technique
	in        alphabets
	alphabet  *alphabet
	phases    int
}

var fives = []five{
	{"base32", inBase32, base32Alphabet, 8},
	{"base32hex", inBase32Hex, base32Hex, 4},
	{"crockford", inCrockford, crockford, 2},
	{"z-base-32", inZ, zBase32, 2},
	{"geohash", inGeohash, geohash, 2},
	{"base32-rot13", inBase32, alphabetOf("NOPQRSTUVWXYZABCDEFGHIJKLM234567", true), 1},
	{"base32-bech32", inBech32, bech32, 1},
	{"base32-digits-first", inTwoFirst, alphabetOf("234567"+upper, true), 1},
	{"base32-word-safe", inWordSafe, wordSafe, 1},
	{"base32-nix", inNix, nix, 1},
	{"base32-iodine", inIodine, alphabetOf(lower+"012345", true), 1},
}
