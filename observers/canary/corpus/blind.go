package corpus

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
)

// blind are techniques that a corpus written without knowledge of the search had,
// and that were not found at first. They stand behind the others of their group.
func blind() map[string][]trick {
	return map[string][]trick{
		"base32": {digits("of-utf-16", 2, func(b []byte) string { return b32(spread(string(b), 2, binary.LittleEndian)) })},
		"base-other": {
			bytes16("base58-multibase", 2, func(b []byte) string { return "z" + numeral(bitcoinSet)(append([]byte{0xed, 1}, b...)) }),
			text("git-patch", 2, func(s *scene) string { return gitPatch(append(append(s.noise(90), s.hex...), s.noise(60)...)) }),
		},
		"hex": {bytes16("long-long-little", 2, func(b []byte) string {
			return fmt.Sprintf("{0x%016xULL, 0x%016xULL}", binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:]))
		})},
		"escape": {
			bytes16("lone-halves", 3, loneHalves),
			digits("u-arabic", 3, func(b []byte) string { return mappedDigits(b, `\u066%c`) }),
		},
		"numeric": {
			bytes16("columns-together", 2, rowsOf(3, ".s%d { background: rgba(%d,%d,%d,0.5); }")),
			bytes16("axes", 3, rowsOf(2, "G1 F15%02d X%d.0 Y%d.0")),
			bytes16("prices", 3, func(b []byte) string {
				out := "item,price"
				for i, c := range b {
					out += fmt.Sprintf("\n%d,%d.%02d", 7*i+i*i, 10+c/100, c%100)
				}
				return out
			}),
			digits("float-memory", 3, inMemory("%.9g")),
			bytes16("scientific-words", 3, func(b []byte) string {
				var out []string
				for four := range slices.Chunk(b, 4) {
					out = append(out, fmt.Sprintf("%.9e", float64(binary.BigEndian.Uint32(four))))
				}
				return strings.Join(out, ", ")
			}),
		},
		"text-code": {file("program-ook", 3, "txt", func(s *scene) []byte { return []byte(s.prose(1) + ook(brain(s.hex)) + s.prose(1)) })},
		"bit-operations": {
			blob("serial-line", 3, func(s *scene) []byte { return serialLine(s.raw) }),
			blob("nrzi", 3, func(s *scene) []byte { return levels(s.raw, 1) }),
			blob("nrzi-space-digits", 3, func(s *scene) []byte { return levels([]byte(s.hex), 0) }),
			blob("ninth-bit-parity", 3, func(s *scene) []byte { return ninthBit(s.raw) }),
		},
		"composite": {text("riffled-in-base64", 3, func(s *scene) string {
			var out []byte
			for i := range 16 {
				out = append(out, s.hex[i], s.hex[16+i])
			}
			return base64.StdEncoding.EncodeToString(out)
		})},
	}
}

// gitPatch is what git diff --binary writes of a new file.
func gitPatch(b []byte) string {
	out := fmt.Sprintf("\nGIT binary patch\nliteral %d\n", len(b))
	for part := range slices.Chunk(zl(b), 52) {
		mark := byte('A' - 1 + len(part))
		if len(part) > 26 {
			mark = byte('a' - 27 + len(part))
		}
		padded := append(slices.Clone(part), make([]byte, -len(part)&3)...)
		out += string(mark) + b85(rfc1924Set)(padded) + "\n"
	}
	return out + "\n"
}

// loneHalves is how Python's json writes bytes that are no UTF-8 (PEP 383).
func loneHalves(b []byte) string {
	out := ""
	for _, c := range b {
		switch {
		case c >= 0x80:
			out += fmt.Sprintf(`\udc%02x`, c)
		case c < ' ' || c == '"' || c == '\\' || c == 0x7f:
			out += fmt.Sprintf(`\u%04x`, c)
		default:
			out += string(rune(c))
		}
	}
	return `"` + out + `"`
}

func mappedDigits(b []byte, format string) string {
	out := ""
	for _, c := range b {
		if c <= '9' {
			out += fmt.Sprintf(format, c)
		} else {
			out += string(rune(c))
		}
	}
	return out
}

// rowsOf writes so many bytes a line, after the line's number.
func rowsOf(n int, format string) func([]byte) string {
	return func(b []byte) string {
		var out []string
		for row := range slices.Chunk(append(slices.Clone(b), make([]byte, (n-len(b)%n)%n)...), n) {
			values := []any{len(out)}
			for _, c := range row {
				values = append(values, c)
			}
			out = append(out, fmt.Sprintf(format, values...))
		}
		return "\n" + strings.Join(out, "\n") + "\n"
	}
}

// inMemory writes each four bytes as the number that they are (IEEE 754).
func inMemory(format string) func([]byte) string {
	return func(b []byte) string {
		var out []string
		for four := range slices.Chunk(b, 4) {
			out = append(out, fmt.Sprintf(format, math.Float32frombits(binary.LittleEndian.Uint32(four))))
		}
		return strings.Join(out, ", ")
	}
}

func ook(program string) string {
	return strings.NewReplacer("+", "Ook. Ook. ", "-", "Ook! Ook! ", ">", "Ook. Ook? ", "<", "Ook? Ook. ",
		".", "Ook! Ook. ", "[", "Ook! Ook? ", "]", "Ook? Ook! ").Replace(program)
}

func serialLine(b []byte) []byte {
	var row []byte
	for _, c := range b {
		bits := splitBits([]byte{c})
		slices.Reverse(bits)
		row = append(append(append(row, 0), bits...), 1)
	}
	return pack(row)
}

func levels(b []byte, change byte) []byte {
	level := byte(0)
	return pack(altered(splitBits(b), func(_ int, bit byte) byte {
		if bit == change {
			level ^= 1
		}
		return level
	}))
}

func ninthBit(b []byte) []byte {
	var row []byte
	for _, c := range b {
		row = append(append(row, splitBits([]byte{c})...), parity(c))
	}
	return pack(row)
}
