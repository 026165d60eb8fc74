package corpus

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"strings"
)

// sown puts a mark behind each character or word of prose, one for each symbol.
func sown(name string, tier int, numbers func([]byte) []byte, marks ...string) trick {
	return file(name, tier, "txt", func(s *scene) []byte {
		var out strings.Builder
		for _, n := range numbers(s.raw) {
			out.WriteString(s.word() + marks[n] + s.pick(" ", " ", " ", "\n"))
		}
		return []byte(s.prose(2) + "\n" + out.String() + "\n" + s.prose(2))
	})
}

// heap puts all marks in one place of the prose.
func heap(name string, tier int, numbers func([]byte) []byte, marks ...string) trick {
	return file(name, tier, "txt", func(s *scene) []byte {
		out := ""
		for _, n := range numbers(s.raw) {
			out += marks[n]
		}
		return []byte(s.prose(3) + out + " " + s.prose(3))
	})
}

func pairsOfBits(raw []byte) []byte {
	var out []byte
	for _, b := range raw {
		out = append(out, b>>6, b>>4&3, b>>2&3, b&3)
	}
	return out
}

func marks(first rune, n int) []string {
	var out []string
	for i := range n {
		out = append(out, string(first+rune(i)))
	}
	return out
}

func inserted(name string, mark string) trick { return digits(name, 2, wrapped(1, mark, as)) }

