package algebra_test

import (
	"bytes"
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"postern/observers/canary/algebra"
	"postern/observers/canary/layer"
	"postern/observers/canary/secret"
)

// given is a secret with what the encoders need.
type given struct {
	secret.Secret
	raw          []byte
	lower, upper string
}

func random(seed uint64) given {
	r := rand.New(rand.NewPCG(seed, 5))
	raw := make([]byte, 16)
	for i := range raw {
		raw[i] = byte(r.Uint32())
	}
	text := hex.EncodeToString(raw)
	return given{secret.New([]byte(text), raw), raw, text, strings.ToUpper(text)}
}

// noise is what stands around an encoding.
func noise(seed uint64, n int) []byte {
	r := rand.New(rand.NewPCG(seed, 6))
	out := make([]byte, n)
	for i := range out {
		out[i] = byte(r.Uint32())
	}
	return out
}

func prose(seed uint64, words int) string {
	r := rand.New(rand.NewPCG(seed, 7))
	list := strings.Fields("the of and time letter stone river under because window garden seven often large quiet number paper light house through")
	var out strings.Builder
	for range words {
		out.WriteString(list[r.IntN(len(list))] + " ")
	}
	return out.String()
}

// each makes bytes of bytes, one by one.
func each(x []byte, f func(i int, c byte) byte) []byte {
	out := make([]byte, len(x))
	for i, c := range x {
		out[i] = f(i, c)
	}
	return out
}

func digits(text string, f func(i int, v int) string) []byte {
	var out bytes.Buffer
	for i, c := range text {
		out.WriteString(f(i, strings.IndexRune("0123456789abcdef", c)))
	}
	return out.Bytes()
}

func backwards(x []byte) []byte {
	return each(x, func(i int, _ byte) byte { return x[len(x)-1-i] })
}

// sampledIn puts some bits of x into each sample of noise, of which stride bytes
// are one.
func sampledIn(x []byte, width, stride, shift int) []byte {
	out := noise(41, len(x)*8/width*stride)
	for i := range len(x) * 8 / width {
		at := 8 - width - i*width%8
		p := &out[i*stride]
		*p = *p&^(byte(1<<width-1)<<shift) | x[i*width/8]>>at&byte(1<<width-1)<<shift
	}
	return out
}

// bitString packs figures 0 and 1 eight to a byte.
func bitString(s string) []byte {
	for len(s)%8 > 0 {
		s += "0"
	}
	out := make([]byte, len(s)/8)
	for i := range s {
		out[i/8] |= (s[i] - '0') << (7 - i%8)
	}
	return out
}

func allBits(x []byte, width int) string {
	var out strings.Builder
	for _, c := range x {
		fmt.Fprintf(&out, "%0*b", width, c)
	}
	return out.String()
}

type encoding struct {
	name   string
	encode func(given) []byte
}

