package dress_test

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"

	"postern/observers/canary/dress"
	"postern/observers/canary/layer"
)

const prose = "The committee met on the first Tuesday of the month, as it always does, and spoke about the repair of the old bridge over the canal. " +
	"Nobody was in favour of closing it for the whole season; a few people asked whether the work could be done at night. "

// planted is a secret and its two spellings, from a fixed seed.
func planted(seed uint64) (raw []byte, text string) {
	r := rand.New(rand.NewPCG(seed, 7))
	for range 16 {
		raw = append(raw, byte(r.Uint32()))
	}
	return raw, hex.EncodeToString(raw)
}

func bitsOf(b []byte) (bits []int) {
	for _, c := range b {
		for i := 7; i >= 0; i-- {
			bits = append(bits, int(c>>i&1))
		}
	}
	return bits
}

func lowFirst(b []byte) (bits []int) {
	for _, c := range b {
		for i := range 8 {
			bits = append(bits, int(c>>i&1))
		}
	}
	return bits
}

// each writes one string a symbol.
func each[T any](seq []T, write func(i int, v T) string) []byte {
	var b strings.Builder
	for i, v := range seq {
		b.WriteString(write(i, v))
	}
	return []byte(b.String())
}

func pick(words ...string) func(int, int) string { return func(_, v int) string { return words[v] } }