func steganography() []trick {
	selector := func(c byte) rune {
		if c < 16 {
			return 0xfe00 + rune(c)
		}
		return 0xe0100 + rune(c) - 16
	}
	return append([]trick{
		inserted("zero-width-between", "\u200b"), inserted("joiner-between", "\u200d"), inserted("soft-hyphen-between", "\u00ad"),
		inserted("combining-between", "\u0301"), inserted("word-joiner-between", "\u2060"), inserted("invisible-times-between", "\u2062"),
		inserted("direction-between", "\u200e"), inserted("variation-between", "\ufe0f"), inserted("no-break-space-between", "\u00a0"),
		inserted("mark-between", "\ufeff"), inserted("hair-space-between", "\u200a"),
		text("zero-width-any", 3, func(s *scene) string {
			out := ""
			for _, c := range s.hex {
				out += string(c) + strings.Repeat(s.pick("\u200b", "\u200c", "\u200d", "\u2060"), s.IntN(3))
			}
			return out
		}),
		text("zalgo", 3, func(s *scene) string {
			out := ""
			for _, c := range s.hex {
				out += string(c)
				for range 1 + s.IntN(4) {
					out += string(rune(0x300 + s.IntN(0x60)))
				}
			}
			return out
		}),
		digits("right-to-left", 2, func(b []byte) string { return "\u202e" + reversed(string(b)) + "\u202c" }),
		digits("tags", 2, runes(func(c byte) rune { return 0xe0000 + rune(c) })),
		digits("tags-behind-emoji", 2, func(b []byte) string {
			return "🏴" + runes(func(c byte) rune { return 0xe0000 + rune(c) })(b) + "\U000e007f"
		}),
		text("tags-text", 2, func(s *scene) string {
			return runes(func(c byte) rune { return 0xe0000 + rune(c) })([]byte("key " + b64(s.raw)))
		}),
		bytes16("variation-selectors", 3, around("😊", runes(selector), "")),
		digits("variation-selectors-digits", 3, around("😊", runes(selector), "")),
		heap("variation-selectors-nibbles", 3, nibbles, marks(0xfe00, 16)...),
		heap("zero-width-bits", 3, splitBits, "\u200b", "\u200c"), heap("zero-width-bits-joiner", 3, splitBits, "\u200c", "\u200d"),
		heap("zero-width-bits-reversed", 3, splitBits, "\u2060", "\u200b"), heap("zero-width-four", 3, pairsOfBits, "\u200b", "\u200c", "\u200d", "\ufeff"),
		heap("zero-width-four-operators", 3, pairsOfBits, "\u2061", "\u2062", "\u2063", "\u2064"),
		heap("zero-width-digits-bits", 3, func(raw []byte) []byte { return splitBits(fmt.Appendf(nil, "%x", raw)) }, "\u200b", "\u200c"),
		sown("zero-width-bits-sown", 3, splitBits, "\u200b", "\u200d"), sown("zero-width-present", 4, splitBits, "", "\u200b"),
		sown("zero-width-four-sown", 3, pairsOfBits, "\u200b", "\u200c", "\u200d", "\u2060"),
		heap("direction-bits", 3, splitBits, "\u200e", "\u200f"), heap("combining-bits", 3, splitBits, "\u0300", "\u0301"),
		heap("space-widths", 3, nibbles, "\u2000", "\u2001", "\u2002", "\u2003", "\u2004", "\u2005", "\u2006", "\u2007", "\u2008", "\u2009", "\u200a", "\u202f", "\u205f", "\u3000", "\u00a0", "\u1680"),
		sown("no-break-bits", 4, splitBits, "", "\u00a0"), sown("double-space", 4, splitBits, "", " "),
		sown("comma-semicolon", 4, splitBits, ",", ";"), sown("apostrophes", 4, splitBits, "'s", "’s"), sown("dashes", 4, splitBits, " -", " –"),
		sown("skin-tones", 4, pairsOfBits, "👍🏻", "👍🏼", "👍🏽", "👍🏿"), sown("emoji-four", 4, pairsOfBits, "😀", "😂", "😍", "😎"),
		sown("emoji-bits", 4, splitBits, "🙂", "🙃"), sown("footnotes", 3, nibbles, strings.Fields("[0] [1] [2] [3] [4] [5] [6] [7] [8] [9] [a] [b] [c] [d] [e] [f]")...),
		file("trailing-spaces", 3, "txt", func(s *scene) []byte {
			out := ""
			for _, b := range splitBits(s.raw) {
				out += s.word() + " " + s.word() + []string{"", " "}[b] + "\n"
			}
			return []byte(out)
		}),
		file("trailing-tabs-spaces", 3, "txt", func(s *scene) []byte {
			out := ""
			for _, c := range s.raw {
				out += s.word() + " " + s.word() + mapped("01", " \t")(fmt.Appendf(nil, "%08b", c)) + "\n"
			}
			return []byte(out)
		}),
		file("trailing-count", 4, "txt", func(s *scene) []byte {
			out := ""
			for _, n := range nibbles(s.raw) {
				out += s.word() + " " + s.word() + strings.Repeat(" ", int(n)) + "\n"
			}
			return []byte(out)
		}),
		file("white-space-only", 3, "txt", func(s *scene) []byte {
			return []byte("notes:" + mapped("01", " \t")([]byte(each("%08b", "\n")(s.raw))) + "\nend\n")
		}),
		file("indentation", 4, "txt", func(s *scene) []byte {
			out := ""
			for _, n := range nibbles(s.raw) {
				out += strings.Repeat(" ", int(n)) + s.word() + "()\n"
			}
			return []byte(out)
		}),
		file("line-ends", 4, "txt", func(s *scene) []byte {
			out := ""
			for _, b := range splitBits(s.raw) {
				out += s.word() + []string{"\n", "\r\n"}[b]
			}
			return []byte(out)
		}),
		file("line-lengths", 4, "txt", func(s *scene) []byte { return s.lineLengths(nibbles(s.raw), 30) }),
		file("line-lengths-bytes", 4, "txt", func(s *scene) []byte { return s.lineLengths(s.raw, 0+1) }),
		file("word-lengths", 4, "txt", func(s *scene) []byte {
			out := ""
			for _, n := range nibbles(s.raw) {
				out += s.noiseText(int(n)+1) + " "
			}
			return []byte(out)
		}),
		file("first-letters", 3, "txt", func(s *scene) []byte {
			out := ""
			for _, n := range nibbles(s.raw) {
				out += string("abcdefghijklmnop"[n]) + s.word() + " "
			}
			return []byte(out)
		}),
		file("capital-letters", 4, "txt", func(s *scene) []byte {
			out := ""
			for _, b := range splitBits(s.raw) {
				w := s.word()
				if b == 1 {
					w = strings.ToUpper(w[:1]) + w[1:]
				}
				out += w + " "
			}
			return []byte(out)
		}),
		file("letter-case", 4, "txt", func(s *scene) []byte {
			out := []byte{}
			for _, b := range splitBits(s.raw) {
				out = append(out, byte('a'+s.IntN(26))-32*b)
			}
			return out
		}),
		file("homoglyph-bits", 4, "txt", func(s *scene) []byte {
			out := ""
			for _, b := range splitBits(s.raw) {
				out += s.word() + " " + []string{"a", "а"}[b] + " "
			}
			return []byte(out)
		}),
		file("mathematical-bits", 4, "txt", func(s *scene) []byte {
			out := ""
			for _, b := range splitBits(s.raw) {
				c := 'a' + rune(s.IntN(26))
				out += string(c + rune(b)*(0x1d41a-'a'))
			}
			return []byte(out)
		}),
		file("quote-bits", 4, "html", func(s *scene) []byte {
			out := ""
			for _, b := range splitBits(s.raw) {
				q := []string{`"`, `'`}[b]
				out += "<p class=" + q + s.word() + q + ">x</p>\n"
			}
			return []byte(out)
		}),
		file("tag-case", 4, "html", func(s *scene) []byte {
			out := ""
			for _, b := range splitBits(s.raw) {
				out += []string{"<br>", "<BR>"}[b] + s.word() + "\n"
			}
			return []byte(out)
		}),
		file("last-digits", 4, "csv", func(s *scene) []byte {
			out := "t,temp\n"
			for i, b := range splitBits(s.raw) {
				out += fmt.Sprintf("%d,%d\n", i, 2000+2*s.IntN(200)+int(b))
			}
			return []byte(out)
		}),
		file("last-decimals", 4, "csv", func(s *scene) []byte {
			out := "t,temp\n"
			for i, c := range s.raw {
				out += fmt.Sprintf("%d,%d.%03d\n", i, 18+s.IntN(6), c)
			}
			return []byte(out)
		}),
		file("dot-matrix", 4, "txt", func(s *scene) []byte {
			return []byte(mapped("01", " #")([]byte(each("%08b", "\n")([]byte(s.hex)))) + "\n")
		}),
		file("terminal-colours", 4, "txt", func(s *scene) []byte {
			out := ""
			for _, c := range s.raw {
				out += fmt.Sprintf("\x1b[38;5;%dm%s\x1b[0m ", c, s.word())
			}
			return []byte(out)
		}),
		file("terminal-true-colours", 4, "txt", func(s *scene) []byte {
			b, out := append(s.raw, 0, 0), ""
			for i := 0; i < 18; i += 3 {
				out += fmt.Sprintf("\x1b[38;2;%d;%d;%dm%s\x1b[0m ", b[i], b[i+1], b[i+2], s.word())
			}
			return []byte(out)
		}),
		file("null-cipher-third-letter", 4, "txt", func(s *scene) []byte {
			out := ""
			for _, n := range nibbles(s.raw) {
				out += s.noiseText(2) + string("abcdefghijklmnop"[n]) + s.noiseText(1+s.IntN(4)) + " "
			}
			return []byte(out)
		}),
	}, pictures()...)
}