// onBytes are tried on the raw bytes and the text in both cases, also backwards.
func onBytes() map[string]func(x []byte) []byte {
	key := func(n int) []byte { return noise(uint64(n)+100, n) }
	out := map[string]func([]byte) []byte{
		"xor counter":   func(x []byte) []byte { return each(x, func(i int, c byte) byte { return c ^ byte(0xF9+i) }) },
		"xor countdown": func(x []byte) []byte { return each(x, func(i int, c byte) byte { return c ^ byte(0x83-i) }) },
		"add counter":   func(x []byte) []byte { return each(x, func(i int, c byte) byte { return c + byte(7*i+3) }) },
		"subtract from": func(x []byte) []byte { return each(x, func(_ int, c byte) byte { return 0x5B - c }) },
		"complement":    func(x []byte) []byte { return each(x, func(_ int, c byte) byte { return ^c }) },
		"affine":        func(x []byte) []byte { return each(x, func(_ int, c byte) byte { return 37*c + 9 }) },
		"nibble swap":   func(x []byte) []byte { return each(x, func(_ int, c byte) byte { return c<<4 | c>>4 }) },
		"bit reversal":  func(x []byte) []byte { return each(x, func(_ int, c byte) byte { return bits.Reverse8(c) }) },
		"gray code":     func(x []byte) []byte { return each(x, func(_ int, c byte) byte { return c ^ c>>1 }) },
		"key of the same length before": func(x []byte) []byte {
			k := noise(40, len(x))
			return append(k, each(x, func(i int, c byte) byte { return c ^ k[i] })...)
		},
		"one low bit of each":        func(x []byte) []byte { return sampledIn(x, 1, 1, 0) },
		"one low bit of every third": func(x []byte) []byte { return sampledIn(x, 1, 3, 0) },
		"two low bits of each":       func(x []byte) []byte { return sampledIn(x, 2, 1, 0) },
		"low halves of every second": func(x []byte) []byte { return sampledIn(x, 4, 2, 0) },
		"the highest bit of each":    func(x []byte) []byte { return sampledIn(x, 1, 1, 7) },
		"rotate and xor": func(x []byte) []byte {
			return each(x, func(_ int, c byte) byte { return bits.RotateLeft8(c, 3) ^ 0x77 })
		},
		"xor delta": func(x []byte) []byte {
			return append([]byte{x[0]}, each(x[1:], func(i int, c byte) byte { return c ^ x[i] })...)
		},
		"delta": func(x []byte) []byte {
			return append([]byte{x[0]}, each(x[1:], func(i int, c byte) byte { return c - x[i] })...)
		},
		"running xor": func(x []byte) []byte {
			last := byte(0x42)
			return each(x, func(_ int, c byte) byte { last ^= c; return last })
		},
		"running xor and key": func(x []byte) []byte {
			last := byte(0x42)
			return each(x, func(_ int, c byte) byte { last ^= c ^ 0x1F; return last })
		},
		"running sum": func(x []byte) []byte {
			last := byte(0x42)
			return each(x, func(_ int, c byte) byte { last += c; return last })
		},
		"running sum and key": func(x []byte) []byte {
			last := byte(0x42)
			return each(x, func(_ int, c byte) byte { last += c + 0x31; return last })
		},
		"every 48th": func(x []byte) []byte { return apart(x, 48) },
		"7 bits in":  func(x []byte) []byte { return bitString("1011011" + allBits(x, 8)) },
		"3 bits in, lowest first": func(x []byte) []byte {
			return each(bitString("101"+allBits(each(x, func(_ int, c byte) byte { return bits.Reverse8(c) }), 8)), func(_ int, c byte) byte { return bits.Reverse8(c) })
		},
	}
	for n := 1; n <= 8; n++ {
		k := key(n)
		out[fmt.Sprint("xor key ", n)] = func(x []byte) []byte { return each(x, func(i int, c byte) byte { return c ^ k[i%n] }) }
		out[fmt.Sprint("add key ", n)] = func(x []byte) []byte { return each(x, func(i int, c byte) byte { return c + k[i%n] }) }
		out[fmt.Sprint("subtract key ", n)] = func(x []byte) []byte { return each(x, func(i int, c byte) byte { return c - k[i%n] }) }
		out[fmt.Sprint("rotate ", n%8)] = func(x []byte) []byte { return each(x, func(_ int, c byte) byte { return bits.RotateLeft8(c, n) }) }
		out[fmt.Sprint("stride ", n+1)] = func(x []byte) []byte { return apart(x, n+1) }
	}
	return out
}

// apart puts noise between the bytes.
func apart(x []byte, stride int) []byte {
	out := noise(uint64(stride), len(x)*stride)
	for i, c := range x {
		out[i*stride] = c
	}
	return out
}

const reversedAlphabet = "0123456789-zyxwvutsrqponmlkjihgfedcba_ZYXWVUTSRQPONMLKJIHGFEDCBA"