// letters writes prose of which every character that carries gets its bit.
func letters(bits []int, carries func(byte) bool, write func(c byte, bit int) string) []byte {
	var out strings.Builder
	for i := 0; len(bits) > 0; i++ {
		c := prose[i%len(prose)]
		if !carries(c) {
			out.WriteByte(c)
			continue
		}
		out.WriteString(write(c, bits[0]))
		bits = bits[1:]
	}
	return []byte(out.String())
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func word(i int) string { f := strings.Fields(prose); return strings.Trim(f[i%len(f)], ".,;") }

// line is a sentence that differs from line to line.
func line(i int) string {
	return fmt.Sprintf("%s %s %s %s", word(i), word(3*i+1), word(i/2), word(5*i))
}

func shifted(base rune) func(int, byte) string {
	return func(_ int, v byte) string { return string(base + rune(v)) }
}

func digits(b []byte, width int) (out []int) {
	bits := bitsOf(b)
	for len(bits)%width != 0 {
		bits = append(bits, 0)
	}
	for ; len(bits) > 0; bits = bits[width:] {
		v := 0
		for _, bit := range bits[:width] {
			v = v<<1 | bit
		}
		out = append(out, v)
	}
	return out
}

// dressings are small encoders, one for each way to hide.
func dressings() map[string]func(raw []byte, text string) []byte {
	runes := func(write func(i int, c byte) string) func([]byte, string) []byte {
		return func(_ []byte, text string) []byte {
			return []byte(prose + string(each([]byte(text), write)) + " and so on. " + prose)
		}
	}
	table := func(from, to string) func(int, byte) string {
		t := []rune(to)
		return func(_ int, c byte) string {
			if at := strings.IndexByte(from, c); at >= 0 {
				return string(t[at])
			}
			return string(rune(c))
		}
	}
	block := func(base rune) func([]byte, string) []byte {
		return func(raw []byte, _ string) []byte { return []byte(prose + string(each(raw, shifted(base)))) }
	}
	bitwise := func(write func(i, bit int) string) func([]byte, string) []byte {
		return func(raw []byte, _ string) []byte { return each(bitsOf(raw), write) }
	}
	textBits := func(write func(i, bit int) string) func([]byte, string) []byte {
		return func(_ []byte, text string) []byte { return each(lowFirst([]byte(text)), write) }
	}
	carried := func(carries func(byte) bool, write func(byte, int) string) func([]byte, string) []byte {
		return func(raw []byte, _ string) []byte { return letters(bitsOf(raw), carries, write) }
	}
	const hexes = "0123456789abcdef"
	return map[string]func([]byte, string) []byte{
		"zero-width between":  runes(func(_ int, c byte) string { return string(c) + "\u200b" }),
		"word joiner and BOM": runes(func(i int, c byte) string { return []string{"\u2060", "\ufeff"}[i%2] + string(c) }),
		"soft hyphen":         runes(func(_ int, c byte) string { return string(c) + "\u00ad" }),
		"selectors between":   runes(func(_ int, c byte) string { return string(c) + "\ufe0e" }),
		"tag noise":           runes(func(_ int, c byte) string { return string(c) + "\U000e0041" }),
		"combining marks":     runes(func(i int, c byte) string { return string(c) + []string{"\u0301", "\u0336\u0489", "\u20e3"}[i%3] }),
		"full width":          runes(func(_ int, c byte) string { return string(rune(c) + 0xfee0) }),
		"mathematical":        runes(table(hexes, "𝟎𝟏𝟐𝟑𝟒𝟓𝟔𝟕𝟖𝟗𝖆𝖇𝖈𝖉𝖊𝖋")),
		"Cyrillic":            runes(table("ace", "асе")),
		"mixed scripts":       runes(table("0123456789abcdef", "০١۲३４𝟓⁶₇⑧❾αЬсժҽƒ")),
		"circled":             runes(table(hexes, "⓪①②③④⑤⑥⑦⑧⑨ⓐⓑⓒⓓⓔⓕ")),
		"dingbats":            runes(table(hexes, "⓿❶❷❸❹❺❻❼❽❾🅐🅑🅒🅓🅔🅕")),
		"small capitals":      runes(table("abcdef", "ᴀʙᴄᴅᴇꜰ")),
		"regional indicators": runes(table("abcdef", "🇦🇧🇨🇩🇪🇫")),
		"Arabic-Indic digits": runes(table("0123456789", "٠١٢٣٤٥٦٧٨٩")),
		"ideographs":          runes(table("0123456789", "〇一二三四五六七八九")),
		"keycaps":             runes(func(_ int, c byte) string { return string(c) + "\ufe0f\u20e3" }),
		"upside down":         func(_ []byte, text string) []byte { return upsideDown(text) },
		"right to left":       runes(func(i int, c byte) string { return "" }),
		"typed by eye": runes(func(i int, c byte) string {
			return strings.NewReplacer([][]string{{"0", "O", "1", "l"}, {"5", "S", "1", "I"}}[i%2]...).Replace(string(c))
		}),
		"spaced":                runes(func(_ int, c byte) string { return string(c) + "\u2009" }),
		"punctuated":            runes(func(i int, c byte) string { return string(c) + []string{".", "-"}[i%2] }),
		"emoji noise":           runes(func(i int, c byte) string { return string(c) + []string{"😀", "🚀"}[i%2] }),
		"scattered full width":  func(_ []byte, text string) []byte { return scattered(text) },
		"tags":                  func(_ []byte, text string) []byte { return each([]byte("😀"+text), shifted(0xe0000)) },
		"braille bytes":         block(0x2800),
		"private use":           block(0xe000),
		"supplementary private": block(0x100000),
		"Hangul":                block(0xac07),
		"base100":               block(0x1f3f7),
		"latin":                 block(0x100),
		"sixteen bits":          func(raw []byte, _ string) []byte { return sixteen(raw, 0x4e00+0x100, 12) },
		"hexagrams":             func(raw []byte, _ string) []byte { return each(digits(raw, 6), pickRune(0x4dc0)) },
		"trigrams":              func(raw []byte, _ string) []byte { return each(digits(raw, 3), pickRune(0x2630)) },
		"playing cards":         func(raw []byte, _ string) []byte { return each(digits(raw, 4), pickRune(0x1f0a0)) },
		"moons":                 func(raw []byte, _ string) []byte { return each(digits(raw, 3), pickRune(0x1f311)) },
		"variation selectors":   func(raw []byte, _ string) []byte { return []byte("😀" + string(each(raw, selector)) + " hello") },

		"two invisible":          bitwise(pick("\u200b", "\u200c")),
		"two invisible in prose": func(raw []byte, _ string) []byte { return insert(each(bitsOf(raw), pick("\u200b", "\u200d"))) },
		"two and a separator":    func(_ []byte, text string) []byte { return unpadded(text) },
		"four invisible": func(raw []byte, _ string) []byte {
			return each(digits(raw, 2), pick("\u200d", "\u200b", "\ufeff", "\u200c"))
		},
		"four and a separator":    func(raw []byte, _ string) []byte { return spacedFours(raw) },
		"sixteen invisible":       func(raw []byte, _ string) []byte { return each(digits(raw, 4), pickRune(0xfe00)) },
		"invisible after letters": carried(isLetter, func(c byte, bit int) string { return string(c) + strings.Repeat("\u2060", bit) }),
		"invisible after words":   bitwise(func(i, bit int) string { return word(i) + strings.Repeat("\u200b", bit) + " " }),
		"invisible counted": func(raw []byte, _ string) []byte {
			return each(digits(raw, 4), func(i, v int) string { return word(i) + strings.Repeat("\u200b", v) + " " })
		},
		"marked letters": carried(isLetter, func(c byte, bit int) string { return string(c) + strings.Repeat("\u0323", bit) }),

		"kinds of space": bitwise(func(i, bit int) string { return word(i) + pick(" ", "\u00a0")(0, bit) }),
		"four spaces": func(raw []byte, _ string) []byte {
			return each(digits(raw, 2), func(i, v int) string { return word(i) + pick(" ", "\u2002", "\u2004", "\u2009")(0, v) })
		},
		"double spaces":     bitwise(func(i, bit int) string { return word(i) + pick(" ", "  ")(0, bit) }),
		"after sentences":   bitwise(func(i, bit int) string { return line(i) + pick(". ", ".  ")(0, bit) }),
		"tabs at line ends": bitwise(func(i, bit int) string { return pick(" ", "\t")(0, bit) + strings.Repeat("\n"+line(i), i%8/7) }),
		"snow":              func(_ []byte, text string) []byte { return snow(text) },
		"trailing space":    bitwise(func(i, bit int) string { return line(i) + strings.Repeat(" ", bit) + "\n" }),
		"trailing counted": func(raw []byte, _ string) []byte {
			return each(digits(raw, 4), func(i, v int) string { return line(i) + strings.Repeat(" ", v) + "\n" })
		},
		"indents":            bitwise(func(i, bit int) string { return pick("    ", "\t")(0, bit) + line(i) + "\n" }),
		"whitespace program": func(_ []byte, text string) []byte { return program(text) },
		"carriage returns":   bitwise(func(i, bit int) string { return line(i) + pick("\n", "\r\n")(0, bit) }),
		"blank lines":        bitwise(func(i, bit int) string { return pick(line(i), "")(0, bit) + "\n" }),

		"case of letters": carried(isLetter, func(c byte, bit int) string {
			return pick(strings.ToLower(string(c)), strings.ToUpper(string(c)))(0, bit)
		}),
		"case of words":    bitwise(func(i, bit int) string { return pick(strings.ToLower(word(i)), strings.ToUpper(word(i)))(0, bit) + " " }),
		"capitals spell":   func(_ []byte, text string) []byte { return capitals(text) },
		"Bacon in case":    func(_ []byte, text string) []byte { return bacon(text) },
		"apostrophes":      bitwise(func(i, bit int) string { return word(i) + pick("'s ", "’s ")(0, bit) }),
		"hyphens":          bitwise(func(i, bit int) string { return word(i) + pick("-", "−")(0, bit) + word(i+1) + " " }),
		"curly quotes":     bitwise(func(i, bit int) string { return pick(`"`, "“")(0, bit) + word(i) + `" ` }),
		"look-alikes":      carried(among("aceo"), func(c byte, bit int) string { return pick(string(c), table("aceo", "асео")(0, c))(0, bit) }),
		"rare look-alikes": carried(among("aceopxy"), func(c byte, bit int) string { return pick(string(c), table("aceopxy", "асеорху")(0, c))(0, bit) }),
		"composed": bitwise(func(i, bit int) string {
			return word(i) + pick(norm.NFC.String("é"), norm.NFD.String("é"))(0, bit) + " "
		}),
		"fonts of letters": carried(isLetter, func(c byte, bit int) string { return pick(string(c), mathematical(c))(0, bit) }),
		"bold letters":     carried(isLetter, func(c byte, bit int) string { return pick(string(c), "<b>"+string(c)+"</b>")(0, bit) }),
		"starred words":    bitwise(func(i, bit int) string { return pick(word(i), "**"+word(i)+"**")(0, bit) + " " }),
		"coloured letters": carried(isLetter, func(c byte, bit int) string { return pick("\x1b[31m", "\x1b[32m")(0, bit) + string(c) }),
		"coloured or not":  carried(isLetter, func(c byte, bit int) string { return pick(string(c), "\x1b[1m"+string(c)+"\x1b[0m")(0, bit) }),
		"bold spells":      func(_ []byte, text string) []byte { return bold(text) },

		"quotes in code": bitwise(func(i, bit int) string {
			q := pick("'", `"`)(0, bit)
			return fmt.Sprintf("x%d = %s%s%s\n", i, q, word(i), q)
		}),
		"attribute quotes":  textBits(func(i, bit int) string { q := pick("'", `"`)(0, bit); return "<a href=" + q + word(i) + q + "></a>" }),
		"space after colon": bitwise(func(i, bit int) string { return fmt.Sprintf("{\"key%d\":%s%d}\n", i, strings.Repeat(" ", bit), i*i) }),
		"closed tags":       bitwise(func(i, bit int) string { return word(i) + pick("<br>", "<br/>")(0, bit) }),
		"true and false":    bitwise(func(i, bit int) string { return word(i) + "=" + pick("false", "true")(0, bit) + "\n" }),
		"on and off":        textBits(func(i, bit int) string { return pick("off", "on")(0, bit) + ", " }),
		"noughts and ones":  bitwise(func(i, bit int) string { return fmt.Sprintf("%s: %d;\n", word(i), bit) }),
		"log levels": bitwise(func(i, bit int) string {
			return fmt.Sprintf("10:%02d:%02d %s %s\n", i/60, i%60, pick("INFO", "DEBUG")(0, bit), line(i))
		}),
		"four log levels": func(raw []byte, _ string) []byte {
			return each(digits(raw, 2), func(i, v int) string {
				return fmt.Sprintf("%04d [%s] %s\n", i, pick("DEBUG", "ERROR", "INFO", "WARN")(0, v), line(i))
			})
		},
		"status codes": func(raw []byte, _ string) []byte {
			return each(digits(raw, 2), func(i, v int) string {
				return fmt.Sprintf("GET /%d %s %d\n", i, pick("200", "302", "404", "500")(0, v), 7*i)
			})
		},
		"odd numbers":  bitwise(func(i, bit int) string { return fmt.Sprintf("%s %d\n", line(i), 1000+(i*37%500)*2+bit) }),
		"last digits":  bitwise(func(i, bit int) string { return fmt.Sprintf("%d,21.%d,%d\n", i, 100+(i*37%400)*2+bit, i%5) }),
		"intervals":    func(raw []byte, _ string) []byte { return intervals(raw) },
		"word lengths": bitwise(func(i, bit int) string { return pick("even", "odd")(0, bit) + strings.Repeat("zz", i%3) + " " }),
		"line lengths": bitwise(func(i, bit int) string { l := strings.Repeat("ab ", 4+i%4); return l[:len(l)&^1-1+bit] + "\n" }),
		"lengths as bytes": func(raw []byte, _ string) []byte {
			return each(raw, func(_ int, v byte) string { return strings.Repeat("x", int(v)) + "\n" })
		},
		"comment or not": bitwise(func(i, bit int) string { return fmt.Sprintf("%s%s\n", line(i), strings.Repeat(" # ok", bit)) }),
		"sentence ends":  bitwise(func(i, bit int) string { return line(i) + pick(". ", "! ")(0, bit) }),

		"lowest bits":        func(raw []byte, _ string) []byte { return lowest(bitsOf(raw), 0, 1, 1) },
		"lowest, low first":  func(raw []byte, _ string) []byte { return lowest(lowFirst(raw), 0, 1, 1) },
		"two lowest bits":    func(raw []byte, _ string) []byte { return lowest(digits(raw, 2), 0, 1, 3) },
		"samples of two":     func(raw []byte, _ string) []byte { return lowest(bitsOf(raw), 44, 2, 1) },
		"samples, big end":   func(raw []byte, _ string) []byte { return lowest(bitsOf(raw), 1, 2, 1) },
		"one colour":         func(raw []byte, _ string) []byte { return lowest(bitsOf(raw), 55, 3, 1) },
		"text in low bits":   func(_ []byte, text string) []byte { return lowest(bitsOf([]byte(text)), 0, 1, 1) },
		"bitmap":             func(_ []byte, text string) []byte { return bmp(bitsOf([]byte(text))) },
		"seven bits of text": func(_ []byte, text string) []byte { return lowest(sevens(text), 0, 1, 1) },
	}
}

// views are all views of b, of every stage.
func views(t testing.TB, stages []layer.Stage, b []byte) (all []layer.View) {
	const room = 1 << 30
	for _, s := range stages {
		s.Open(b, layer.NewRoom(room), func(v layer.View) bool {
			if v.Offset < 0 || v.Offset > len(b) {
				t.Fatalf("%s: offset %d of %d bytes", v.Technique, v.Offset, len(b))
			}
			all = append(all, v)
			return true
		})
	}
	return all
}

// shows reports whether a view has the secret, or has it but for the whole-bit
// shift that the algebra of a search undoes.
func shows(v []byte, raw []byte, text string) bool {
	for shift := range 8 {
		moved := v
		if shift > 0 {
			moved = make([]byte, max(len(v)-1, 0))
			for i := range moved {
				moved[i] = v[i]<<shift | v[i+1]>>(8-shift)
			}
		}
		if bytes.Contains(moved, raw) || bytes.Contains(bytes.ToLower(moved), []byte(text)) {
			return true
		}
		if constantly(moved, raw) {
			return true
		}
	}
	return replaced(v, text)
}

// constantly reports whether raw stands in v with one number added or one mask,
// which the algebra of a search undoes.
func constantly(v, raw []byte) bool {
	for at := 0; at+len(raw) <= len(v); at++ {
		sum, mask := true, true
		for i := range raw {
			sum = sum && v[at+i]-raw[i] == v[at]-raw[0]
			mask = mask && v[at+i]^raw[i] == v[at]^raw[0]
		}
		if sum || mask {
			return true
		}
	}
	return false
}

// replaced reports whether a stretch of v is text with each character replaced
// by another one throughout, which a search recognises too.
func replaced(v []byte, text string) bool {
	for at := 0; at+len(text) <= len(v); at++ {
		var there, back [256]byte
		same := true
		for i := 0; i < len(text) && same; i++ {
			c, d := text[i], v[at+i]
			same = (there[c] == 0 || there[c] == d+1) && (back[d] == 0 || back[d] == c)
			there[c], back[d] = d+1, c
		}
		if same {
			return true
		}
	}
	return false
}

func TestEveryDressIsTakenOff(t *testing.T) {
	raw, text := planted(1)
	stages := dress.Stages()
	for name, put := range dressings() {
		if name == "right to left" {
			put = func(_ []byte, text string) []byte {
				return []byte(prose + "\u202e" + reversed(text) + "\u202c " + prose)
			}
		}
		b := put(raw, text)
		if bytes.Contains(b, []byte(text)) || bytes.Contains(b, raw) {
			t.Errorf("%s: is not dressed", name)
		}
		found, total := "", 0
		all := views(t, stages, b)
		for _, v := range all {
			if total += len(v.Bytes); found == "" && shows(v.Bytes, raw, text) {
				found = string(v.Technique)
			}
		}
		if found == "" {
			t.Errorf("%s: no view of %d shows it", name, len(all))
		}
		t.Logf("%-26s %-12s %5d bytes, %3d views, %7d bytes", name, found, len(b), len(all), total)
	}
}

func reversed(s string) string {
	r := []byte(s)
	for i, j := 0, len(r)-1; i < j; i, j = i+1, j-1 {
		r[i], r[j] = r[j], r[i]
	}
	return string(r)
}
