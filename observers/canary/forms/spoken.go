package forms

import (
	"strings"
	"sync"

	"postern/observers/canary/layer"
)

// speeches are Morse code, and the spelling alphabet of ICAO with its usual
// spellings.
var speeches = sync.OnceValue(func() []spelling {
	var all []spelling
	say := func(technique layer.Technique, words map[byte]string, between ...string) {
		s := spelling{technique: technique, separators: separators(between), fold: true}
		for c, word := range words {
			s.items[c] = itemOf([]byte(strings.ToLower(word)))
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
func spoken(w *wardrobe) { w.spell(speeches(), w.texts[0]) }

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
