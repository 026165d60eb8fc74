package text

import (
	"bytes"
	"strings"

	"postern/observers/canary/layer"
)

const (
	fewWords  = 6  // code words in a row
	wordGap   = 8  // bytes between them
	longWord  = 12 // letters
	morseRun  = 16 // symbols of Morse in a row
	manyWords = 1 << 16
)

// meaning is what a word may stand for.
type meaning struct {
	symbol byte  // as a letter or a figure
	mark   byte  // as a dot, a dash, or a space between letters
	number int16 // as a number: -1 is none
	even   int16 // as a byte in the PGP list: -1 is none
	odd    int16
}

var (
	dictionary = meanings()
	openings   = firstLetters(dictionary)
)

// spelled are the words of spelling alphabets and of figures.
var spelled = map[byte]string{
	'a': "alpha alfa able", 'b': "bravo baker", 'c': "charlie charly", 'd': "delta dog", 'e': "echo easy",
	'f': "foxtrot fox", 'g': "golf george", 'h': "hotel how", 'i': "india item", 'j': "juliett juliet jig", 'k': "kilo king",
	'l': "lima love", 'm': "mike", 'n': "november nan", 'o': "oscar oboe", 'p': "papa peter", 'q': "quebec queen",
	'r': "romeo roger", 's': "sierra sugar", 't': "tango tare", 'u': "uniform uncle", 'v': "victor", 'w': "whiskey whisky william",
	'x': "xray", 'y': "yankee yoke", 'z': "zulu zebra",
	'0': "zero nought null cero oh nadazero", '1': "one un eins uno wun unaone", '2': "two deux zwei dos too bissotwo",
	'3': "three trois drei tres tree terrathree", '4': "four quatre vier cuatro fower kartefour", '5': "five cinq fuenf cinco fife pantafive",
	'6': "six sechs seis soxisix", '7': "seven sept sieben siete setteseven", '8': "eight huit acht ocho ait oktoeight",
	'9': "nine neuf neun nueve niner novenine",
	'-': "dash hyphen minus", '+': "plus", '/': "slash stroke", '=': "equals equal", '_': "underscore", '.': "dot point period",
}

var counted = strings.Fields(`zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen
fifteen sixteen seventeen eighteen nineteen`)

var tens = strings.Fields("twenty thirty forty fifty sixty seventy eighty ninety hundred")

func meanings() map[string]meaning {
	m := map[string]meaning{}
	set := func(word string, change func(*meaning)) {
		v, ok := m[word]
		if !ok {
			v = meaning{number: -1, even: -1, odd: -1}
		}
		change(&v)
		m[word] = v
	}
	for c, words := range spelled {
		for _, w := range strings.Fields(words) {
			set(w, func(v *meaning) { v.symbol = c })
		}
	}
	for i := range 36 {
		c := (digits + lower)[i]
		set(string(c), func(v *meaning) { v.symbol = c })
	}
	for i, w := range counted {
		set(w, func(v *meaning) { v.number = int16(i) })
	}
	for i, w := range tens {
		set(w, func(v *meaning) { v.number = int16(20 + 10*i) })
	}
	for w, c := range map[string]byte{"dot": '.', "dit": '.', "di": '.', "dash": '-', "dah": '-', "da": '-', "space": ' ', "slash": ' ', "stop": ' '} {
		set(w, func(v *meaning) { v.mark = c })
	}
	for i := range 256 {
		set(pgpEven[i], func(v *meaning) { v.even = int16(i) })
		set(pgpOdd[i], func(v *meaning) { v.odd = int16(i) })
	}
	return m
}

// firstLetters gives, for two letters, or a single one, the lengths of the words
// that begin so, a bit each.
func firstLetters(m map[string]meaning) *[1 << 10]uint16 {
	var t [1 << 10]uint16
	for w := range m {
		t[opening([]byte(w))] |= 1 << len(w)
	}
	return &t
}

// openWords reads code words in a row, Roman numerals, and Morse.
func openWords(b []byte, room *layer.Room, yield func(layer.View) bool) {
	p := &phrase{out: out{room: room, yield: yield}, b: b}
	waiting := 0 // words that may be code words, as long as they are few
	for i := 0; i < len(b) && !p.ended; {
		for i < len(b) && kinds[b[i]] == aMark {
			i++
		}
		from := i
		for i < len(b) && kinds[b[i]] != aMark {
			i++
		}
		if from == i {
			break
		}
		if waiting+len(p.words) > 0 && bytes.EqualFold(b[from:i], []byte("and")) { // as in one hundred and two
			continue
		}
		// Nearly every word of nearly every text ends here.
		possible := p.possible(from, i)
		if !possible && !romanPair(b[from:i]) {
			if len(p.words) > 0 {
				p.endPhrase()
			}
			waiting = 0
			continue
		}
		if len(p.words) == 0 && waiting < fewWords-1 {
			p.waiting[waiting] = span{from, i}
			waiting++
			continue
		}
		for _, w := range p.waiting[:waiting] {
			p.word(w.from, w.to)
		}
		waiting = 0
		p.word(from, i)
	}
	p.endPhrase()
	p.morse()
	p.syllables(b)
	p.flush()
}

