package text_test

import (
	"encoding/binary"
	"fmt"
	"strings"
)

func wordDresses() []dress {
	word := func(list string) func(c byte) string {
		words := strings.Fields(list)
		return func(c byte) string { return words[strings.IndexByte("0123456789abcdef", c)] }
	}
	nato := word("zero one two three four five six seven eight nine alpha bravo charlie delta echo foxtrot")
	morse := func(c byte) string { return morseOf[strings.IndexByte("0123456789abcdef", c)] }
	say := func(c byte) string {
		return strings.TrimSpace(strings.NewReplacer(".", "dot ", "-", "dash ").Replace(morse(c)))
	}
	dah := func(c byte) string {
		return strings.Trim(strings.NewReplacer(".", "di-", "-", "dah-").Replace(morse(c)), "-")
	}
	return []dress{
		{"nato", each(secretText, " ", nato), 0},
		{"nato capitals", strings.ToUpper(each(secretText, ", ", nato)), 0},
		{"radio", each(secretText, "-", word("zero wun too tree fower fife six seven ait niner alfa bravo charlie delta echo foxtrot")), 0},
		{"able baker", each(secretText, " ", word("zero one two three four five six seven eight nine able baker charlie dog easy fox")), 0},
		{"spelled with letters", each(secretText, " ", word("zero one two three four five six seven eight nine a b c d e f")), 0},
		{"numbers in words", each(secretText, ", ", inWords), 0},
		{"numbers in words, and", strings.ReplaceAll(each(secretText, ", ", inWords), "hundred ", "hundred and "), 0},
		{"morse", each(secretText, " ", morse), 0},
		{"morse slashes", each(secretText, "/", morse), 0},
		{"morse lines", each(secretText, "\n", morse), 0},
		{"morse typographic", strings.NewReplacer(".", "·", "-", "−").Replace(each(secretText, " ", morse)), 0},
		{"morse in words", each(secretText, " / ", say), 0},
		{"morse in sounds", each(secretText, " ", dah), 0},
		{"tap code", tapCode(), 0},
		{"pgp words", pgp(), 0},
		{"proquints", quints(), 0},
		{"bubble babble", babble(secretText), 0},
	}
}

// tapCode writes the secret on a square of six.
func tapCode() string {
	return " " + each(secretText, "  ", func(c byte) string {
		i := strings.IndexByte("abcdefghijklmnopqrstuvwxyz0123456789", c)
		return strings.Repeat(".", i/6+1) + " " + strings.Repeat(".", i%6+1)
	})
}

func inWords(c byte) string {
	ones := strings.Fields("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen")
	tens := strings.Fields("- - twenty thirty forty fifty sixty seventy eighty ninety")
	switch n := int(c); {
	case n >= 100 && n%100 == 0:
		return ones[n/100] + " hundred"
	case n >= 100:
		return ones[n/100] + " hundred " + inWords(byte(n%100))
	case n >= 20 && n%10 > 0:
		return tens[n/10] + "-" + ones[n%10]
	case n >= 20:
		return tens[n/10]
	default:
		return ones[n]
	}
}

// pgp is the raw bytes in the words of the list, alternately of both halves.
func pgp() string {
	return "dogsled integrate Algol replica trauma bravado flagpole specialist peachy integrate " +
		"ribcage cumbersome baboon provincial standard hamburger"
}

func quints() string {
	const consonants, vowels = "bdfghjklmnprstvz", "aiou"
	var words []string
	for r := secretRaw(); len(r) > 0; r = r[2:] {
		v := binary.BigEndian.Uint16(r)
		words = append(words, string([]byte{consonants[v>>12], vowels[v>>10&3], consonants[v>>6&15], vowels[v>>4&3], consonants[v&15]}))
	}
	return strings.Join(words, "-")
}

// babble follows the description by Huima (2001).
func babble(s string) string {
	const vowels, consonants = "aeiouy", "bcdfghklmnprstvzx"
	d, sum := []byte("x"), 1
	for i := 0; ; i += 2 {
		if i >= len(s) {
			return string(append(d, vowels[sum%6], consonants[16], vowels[sum/6], 'x'))
		}
		a := int(s[i])
		d = append(d, vowels[(a>>6+sum)%6], consonants[a>>2&15], vowels[(a&3+sum/6)%6])
		if i+1 >= len(s) {
			return string(append(d, 'x'))
		}
		b := int(s[i+1])
		d = append(d, consonants[b>>4], '-', consonants[b&15])
		sum = (sum*5 + a*7 + b) % 36
	}
}

func codeDresses() []dress {
	brain := ""
	at := byte(0)
	for i := range len(secretText) {
		c := secretText[i]
		if c >= at {
			brain += strings.Repeat("+", int(c-at))
		} else {
			brain += strings.Repeat("-", int(at-c))
		}
		brain += "."
		at = c
	}
	return []dress{
		{"string parts", wrap(secretText, 5, `"`, `" + `), 0},
		{"string parts over lines", wrap(secretText, 5, "\n   '", `' .`), 0},
		{"string parts in an array", "[" + wrap(secretText, 6, `"`, `",`) + "]", 0},
		{"brainfuck", brain, 0},
		{"brainfuck with loops", "++++++++++[>+++++>++++++++++<<-]>" + brainFrom(50), 0},
		{"whitespace", each(secretText, "", func(c byte) string {
			return "   " + strings.NewReplacer("0", " ", "1", "\t").Replace(fmt.Sprintf("%b", c)) + "\n\t\n  "
		}), 0},
		{"reversed percent", reverse(each(secretText, "", format("%%%02x"))), 2},
	}
}

func brainFrom(at byte) string {
	var b strings.Builder
	for i := range len(secretText) {
		for ; at < secretText[i]; at++ {
			b.WriteByte('+')
		}
		for ; at > secretText[i]; at-- {
			b.WriteByte('-')
		}
		b.WriteByte('.')
	}
	return b.String()
}
