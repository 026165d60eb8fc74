package corpus

import (
	"fmt"
	"strings"
)

const (
	morseSet = "----- .---- ..--- ...-- ....- ..... -.... --... ---.. ----. .- -... -.-. -.. . ..-."
	natoSet  = "Zero One Two Three Four Five Six Seven Eight Niner Alfa Bravo Charlie Delta Echo Foxtrot"
)

func textCodes() []trick {
	list := func(name string, tier int, sep, words string) trick {
		return bytes16(name, tier, substituted(words, sep))
	}
	return []trick{
		list("morse", 1, " ", morseSet),
		list("morse-slashes", 2, " / ", morseSet),
		list("morse-bars", 2, "|", morseSet),
		text("morse-unicode", 2, func(s *scene) string {
			return strings.NewReplacer(".", "·", "-", "−").Replace(substituted(morseSet, " ")(s.raw))
		}),
		text("morse-spoken", 2, func(s *scene) string {
			return strings.NewReplacer(".", "dit ", "-", "dah ", " ", ", ").Replace(substituted(morseSet, " ")(s.raw))
		}),
		text("morse-digits", 2, func(s *scene) string {
			return strings.NewReplacer(".", "0", "-", "1").Replace(substituted(morseSet, " ")(s.raw))
		}),
		list("nato", 1, " ", natoSet),
		list("nato-lower", 1, " ", strings.ToLower(strings.Replace(natoSet, "Niner", "nine", 1))),
		list("nato-dashes", 1, "-", natoSet),
		list("number-words", 1, " ", "zero one two three four five six seven eight nine a b c d e f"),
		list("number-words-long", 2, " ", "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"),
		list("number-words-german", 2, " ", "null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn"),
		list("number-words-french", 2, ", ", "zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze"),
		list("number-words-spanish", 2, " ", "cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince"),
		list("chinese-numerals", 2, "", "零 一 二 三 四 五 六 七 八 九 甲 乙 丙 丁 戊 己"),
		list("letter-names", 2, " ", "oh won too three fore five six seven ate nine ay bee see dee ee eff"),
		list("fruit", 3, " ", "apple banana cherry damson elderberry fig grape honeydew ilama jackfruit kiwi lemon mango nectarine orange papaya"),
		list("colours", 3, ", ", "red green blue yellow black white orange purple brown pink grey cyan magenta teal olive navy"),
		list("animals-lines", 3, "\n", "ant bear cat dog eel fox goat hen ibis jay koala lynx mole newt owl pig"),
		list("emoji", 3, "", "😀 😂 😍 🤔 😎 😭 🥳 😡 👍 🙏 🔥 🎉 💯 🚀 🌈 🍕"),
		list("emoji-spaced", 3, " ", "🐶 🐱 🐭 🐹 🐰 🦊 🐻 🐼 🐨 🐯 🦁 🐮 🐷 🐸 🐵 🐔"),
		list("moons-four", 4, "", "🌑🌑 🌑🌓 🌑🌕 🌑🌗 🌓🌑 🌓🌓 🌓🌕 🌓🌗 🌕🌑 🌕🌓 🌕🌕 🌕🌗 🌗🌑 🌗🌓 🌗🌕 🌗🌗"),
		list("chess", 3, "", "♔ ♕ ♖ ♗ ♘ ♙ ♚ ♛ ♜ ♝ ♞ ♟ ☀ ☁ ☂ ☃"),
		list("runic", 3, "", "ᚠ ᚢ ᚦ ᚨ ᚱ ᚲ ᚷ ᚹ ᚺ ᚾ ᛁ ᛃ ᛇ ᛈ ᛉ ᛊ"),
		list("greek", 3, "", "α β γ δ ε ζ η θ ι κ λ μ ν ξ ο π"),
		list("flags", 3, " ", "🇩🇪 🇫🇷 🇮🇹 🇪🇸 🇵🇱 🇸🇪 🇳🇴 🇫🇮 🇩🇰 🇳🇱 🇧🇪 🇦🇹 🇨🇭 🇵🇹 🇬🇷 🇮🇪"),
		list("notes", 3, " ", "C4 C#4 D4 D#4 E4 F4 F#4 G4 G#4 A4 A#4 B4 C5 C#5 D5 D#5"),
		list("cards", 3, " ", "A♠ 2♠ 3♠ 4♠ 5♠ 6♠ 7♠ 8♠ 9♠ 10♠ J♠ Q♠ K♠ A♥ 2♥ 3♥"),
		list("syllables", 3, "", "ba be bi bo da de di do ka ke ki ko ma me mi mo"),
		list("braille", 2, "", "⠴ ⠂ ⠆ ⠒ ⠲ ⠢ ⠖ ⠶ ⠦ ⠔ ⠁ ⠃ ⠉ ⠙ ⠑ ⠋"),
		list("kenny", 3, " ", "mmm mmp mmf mpm mpp mpf mfm mfp mff pmm pmp pmf ppm ppp ppf pfm"),
		list("dna", 3, "", "AA AC AG AT CA CC CG CT GA GC GG GT TA TC TG TT"),
		list("dna-spaced", 3, " ", "TT TG TC TA GT GG GC GA CT CG CC CA AT AG AC AA"),
		bytes16("tap-code", 3, taps),
		list("polybius", 3, " ", "11 12 13 14 21 22 23 24 31 32 33 34 41 42 43 44"),
		list("multi-tap", 3, " ", "0 1 2222 3333 4444 5555 6666 77777 8888 99999 2 22 222 3 33 333"),
		list("bacon", 3, " ", "aaaaa aaaab aaaba aaabb aabaa aabab aabba aabbb abaaa abaab ababa ababb abbaa abbab abbba abbbb"),
		list("base4-faces", 3, " ", ":) :( :D :P :| :O ;) ;( ;D ;P 8) 8( 8D 8P =) =("),
		list("yes-no", 3, " ", "nnnn nnny nnyn nnyy nynn nyny nyyn nyyy ynnn ynny ynyn ynyy yynn yyny yyyn yyyy"),
		list("http-verbs-codes", 4, "\n", "200 201 202 204 301 302 304 307 400 401 403 404 500 502 503 504"),
		digits("rot13", 1, rot13),
		digits("rot47", 1, func(b []byte) string {
			return string(altered(b, func(_ int, c byte) byte { return 33 + (c-33+47)%94 }))
		}),
		digits("rot18", 2, func(b []byte) string { return rot13(altered(b, rot5)) }),
		digits("rot5", 2, func(b []byte) string { return string(altered(b, rot5)) }),
		digits("caesar-3", 2, caesar(3)),
		digits("caesar-20", 2, caesar(20)),
		digits("atbash", 2, mapped("abcdef", "zyxwvu")),
		digits("atbash-digits", 2, mapped(lowerHex, "9876543210zyxwvu")),
		digits("hex-reversed-alphabet", 2, mapped(lowerHex, reversed(lowerHex))),
		digits("leet", 3, mapped("abcdef", "@&(|!#")),
		digits("keyboard-shift", 2, mapped("1234567890", "!@#$%^&*()")),
		text("any-substitution", 3, func(s *scene) string {
			set := []byte("qwertzuiopasdfgh")
			s.Shuffle(16, func(i, j int) { set[i], set[j] = set[j], set[i] })
			return mapped(lowerHex, string(set))([]byte(s.hex))
		}),
		digits("rail-fence-2", 3, fence(2)),
		digits("rail-fence-3", 3, fence(3)),
		digits("columns-4", 3, columns(4)),
		digits("columns-8", 3, columns(8)),
		digits("columns-5", 3, columns(5)),
		bytes16("proquint", 2, proquint),
		bytes16("bubble-babble", 2, bubbleBabble),
		text("vigenere-named-key", 4, func(s *scene) string {
			key := s.word() + s.word()
			return "key " + key + " text " + string(altered([]byte(s.hex), func(i int, c byte) byte { return rotated(c, 'a', int(key[i%len(key)]-'a')) }))
		}),
		digits("pig-words", 3, each("%cay", " ")),
		digits("each-quoted", 2, each("'%c'", ", ")),
		digits("each-word-letter", 3, func(b []byte) string {
			return strings.Join(strings.Fields(each("%c-as-it-is", " ")(b)), " ")
		}),
		file("program-brainf", 4, "txt", func(s *scene) []byte { return []byte(brain(s.hex)) }),
		list("half-nato", 1, " ", natoSet).cutTo(func(s *scene) string { return substituted(natoSet, " ")(s.raw[:8]) }),
		list("half-morse", 1, " ", morseSet).cutTo(func(s *scene) string { return substituted(morseSet, " ")(s.raw[4:12]) }),
	}
}