// onText are tried on the lower-case text.
func onText() map[string]func(text string) []byte {
	words := strings.Fields("alpha bravo charlie delta echo foxtrot golf hotel india juliet kilo lima mike november oscar papa")
	cards := strings.Fields("ace two three four five six seven eight nine ten jack queen king joker rook page")
	emoji := []string{"😀", "😁", "🚀", "❤️", "👍🏽", "👨‍👩‍👧", "🇫🇷", "🇩🇪", "🐍", "🌍", "⭐", "🍕", "🎲", "🏴‍☠️", "☕", "🎵"}
	key := []int{3, 17, 8, 25, 1, 30, 12}
	join := func(sep string, f func(v int) string) func(string) []byte {
		return func(text string) []byte {
			return bytes.TrimSuffix(digits(text, func(_, v int) string { return f(v) + sep }), []byte(sep))
		}
	}
	vigenere := func(alphabet string) func(string) []byte {
		return func(text string) []byte {
			return each([]byte(text), func(i int, c byte) byte {
				return alphabet[(strings.IndexByte(alphabet, c)+key[i%len(key)])%len(alphabet)]
			})
		}
	}
	out := map[string]func(string) []byte{
		"letters": join("", func(v int) string { return "qwertyuiopasdfgh"[v : v+1] }),
		"letters in fours": func(t string) []byte {
			return digits(t, func(i, v int) string { return "qwertyuiopasdfgh"[v:v+1] + strings.Repeat(" ", i%4/3) })
		},
		"words":       join(" ", func(v int) string { return words[v] }),
		"words, json": join(`", "`, func(v int) string { return words[v] }),
		"numbered words": func(t string) []byte {
			return digits(t, func(i, v int) string { return fmt.Sprintf("%d. %s\n", i, words[v]) })
		},
		"words in prose": func(t string) []byte {
			return digits(t, func(i, v int) string { return words[v] + " " + words[i%16] + " " })
		},
		"cards":            join(", ", func(v int) string { return cards[v] + " of hearts" }),
		"two words each":   join(" ", func(v int) string { return words[v/4] + " " + words[v%4] }),
		"emoji":            join("", func(v int) string { return emoji[v] }),
		"emoji and spaces": join(" ", func(v int) string { return emoji[v] }),
		"chess":            join("", func(v int) string { return string(rune(0x2654 + v%12 + v/12*0x100)) }),
		"codons":           join("", func(v int) string { return "acgt"[v/4:v/4+1] + "acgt"[v%4:v%4+1] + "t" }),
		"figures":          join("", func(v int) string { return fmt.Sprintf("%02d", 6*v+3) }),
		"three figures":    join(" ", func(v int) string { return fmt.Sprint(100 + 31*v) }),
		"eight wide":       join("", func(v int) string { return fmt.Sprintf("<%06d>", v*v) }),
		"utf-16 letters":   join("\x00", func(v int) string { return "qwertyuiopasdfgh"[v : v+1] }),
		"letters, noise": func(t string) []byte {
			return digits(t, func(i, v int) string { return "qwertyuiopasdfgh"[v:v+1] + string(noise(uint64(i), 2)) })
		},
		"word lengths": join(" ", func(v int) string { return strings.Repeat("x", v+1) }),
		"lines":        join("\n", func(v int) string { return "if x == " + fmt.Sprint(v*v) + " {" }),
		"line lengths": func(t string) []byte {
			return digits(t, func(i, v int) string { return prose(uint64(i), 12)[:v+20] + ".\n" })
		},
		"blanks": func(t string) []byte {
			return digits(t, func(i, v int) string { return words[i%7] + strings.Repeat(" ", v+1) })
		},
		"nibble table": func(t string) []byte {
			b, _ := hex.DecodeString(string(digits(t, func(_, v int) string { return "8f3a019c6d2e4b57"[v : v+1] })))
			return b
		},
		"five bits": func(t string) []byte {
			return bitString("101" + string(digits(t, func(_, v int) string { return fmt.Sprintf("%05b", v*2+1) })))
		},
		"six bits, table": func(t string) []byte {
			return bitString("1" + string(digits(t, func(_, v int) string { return fmt.Sprintf("%06b", (v*37+11)%64) })))
		},
		"seven-bit packed": func(t string) []byte { return bitString("11" + allBits([]byte(t), 7)) },
		"gsm packed": func(t string) []byte {
			reversed := each([]byte(t), func(_ int, c byte) byte { return bits.Reverse8(c) >> 1 })
			return each(bitString(allBits(reversed, 7)), func(_ int, c byte) byte { return bits.Reverse8(c) })
		},
		"own base64": func(t string) []byte {
			return []byte(base64.NewEncoding(reversedAlphabet).EncodeToString([]byte(t)))
		},
		"own base64, in a text": func(t string) []byte {
			return []byte(base64.NewEncoding(reversedAlphabet).EncodeToString([]byte("key=" + t + "&a=1")))
		},
		"own base32": func(t string) []byte {
			return []byte(base32.NewEncoding("ybndrfg8ejkmcpqxot1uwisza345h769").EncodeToString([]byte("a" + t)))
		},
		"twelve bits":  func(t string) []byte { return bitString(allBits([]byte(t), 12)) },
		"vigenere hex": vigenere("0123456789abcdef"),
		"vigenere 36":  vigenere("0123456789abcdefghijklmnopqrstuvwxyz"),
		"vigenere ascii": func(t string) []byte {
			return each([]byte(t), func(i int, c byte) byte { return ' ' + byte((int(c-' ')+3*key[i%7])%95) })
		},
		"vigenere letters": func(t string) []byte {
			at := 0
			return each([]byte(t), func(_ int, c byte) byte {
				if c < 'a' {
					return c
				}
				at++
				return 'a' + byte((int(c-'a')+key[at%3])%26)
			})
		},
		"rot47": func(t string) []byte { return each([]byte(t), func(_ int, c byte) byte { return '!' + (c-'!'+47)%94 }) },
		"atbash": func(t string) []byte {
			return each([]byte(t), func(_ int, c byte) byte {
				if c >= 'a' {
					return 'a' + 'z' - c
				}
				return '0' + '9' - c
			})
		},
	}
	for n := 9; n <= 16; n++ {
		k := noise(uint64(n), n)
		out[fmt.Sprint("xor key ", n)] = func(t string) []byte { return each([]byte(t), func(i int, c byte) byte { return c ^ k[i%n] }) }
		out[fmt.Sprint("add key ", n)] = func(t string) []byte { return each([]byte(t), func(i int, c byte) byte { return c + k[i%n] }) }
	}
	return out
}