// phrase is code words in a row.
type phrase struct {
	out
	b     []byte
	words []codeWord

	waiting [fewWords]span
}

type codeWord struct {
	span
	meaning
	roman int
}

func (p *phrase) word(from, to int) {
	if n := len(p.words); n > 0 && (from-p.words[n-1].to > wordGap || n == manyWords) {
		p.endPhrase()
	}
	w := codeWord{span: span{from, to}, roman: roman(p.b[from:to])}
	if !p.lookUp(&w, p.possible(from, to)) {
		p.endPhrase()
		return
	}
	p.words = append(p.words, w)
}

// possible reports whether some code word has the length and the first letters
// of this one.
func (p *phrase) possible(from, to int) bool {
	n := to - from
	if n > longWord || to < len(p.b) && !textBytes[p.b[to]] {
		return false
	}
	return openings[opening(p.b[from:to])]>>n&1 != 0
}

func opening(w []byte) int {
	first := int(w[0]&31) << 5
	if len(w) > 1 {
		first |= int(w[1] & 31)
	}
	return first
}

// lookUp finds what a word means, and reports whether it means anything.
func (p *phrase) lookUp(w *codeWord, possible bool) bool {
	w.meaning = meaning{number: -1, even: -1, odd: -1}
	if !possible {
		return w.roman > 0
	}
	var key [longWord]byte
	for i, c := range p.b[w.from:w.to] {
		key[i] = c
		if isUpper(c) {
			key[i] |= 0x20
		}
	}
	m, ok := dictionary[string(key[:w.to-w.from])]
	if ok {
		w.meaning = m
	}
	return ok || w.roman > 0
}

// endPhrase yields what the words since the last unknown one stand for.
func (p *phrase) endPhrase() {
	ws := p.words
	p.words = p.words[:0]
	if len(ws) < fewWords || p.ended {
		return
	}
	p.spelled(ws)
	p.counted(ws)
	p.marks(ws)
	p.pgp(ws)
	p.numerals(ws)
}

func (p *phrase) spelled(ws []codeWord) {
	var d []byte
	plain := 0
	for _, w := range ws {
		if w.symbol != 0 {
			d = append(d, w.symbol)
		}
		if w.to-w.from == 1 {
			plain++
		}
	}
	if plain < len(ws) {
		p.offer("spelled", ws[0].from, d)
	} else {
		p.gather("spaced-letters", ws[0].from, d)
	}
}

// counted reads numbers in words: forty-nine, one hundred and two.
func (p *phrase) counted(ws []codeWord) {
	var vs []uint64
	last := int16(-1) // the part of a number that the next may complete
	for i, w := range ws {
		n := w.number
		if i > 0 && bytes.ContainsAny(p.b[ws[i-1].to:w.from], ",;/|\n") {
			last = -1
		}
		switch {
		case n < 0:
			last = -1
		case n == 100 && last > 0 && last < 10:
			vs[len(vs)-1] *= 100
			last = 100
		case last == 100 && n < 100 || last >= 20 && last < 100 && n > 0 && n < 10:
			vs[len(vs)-1] += uint64(n)
			last = n
			if n < 20 {
				last = 0
			}
		default:
			vs = append(vs, uint64(n))
			last = n
		}
	}
	l := lists{out: p.out}
	l.words("number-words", ws[0].from, vs)
	p.out = l.out
}

// pgp reads words of that list, whichever place the first has.
func (p *phrase) pgp(ws []codeWord) {
	d := make([]byte, 0, len(ws))
	for _, w := range ws {
		switch {
		case w.even >= 0:
			d = append(d, byte(w.even))
		case w.odd >= 0:
			d = append(d, byte(w.odd))
		}
	}
	p.offer("pgp-words", ws[0].from, d)
}

func (p *phrase) numerals(ws []codeWord) {
	var d []byte
	for _, w := range ws {
		if w.roman > 0 {
			d = append(d, byte(w.roman))
		}
	}
	p.offer("roman-numerals", ws[0].from, d)
}

var romanLetters = setOf("ivxlcdmIVXLCDM")

// romanPair reports whether w begins and ends as a Roman numeral.
func romanPair(w []byte) bool {
	return romanLetters[w[0]] && romanLetters[w[len(w)-1]] && len(w) <= longWord
}

func romanValue(c byte) int {
	return [...]int{'i' - 'c': 1, 'v' - 'c': 5, 'x' - 'c': 10, 'l' - 'c': 50, 0: 100, 1: 500, 'm' - 'c': 1000}[(c|0x20)-'c']
}

// roman returns the value of a Roman numeral, or 0.
func roman(b []byte) int {
	sum, last := 0, 1000
	if len(b) > longWord {
		return 0
	}
	for _, c := range b {
		v := 0
		switch c | 0x20 {
		case 'i', 'v', 'x', 'l', 'c', 'd', 'm':
			v = romanValue(c)
		default:
			return 0
		}
		if v > last {
			sum -= 2 * last
		}
		sum += v
		last = v
	}
	return sum
}