// cutTo makes another, partial text of it.
func (t trick) cutTo(hide func(*scene) string) trick { return text(t.name, t.tier, hide).as(Partial) }

func rot5(_ int, c byte) byte {
	if c >= '0' && c <= '9' {
		return '0' + (c-'0'+5)%10
	}
	return c
}

func caesar(by int) func([]byte) string {
	return func(b []byte) string {
		return string(altered(b, func(_ int, c byte) byte { return rotated(c, 'a', by) }))
	}
}

// fence reads a zigzag over some rails.
func fence(rails int) func([]byte) string {
	return func(b []byte) string {
		rows := make([]string, rails)
		for i, c := range b {
			at := i % (2*rails - 2)
			rows[min(at, 2*rails-2-at)] += string(c)
		}
		return strings.Join(rows, "")
	}
}

// columns reads a table of some columns by its columns.
func columns(n int) func([]byte) string {
	return func(b []byte) string {
		out := ""
		for col := range n {
			for i := col; i < len(b); i += n {
				out += string(b[i])
			}
		}
		return out
	}
}

func proquint(b []byte) string {
	con, vow := "bdfghjklmnprstvz", "aiou"
	var out []string
	for i := 0; i < len(b); i += 2 {
		v := int(b[i])<<8 | int(b[i+1])
		out = append(out, string([]byte{con[v>>12], vow[v>>10&3], con[v>>6&15], vow[v>>4&3], con[v&15]}))
	}
	return strings.Join(out, "-")
}

func bubbleBabble(b []byte) string {
	vow, con, check := "aeiouy", "bcdfghklmnprstvzx", 1
	out := "x"
	for i := 0; ; i += 2 {
		if i >= len(b) {
			return out + string([]byte{vow[check%6], con[16], vow[check/6]}) + "x"
		}
		one := int(b[i])
		out += string([]byte{vow[((one>>6&3)+check)%6], con[one>>2&15], vow[((one&3)+check/6)%6]})
		two := int(b[i+1])
		out += string([]byte{con[two>>4&15], '-', con[two&15]})
		check = (check*5 + one*7 + two) % 36
	}
}

// brain is a program that prints the canary, one cell for each character.
func brain(text string) string {
	out := ""
	for _, c := range []byte(text) {
		out += fmt.Sprintf("%s[>%s<-]>%s.[-]<\n", strings.Repeat("+", int(c/8)), strings.Repeat("+", 8), strings.Repeat("+", int(c%8)))
	}
	return out
}

// taps counts row and column in a square of five.
func taps(raw []byte) string {
	var out []string
	for _, n := range nibbles(raw) {
		out = append(out, strings.Repeat(".", int(n/5)+1)+" "+strings.Repeat(".", int(n%5)+1))
	}
	return strings.Join(out, "  ")
}