// encodings lists all, each by its name.
func encodings() []encoding {
	var out []encoding
	for name, f := range onBytes() {
		out = append(out,
			encoding{name + " of raw", func(g given) []byte { return f(g.raw) }},
			encoding{name + " of lower", func(g given) []byte { return f([]byte(g.lower)) }},
			encoding{name + " of upper", func(g given) []byte { return f([]byte(g.upper)) }},
			encoding{name + " of raw backwards", func(g given) []byte { return f(backwards(g.raw)) }},
			encoding{name + " of lower backwards", func(g given) []byte { return f(backwards([]byte(g.lower))) }})
	}
	for name, f := range onText() {
		out = append(out,
			encoding{name, func(g given) []byte { return f(g.lower) }},
			encoding{name + " backwards", func(g given) []byte { return f(string(backwards([]byte(g.lower)))) }})
	}
	slices.SortFunc(out, func(a, b encoding) int { return strings.Compare(a.name, b.name) })
	return out
}

// best is the most bits found, per secret.
func best(f layer.Finder, b []byte) map[int]layer.Match {
	out := map[int]layer.Match{}
	f.Find(b, func(m layer.Match) bool {
		if m.Bits > out[m.Secret].Bits {
			out[m.Secret] = m
		}
		return true
	})
	return out
}

func TestEveryDressIsSeenAndIsNotAnother(t *testing.T) {
	missed := 0
	for seed := range uint64(2) {
		planted, absent := random(seed), random(seed+1000)
		f := algebra.New([]secret.Secret{absent.Secret, planted.Secret})
		for i, e := range encodings() {
			for where, b := range surroundings(e.encode(planted), uint64(i)) {
				found := best(f, b)
				if found[1].Bits < enough(where, planted) {
					missed++
					t.Errorf("secret %d, %s, %s: %d bits (%s)", seed, e.name, where, found[1].Bits, found[1].Technique)
				}
				if found[0].Bits > 0 {
					t.Errorf("secret %d, %s, %s: the absent one has %d bits (%s)", seed, e.name, where, found[0].Bits, found[0].Technique)
				}
			}
		}
	}
	t.Logf("%d encodings, %d missed", len(encodings()), missed)
}

// enough is all of the bits, but for a symbol that flowed into the noise, at
// either end or in the middle of a pair.
func enough(where string, g given) int {
	if where == "alone" {
		return g.Bits()
	}
	return g.Bits() - 8
}

// surroundings puts an encoding alone, in binary noise, and in prose.
func surroundings(x []byte, seed uint64) map[string][]byte {
	r := rand.New(rand.NewPCG(seed, 8))
	return map[string][]byte{
		"alone":    x,
		"in noise": bytes.Join([][]byte{noise(seed, r.IntN(40)), x, noise(seed+1, 60)}, nil),
		"in prose": bytes.Join([][]byte{[]byte(prose(seed, r.IntN(30)) + "\n"), x, []byte("\n" + prose(seed+1, 20))}, nil),
	}
}
