package text

import (
	"bytes"
	"strings"
)

var morseLetters = map[string]byte{
	".-": 'a', "-...": 'b', "-.-.": 'c', "-..": 'd', ".": 'e', "..-.": 'f', "--.": 'g', "....": 'h', "..": 'i', ".---": 'j',
	"-.-": 'k', ".-..": 'l', "--": 'm', "-.": 'n', "---": 'o', ".--.": 'p', "--.-": 'q', ".-.": 'r', "...": 's', "-": 't',
	"..-": 'u', "...-": 'v', ".--": 'w', "-..-": 'x', "-.--": 'y', "--..": 'z',
	"-----": '0', ".----": '1', "..---": '2', "...--": '3', "....-": '4', ".....": '5', "-....": '6', "--...": '7', "---..": '8', "----.": '9',
	".-.-.-": '.', "--..--": ',', "-..-.": '/', ".-.-.": '+', "-...-": '=', "-....-": '-', "..--.-": '_', "---...": ':', ".-..-.": '"', ".--.-.": '@',
}

// Dots and dashes beyond ASCII are the bytes of these characters.
const (
	otherDots   = "\u00b7\u2022\u2219\u22c5\u25cf\u2024"
	otherDashes = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u2500\u2501"
)

var (
	morseSymbols = setOf(".-_*o /|\r\n\t," + otherDots + otherDashes)
	plainMorse   = strings.NewReplacer(pairsTo(otherDots, ".", otherDashes, "-")...)
)

func pairsTo(dots, dot, dashes, dash string) []string {
	var p []string
	for _, r := range dots {
		p = append(p, string(r), dot)
	}
	for _, r := range dashes {
		p = append(p, string(r), dash)
	}
	return append(p, "_", dash, "*", dot, "o", dot)
}

// morse finds runs of dots and dashes.
func (p *phrase) morse() {
	eachRun(p.b, morseSymbols, morseRun, func(s span) bool {
		b := bytes.Trim(p.b[s.from:s.to], " \r\n\t")
		if len(b) >= morseRun && len(bytes.Trim(b, "-_ /|")) > 0 && p.fits(len(b)) {
			run := []byte(plainMorse.Replace(string(b)))
			p.dots(s.from, run)
			p.tap(s.from, run)
		}
		return !p.ended
	})
}

// dots decodes letters apart from each other by anything else.
func (o *out) dots(at int, run []byte) {
	var d []byte
	wrong := 0
	for _, letter := range bytes.FieldsFunc(run, func(r rune) bool { return r != '.' && r != '-' }) {
		c, ok := morseLetters[string(letter)]
		if !ok {
			wrong++
			continue
		}
		d = append(d, c)
	}
	if wrong*4 <= len(d) {
		o.offer("morse", at, d)
	}
}

// tap decodes groups of knocks: a row, and a column.
func (o *out) tap(at int, run []byte) {
	if bytes.IndexByte(run, '-') >= 0 {
		return
	}
	var cells [][2]int
	groups := bytes.FieldsFunc(run, func(r rune) bool { return r != '.' })
	for i := 0; i+1 < len(groups); i += 2 {
		cells = append(cells, [2]int{len(groups[i]), len(groups[i+1])})
	}
	o.square(at, cells)
}

// marks reads Morse in words: dot dash, dah-dit. A hyphen
// stands within a letter, or a single space where there are none.
func (p *phrase) marks(ws []codeWord) {
	within := byte(' ')
	for i := range ws[1:] {
		if p.b[ws[i].to] == '-' {
			within = '-'
		}
	}
	var run []byte
	for i, w := range ws {
		if i > 0 && (w.from-ws[i-1].to > 1 || p.b[w.from-1] != within) {
			run = append(run, ' ')
		}
		if w.mark != 0 {
			run = append(run, w.mark)
		}
	}
	p.dots(ws[0].from, run)
}
