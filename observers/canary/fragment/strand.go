package fragment

import (
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"math"
	"strings"

	"postern/observers/canary/secret"
)

// strand is one sequence of symbols that a secret alone decides, and in which a
// piece of it may be seen.
type strand struct {
	secret  int
	family  family
	symbols []byte // lower case where the family takes no notice of the case
	bits    float64
	least   int // symbols that are enough at any size of input
	back    bool
	whole   int
}

type family int

const (
	rawBytes family = iota
	digits
	base64Text
	base32Text
	phraseText // a text that is not hexadecimal
)

func (f family) folded() bool { return f != rawBytes && f != base64Text }

// What is enough at any size of input, about 48 bits of the secret.
const (
	leastRaw    = 6
	leastDigits = 12
	least64     = 11 // of the bytes: 66 bits, as four in five words that are sampled must be inside
	least64Text = 16 // of the digits: a symbol holds three bits of the secret
	least32     = 14
	least32Text = 20
	leastPhrase = 12 // characters of a text that is not hexadecimal
	minDigitSet = 6  // different digits, or all that is plain would be a piece
)

// strands lists those of one secret. Short or plain ones have none.
func strands(number int, s secret.Secret) []strand {
	raw := s.Raw()
	if len(raw) < 8 {
		return phrase(number, s)
	}
	small := hex.EncodeToString(raw)
	if different(small) < minDigitSet {
		return nil
	}
	base := strand{secret: number, whole: s.Bits()}
	out := base.bothWays(rawBytes, string(raw), 8, leastRaw)
	out = append(out, base.bothWays(digits, small, 4, leastDigits)...)
	out = append(out, base.encoded(string(raw), 8, least64, least32)...)
	out = append(out, base.encoded(small, 4, least64Text, least32Text)...)
	if upper := strings.ToUpper(small); upper != small {
		out = append(out, base.encoded(upper, 4, least64Text, least32Text)...)
	}
	return out
}

func different(text string) int {
	set := map[rune]bool{}
	for _, c := range text {
		set[c] = true
	}
	return len(set)
}

// phrase is a text of any characters.
func phrase(number int, s secret.Secret) []strand {
	text := string(s.Text())
	if len(s.Raw()) > 0 || len(text) < leastPhrase || different(text) < minDigitSet {
		return nil
	}
	base := strand{secret: number, whole: s.Bits()}
	return base.bothWays(phraseText, lowered(text), 8, leastPhrase)
}

func (s strand) bothWays(f family, symbols string, bits float64, least int) []strand {
	s.family, s.symbols, s.bits, s.least = f, []byte(symbols), bits, least
	back := s
	back.back, back.symbols = true, make([]byte, len(symbols))
	for i := range len(symbols) {
		back.symbols[len(symbols)-1-i] = symbols[i]
	}
	return []strand{s, back}
}

// encoded lists x in base64 and base32 at every place that it may have in a
// longer text; perByte is how many bits of the secret a byte of it holds.
func (s strand) encoded(x string, perByte float64, least64, least32 int) []strand {
	var out []strand
	for before := range 3 {
		text := base64.RawStdEncoding.EncodeToString([]byte(strings.Repeat("\x00", before) + x))
		out = append(out, s.trimmed(base64Text, text, before, len(x), 6, perByte*6/8, least64))
	}
	for _, e := range []*base32.Encoding{base32.StdEncoding, base32.HexEncoding} {
		for before := range 5 {
			text := e.WithPadding(base32.NoPadding).EncodeToString([]byte(strings.Repeat("\x00", before) + x))
			out = append(out, s.trimmed(base32Text, strings.ToLower(text), before, len(x), 5, perByte*5/8, least32))
		}
	}
	return out
}

// trimmed keeps the symbols that n bytes after the first ones decide alone.
func (s strand) trimmed(f family, text string, before, n, width int, bits float64, least int) strand {
	first, last := (8*before+width-1)/width, 8*(before+n)/width
	s.family, s.symbols, s.bits, s.least = f, []byte(text[first:last]), bits, least
	return s
}

// inOrder is which symbols of the secret those from lo to hi are, whichever way
// they were read.
func (s *strand) inOrder(lo, hi int) (int, int) {
	if s.back {
		return len(s.symbols) - hi, len(s.symbols) - lo
	}
	return lo, hi
}

// holds is how many bits of the secret n symbols hold, rounded down.
func (s *strand) holds(n int) int {
	return min(int(math.Floor(float64(n)*s.bits)), s.whole)
}

// tells reports whether the symbols from lo to hi are more than words: a letter
// of a phrase is worth two bits, anything else six.
func (s *strand) tells(lo, hi int) bool {
	if s.family != phraseText {
		return true
	}
	worth := 0
	for _, c := range s.symbols[lo:hi] {
		if c >= 'a' && c <= 'z' || c == ' ' {
			worth += 2
		} else {
			worth += 6
		}
	}
	return worth >= 8*leastRaw
}

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c | 0x20
	}
	return c
}

func lowered(text string) string {
	out := []byte(text)
	for i, c := range out {
		out[i] = lower(c)
	}
	return string(out)
}

// same compares a symbol with a byte of the input.
func (s *strand) same(c, symbol byte) bool {
	switch {
	case s.family.folded():
		return lower(c) == symbol
	case s.family == base64Text && c == '-':
		return symbol == '+'
	case s.family == base64Text && c == '_':
		return symbol == '/'
	}
	return c == symbol
}
