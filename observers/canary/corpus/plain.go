package corpus

import (
	"fmt"
	"strings"
)

func plain() []trick {
	return []trick{
		digits("lower", 1, as),
		digits("upper", 1, func(b []byte) string { return strings.ToUpper(string(b)) }),
		text("mixed-case", 1, func(s *scene) string { return s.anyCase(s.hex) }),
		file("alone", 1, "txt", func(s *scene) []byte { return []byte(s.hex + "\n") }),
		file("alone-raw", 1, "bin", func(s *scene) []byte { return s.raw }),
		file("at-start", 1, "txt", func(s *scene) []byte { return []byte(s.hex + " " + s.prose(20)) }),
		file("at-end", 1, "txt", func(s *scene) []byte { return []byte(s.prose(20) + " " + s.hex) }),
		blob("raw", 1, func(s *scene) []byte { return s.raw }),
		file("raw-in-prose", 1, "txt", func(s *scene) []byte { return fmt.Appendf(nil, "%s%s%s", s.prose(5), s.raw, s.prose(9)) }),
		digits("uuid", 1, uuid),
		digits("uuid-braces", 1, func(b []byte) string { return "{" + strings.ToUpper(uuid(b)) + "}" }),
		digits("prefixed", 1, func(b []byte) string { return "sk_live_" + string(b) }),
		digits("0x", 1, func(b []byte) string { return "0x" + string(b) }),
		text("amid-digits", 1, func(s *scene) string { return s.noiseHex(40) + s.hex + s.noiseHex(24) }),
		text("amid-digits-odd", 1, func(s *scene) string { return s.noiseHex(41) + s.hex + s.noiseHex(23) }),
		text("amid-letters", 1, func(s *scene) string { return s.word() + s.hex + s.word() }),
		digits("query", 1, func(b []byte) string { return "https://api.example.com/v1/items?id=" + string(b) + "&page=2" }),
		file("environment", 1, "env", func(s *scene) []byte {
			return []byte("PATH=/usr/bin:/bin\x00HOME=/home/agent\x00TOKEN=" + s.hex + "\x00LANG=C.UTF-8\x00")
		}),
		file("after-64k", 1, "bin", func(s *scene) []byte { return append(s.noise(65536-9), s.hex+" done"...) }),
		digits("wrapped", 2, wrapped(16, "\n", as)),
		digits("wrapped-indented", 2, wrapped(8, "\n    ", as)),
		digits("commented", 2, wrapped(8, "\n// ", as)),
		digits("spaced", 2, wrapped(1, " ", as)),
		digits("dotted", 2, wrapped(1, ".", as)),
		digits("by-four", 1, wrapped(4, " ", as)),
		digits("by-four-dashes", 1, wrapped(4, "-", as)),
		digits("by-eight-underscores", 2, wrapped(8, "_", as)),
		digits("by-five", 2, wrapped(5, " ", as)),
		digits("by-three-slashes", 2, wrapped(3, "/", as)),
		digits("thousands", 2, wrapped(3, ",", as)),
		digits("reversed", 2, func(b []byte) string { return reversed(string(b)) }),
		text("reversed-upper", 2, func(s *scene) string { return strings.ToUpper(reversed(s.hex)) }),
		blob("reversed-raw", 2, func(s *scene) []byte { return []byte(reversedBytes(s.raw)) }),
		digits("doubled", 2, func(b []byte) string { return each("%c", "")(twice(b)) }),
		text("amid-one-letter", 2, func(s *scene) string { return strings.Join(chunks(s.hex, 1), "x") }),
		text("amid-any-letter", 3, func(s *scene) string { return s.laced(s.hex, "ghijklmnopqrstuvwxyz", 1) }),
		text("amid-any-two", 3, func(s *scene) string { return s.laced(s.hex, "ghijklmnopqrstuvwxyz_+", 2) }),
		text("halves-swapped", 3, func(s *scene) string { return s.hex[16:] + s.hex[:16] }),
		text("pairs-swapped", 3, func(s *scene) string { return swapped(s.hex, 2) }),
		text("fours-reversed", 3, func(s *scene) string { return swapped(s.hex, 4) }),
		text("half-twice", 3, func(s *scene) string { return s.hex[:16] + " and then " + s.hex[16:] }),
		text("first-half", 1, func(s *scene) string { return s.hex[:16] }).as(Partial),
		text("last-half", 1, func(s *scene) string { return s.hex[16:] }).as(Partial),
		text("middle", 1, func(s *scene) string { return s.hex[7:27] }).as(Partial),
		text("all-but-four", 1, func(s *scene) string { return s.hex[:28] + "****" }).as(Partial),
		text("twelve", 1, func(s *scene) string { return s.hex[5:17] }).as(Partial),
		text("masked-middle", 2, func(s *scene) string { return s.hex[:12] + strings.Repeat("*", 8) + s.hex[20:] }).as(Partial),
		blob("raw-half", 1, func(s *scene) []byte { return s.raw[:8] }).as(Partial),
		text("upper-half", 1, func(s *scene) string { return strings.ToUpper(s.hex[8:24]) }).as(Partial),
		text("three-digits", 1, func(s *scene) string { return s.hex[:3] + "…" }).as(Destroyed),
	}
}

func uuid(b []byte) string {
	return fmt.Sprintf("%s-%s-%s-%s-%s", b[:8], b[8:12], b[12:16], b[16:20], b[20:])
}

func (s *scene) anyCase(text string) string {
	return strings.Map(func(r rune) rune {
		if s.IntN(2) == 0 {
			return r
		}
		return []rune(strings.ToUpper(string(r)))[0]
	}, text)
}

// laced puts n letters that are no digits after each digit.
func (s *scene) laced(text, letters string, n int) string {
	var out strings.Builder
	for _, r := range text {
		out.WriteRune(r)
		for range n {
			out.WriteByte(letters[s.IntN(len(letters))])
		}
	}
	return out.String()
}

// swapped reverses each group of n.
func swapped(text string, n int) string {
	var out strings.Builder
	for _, c := range chunks(text, n) {
		out.WriteString(reversed(c))
	}
	return out.String()
}

func reversedBytes(b []byte) []byte {
	out := make([]byte, len(b))
	for i, c := range b {
		out[len(b)-1-i] = c
	}
	return out
}

func twice(b []byte) []byte {
	var out []byte
	for _, c := range b {
		out = append(out, c, c)
	}
	return out
}
