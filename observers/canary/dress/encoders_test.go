package dress_test

import (
	"encoding/binary"
	"math/rand/v2"
	"strconv"
	"strings"
)

func among(set string) func(byte) bool {
	return func(c byte) bool { return strings.IndexByte(set, c) >= 0 }
}

func pickRune(base rune) func(int, int) string {
	return func(_, v int) string { return string(base + rune(v)) }
}

func selector(_ int, v byte) string {
	if v < 16 {
		return string(rune(0xfe00) + rune(v))
	}
	return string(rune(0xe0100) + rune(v) - 16)
}

func mathematical(c byte) string {
	if c >= 'a' {
		return string(rune(0x1d41a) + rune(c-'a'))
	}
	return string(rune(0x1d400) + rune(c-'A'))
}

func upsideDown(text string) []byte {
	to := []rune("0ƖᄅƐㄣϛ9ㄥ86ɐqɔpǝɟ")
	return each([]byte(reversed(text)), func(_ int, c byte) string {
		return string(to[strings.IndexByte("0123456789abcdef", c)])
	})
}

func scattered(text string) []byte {
	return each([]byte(text), func(i int, c byte) string { return word(i) + " " + string(rune(c)+0xfee0) + " " })
}

// sixteen writes groups of bits as characters from a base on.
func sixteen(raw []byte, base rune, _ int) []byte {
	var out []rune
	for i := 0; i+1 < len(raw); i += 2 {
		out = append(out, 0x20000+rune(raw[i])<<8+rune(raw[i+1]))
	}
	return []byte(string(out))
}

// insert puts invisible characters between the words of prose.
func insert(hidden []byte) []byte {
	r := []rune(string(hidden))
	var b strings.Builder
	for i := 0; len(r) > 0; i++ {
		n := min(5, len(r))
		b.WriteString(word(i) + string(r[:n]) + " ")
		r = r[n:]
	}
	return []byte(b.String())
}

// unpadded writes each character as a binary number without leading zeros.
func unpadded(text string) []byte {
	return each([]byte(text), func(_ int, c byte) string {
		digits := strconv.FormatInt(int64(c), 2)
		return strings.NewReplacer("0", "\u200b", "1", "\u200c").Replace(digits) + "\u200d"
	})
}

func spacedFours(raw []byte) []byte {
	return each(digits(raw, 2), func(i, v int) string {
		return pick("\u200b", "\u200c", "\u200d", "\u2062")(0, v) + strings.Repeat("\ufeff", i%4/3)
	})
}

// snow writes three bits as a number of spaces, between tabs.
func snow(text string) []byte {
	return each(digits([]byte(text), 3), func(i, v int) string {
		s := strings.Repeat(" ", v&1<<2|v&2|v>>2) + "\t"
		if i%8 == 7 {
			s += "\n" + line(i)
		}
		return s
	})
}

// program writes text in the language of white space: push, then print.
func program(text string) []byte {
	return each([]byte(text), func(_ int, c byte) string {
		return "   " + strings.NewReplacer("0", " ", "1", "\t").Replace(strconv.FormatInt(int64(c), 2)) + "\n\t\n  "
	})
}

func capitals(text string) []byte {
	return each([]byte(text), func(i int, c byte) string {
		if c >= 'a' {
			return strings.ToLower(word(i)) + strings.ToUpper(string(c)) + "r "
		}
		return string(rune('A')+rune(c-'0')+10) + "x "
	})
}

func bacon(text string) []byte {
	var bits []int
	for _, c := range []byte(text) {
		v := int(c-'a') & 31
		if c <= '9' {
			v = 16 + int(c-'0')
		}
		for i := 4; i >= 0; i-- {
			bits = append(bits, v>>i&1)
		}
	}
	return letters(bits, isLetter, func(c byte, bit int) string {
		return pick(strings.ToLower(string(c)), strings.ToUpper(string(c)))(0, bit)
	})
}

func bold(text string) []byte {
	return each([]byte(text), func(i int, c byte) string { return word(i) + "<b>" + string(c) + "</b> " })
}

// lowest writes values into the low bits of noise.
func lowest(values []int, skip, stride int, mask byte) []byte {
	r := rand.New(rand.NewPCG(3, 3))
	b := make([]byte, skip+stride*(len(values)+64))
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	for i, v := range values {
		at := &b[skip+i*stride]
		*at = *at&^mask | byte(v)
	}
	return b
}

func sevens(text string) (bits []int) {
	for _, c := range []byte(text) {
		for i := 6; i >= 0; i-- {
			bits = append(bits, int(c>>i&1))
		}
	}
	return bits
}

// bmp hides bits in the pixels from the top left, red first.
func bmp(bits []int) []byte {
	const width, height, row = 10, 12, 32
	b := make([]byte, 54+row*height)
	copy(b, "BM")
	binary.LittleEndian.PutUint32(b[10:], 54)
	binary.LittleEndian.PutUint32(b[18:], width)
	binary.LittleEndian.PutUint32(b[22:], height)
	binary.LittleEndian.PutUint16(b[28:], 24)
	for i, bit := range bits {
		pixel, channel := i/3, i%3
		at := 54 + (height-1-pixel/width)*row + pixel%width*3 + 2 - channel
		b[at] = 0x80 | byte(bit)
	}
	return b
}

// intervals writes bits as the time between lines.
func intervals(raw []byte) []byte {
	at := 1000
	return append([]byte("1000 tick\n"), each(bitsOf(raw), func(_, bit int) string {
		at += 10 + 15*bit
		return strconv.Itoa(at) + " tick\n"
	})...)
}
