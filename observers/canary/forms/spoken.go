package forms

import (
	"strings"
	"sync"

	"postern/observers/canary/layer"
)

// speech is a way to speak characters, one word each.
type speech struct {
	technique  layer.Technique
	words      [256]string // in small letters
	separators []string
}

// speeches are Morse code, and the spelling alphabet of ICAO with its usual
// spellings.
var speeches = sync.OnceValue(func() []speech {
	var all []speech
	say := func(technique layer.Technique, words map[byte]string, separators ...string) {
		s := speech{technique: technique, separators: separators}
		for c, word := range words {
			s.words[c] = strings.ToLower(word)
		}
		all = append(all, s)
	}
	say("morse", morse(strings.NewReplacer()), " ", "/", " / ", "\n", "|", "  ", ",")
	for _, marks := range []*strings.Replacer{
		strings.NewReplacer("-", "_"), strings.NewReplacer(".", "·", "-", "−"), strings.NewReplacer(".", "•", "-", "−"),
		strings.NewReplacer(".", "·", "-", "–"), strings.NewReplacer(".", "0", "-", "1"),
	} {
		say("morse", morse(marks), " ")
	}
	for _, spelling := range []*strings.Replacer{
		strings.NewReplacer(), strings.NewReplacer("alfa", "alpha"), strings.NewReplacer("nine", "niner"),
		strings.NewReplacer("alfa", "alpha", "nine", "niner"),
	} {
		say("nato", nato(spelling), " ", "-", "\n", "", ",", ", ")
	}
	letters, names := nato(strings.NewReplacer("alfa", "alpha")), nato(strings.NewReplacer())
	for c := byte('0'); c <= '9'; c++ {
		letters[c] = string(c)
	}
	for c := byte('a'); c <= 'z'; c++ {
		names[c] = string(c)
	}
	say("nato", letters, " ", "-")
	say("digit-names", names, " ", "-")
	return all
})

// spoken is one word a character. A text with a character that has no word has
// no such form.
func spoken(w *wardrobe) {
	t := w.texts[0]
	all := speeches()
	for i := range all {
		s := &all[i]
		for _, sep := range s.separators {
			if b := said(t.b, &s.words, sep); b != nil {
				w.put(s.technique, t.bits, b, true)
			}
		}
	}
}

func said(b []byte, words *[256]string, sep string) []byte {
	n := 0
	for _, c := range b {
		if words[c] == "" {
			return nil
		}
		n += len(words[c]) + len(sep)
	}
	out := make([]byte, 0, n)
	for i, c := range b {
		if i > 0 {
			out = append(out, sep...)
		}
		out = append(out, words[c]...)
	}
	return out
}

// morse is ITU-R M.1677-1, with other marks for dot and dash.
func morse(marks *strings.Replacer) map[byte]string {
	const letters = ".- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...- .-- -..- -.-- --.."
	const numbers = "----- .---- ..--- ...-- ....- ..... -.... --... ---.. ----."
	return inOrder(marks, letters, numbers)
}

// nato is the alphabet of ICAO Annex 10, volume II.
func nato(spelling *strings.Replacer) map[byte]string {
	const letters = "alfa bravo charlie delta echo foxtrot golf hotel india juliett kilo lima mike november oscar papa quebec romeo sierra tango uniform victor whiskey xray yankee zulu"
	const numbers = "zero one two three four five six seven eight nine"
	return inOrder(spelling, letters, numbers)
}

func inOrder(change *strings.Replacer, letters, numbers string) map[byte]string {
	out := map[byte]string{}
	for i, word := range strings.Fields(letters) {
		out['a'+byte(i)] = change.Replace(word)
	}
	for i, word := range strings.Fields(numbers) {
		out['0'+byte(i)] = change.Replace(word)
	}
	return out
}
