package algebra

import (
	"bytes"

	"postern/observers/canary/words"
)

// clearDigits recognises a cipher of letters that leaves figures as they are,
// whatever its key: by the figures and by where letters stand.
type clearDigits struct {
	words.Table
	texts []clearText
	least int // characters of the shortest
}

type clearText struct {
	secret  int
	text    []byte // lower case
	masked  []byte // any letter as 'a'
	figures int
	whole   int
}

const (
	minFigures = 12 // of 32 characters
	clearWidth = 8
	mostPeriod = 12 // letters of a key; three more letters must agree with it
)

func (x *clearDigits) take(c carrier, whole int) {
	if c.kind != text || bytes.ContainsAny(c.bytes, "ABCDEF") {
		return
	}
	masked := mapped(c.bytes, mask)
	t := clearText{c.secret, c.bytes, masked, len(masked) - bytes.Count(masked, []byte("a")), whole}
	if t.figures < minFigures || t.figures == len(masked) {
		return
	}
	if x.least == 0 || len(masked) < x.least {
		x.least = len(masked)
	}
	x.texts = append(x.texts, t)
	for at := 0; at+clearWidth <= len(masked); at++ {
		if word := masked[at : at+clearWidth]; distinct(word) >= minDistinct {
			x.Add(little(word), len(x.texts)-1, at)
		}
	}
}

func mask(c byte) byte {
	if class(c) == 'a' {
		return 'a'
	}
	return c
}

// clearText leaves out what is no letter and no figure.
func (s *search) clearText() {
	if len(s.clear.texts) == 0 || len(s.b) < s.clear.least {
		return
	}
	q := s.symbols
	chars, masked, place := q.bytes[:0], q.masked[:0], q.place[:0]
	for i, c := range s.b {
		if class(c) != 0 && c < 0x80 {
			chars, masked, place = append(chars, c|0x20), append(masked, mask(c)), append(place, int32(i))
		}
	}
	q.bytes, q.masked, q.place = chars, masked, place
	for p := 0; p+clearWidth <= len(masked) && !s.done; p++ {
		if word := little(masked[p : p+clearWidth]); s.clear.May(word) {
			s.clear.Each(word, func(number, at int) bool {
				t := &s.clear.texts[number]
				if from := p - at; from >= 0 && from+len(t.text) <= len(chars) && bytes.Equal(masked[from:from+len(t.text)], t.masked) {
					s.report(t.secret, Vigenere, int(place[from]), t.recovered(chars[from:]))
				}
				return !s.done
			})
		}
	}
}

// recovered is all where the letters are moved by a key that repeats, else what
// the figures tell.
func (t *clearText) recovered(chars []byte) int {
	for period := 1; period <= min(mostPeriod, len(t.text)-t.figures-3); period++ {
		if t.repeats(chars, period, true) || t.repeats(chars, period, false) {
			return t.whole
		}
	}
	return 4 * t.figures
}

// repeats checks one length of key, which moves on with every character or with
// letters only.
func (t *clearText) repeats(chars []byte, period int, everyChar bool) bool {
	key := make([]int, period)
	at := 0
	for i, c := range t.text {
		if t.masked[i] == 'a' {
			moved := (int(chars[i])-int(c)+26)%26 + 1
			if k := &key[at%period]; *k == 0 {
				*k = moved
			} else if *k != moved {
				return false
			}
		}
		if everyChar || t.masked[i] == 'a' {
			at++
		}
	}
	return true
}