// pictures hide bits in the lowest ones of pixels and samples.
func pictures() []trick {
	low := func(n int, s *scene, first, every int) []byte {
		out := s.noise(n)
		for i, b := range splitBits(s.raw) {
			at := first + i*every
			out[at] = out[at]&^1 | b
		}
		return out
	}
	picture := func(name string, tier int, set func(*scene, []byte)) trick {
		return file(name, tier, "png", func(s *scene) []byte {
			img := image.NewNRGBA(image.Rect(0, 0, 32, 16))
			copy(img.Pix, s.noise(len(img.Pix)))
			for i := 3; i < len(img.Pix); i += 4 {
				img.Pix[i] = 255
			}
			set(s, img.Pix)
			var out bytes.Buffer
			must(png.Encode(&out, img))
			return out.Bytes()
		})
	}
	bit := func(at func(i int) int, text bool) func(*scene, []byte) {
		return func(s *scene, pix []byte) {
			b := s.raw
			if text {
				b = []byte(s.hex)
			}
			for i, one := range splitBits(b) {
				pix[at(i)] = pix[at(i)]&^1 | one
			}
		}
	}
	return []trick{
		picture("png-low-bits", 4, bit(func(i int) int { return i/3*4 + i%3 }, false)),
		picture("png-low-bits-digits", 4, bit(func(i int) int { return i/3*4 + i%3 }, true)),
		picture("png-low-bits-red", 4, bit(func(i int) int { return 4 * i }, false)),
		picture("png-low-bits-blue-digits", 4, bit(func(i int) int { return 4*i + 2 }, true)),
		picture("png-alpha", 3, func(s *scene, pix []byte) {
			for i, c := range []byte(s.hex) {
				pix[4*(i+20)+3] = c
			}
		}),
		picture("png-red-channel", 3, func(s *scene, pix []byte) {
			for i, c := range s.raw {
				pix[4*(i+40)] = c
			}
		}),
		file("bmp-low-bits", 4, "bmp", func(s *scene) []byte {
			return append(header("BM", 54+768, 0, 54, 40, 32, 8, 24<<16|1, 0, 768, 0, 0, 0, 0), low(768, s, 0, 1)...)
		}),
		file("wav-low-bits", 4, "wav", func(s *scene) []byte { return wav(low(1600, s, 0, 2), nil) }),
		file("wav-low-bits-late", 4, "wav", func(s *scene) []byte { return wav(low(2400, s, 400, 2), nil) }),
		file("ppm-low-bits", 4, "ppm", func(s *scene) []byte { return append([]byte("P6\n32 8\n255\n"), low(768, s, 0, 3)...) }),
	}
}
