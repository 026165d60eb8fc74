package corpus

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/big"
	"strings"
)

func numerics() []trick {
	return []trick{
		bytes16("decimal", 1, each("%d", ",")),
		bytes16("decimal-spaces", 1, each("%d", " ")),
		bytes16("decimal-json", 1, around("[", each("%d", ", "), "]")),
		digits("decimal-digits", 1, each("%d", ", ")),
		digits("decimal-digits-spaces", 1, each("%d", " ")),
		bytes16("decimal-padded", 1, each("%03d", " ")),
		bytes16("decimal-tight", 2, each("%03d", "")),
		digits("decimal-digits-tight", 2, each("%d", "")),
		bytes16("decimal-lines", 1, each("%d", "\n")),
		bytes16("decimal-dashes", 2, each("%d", "-")),
		bytes16("decimal-semicolons", 1, each("%d", ";")),
		bytes16("signed", 2, func(b []byte) string {
			var out []string
			for _, c := range b {
				out = append(out, fmt.Sprint(int8(c)))
			}
			return "[" + strings.Join(out, ", ") + "]"
		}),
		bytes16("octal", 1, each("%03o", " ")),
		bytes16("octal-commas", 1, each("0%o", ",")),
		digits("octal-digits", 1, each("%o", " ")),
		bytes16("binary", 1, each("%08b", " ")),
		digits("binary-digits", 1, each("%08b", " ")),
		bytes16("binary-tight", 1, each("%08b", "")),
		digits("binary-digits-tight", 1, each("%08b", "")),
		bytes16("binary-commas", 1, each("0b%08b", ", ")),
		digits("binary-seven", 2, each("%07b", " ")),
		bytes16("binary-nibbles", 2, func(b []byte) string { return each("%04b", " ")(nibbles(b)) }),
		bytes16("binary-low-first", 2, func(b []byte) string {
			var out []string
			for _, c := range b {
				out = append(out, reversed(fmt.Sprintf("%08b", c)))
			}
			return strings.Join(out, " ")
		}),
		bytes16("binary-inverted", 2, func(b []byte) string {
			return each("%08b", "")(altered(b, func(_ int, c byte) byte { return ^c }))
		}),
		bytes16("binary-letters", 2, func(b []byte) string { return mapped("01", "xo")([]byte(each("%08b", "")(b))) }),
		bytes16("binary-blocks", 2, func(b []byte) string { return mapped("01", "░█")([]byte(each("%08b", "")(b))) }),
		bytes16("binary-true-false", 2, func(b []byte) string {
			return "[" + strings.Join(strings.Fields(strings.NewReplacer("0", "false ", "1", "true ").Replace(each("%08b", "")(b))), ", ") + "]"
		}),
		bytes16("big-decimal", 1, big16(10, false)),
		bytes16("big-decimal-little", 2, big16(10, true)),
		bytes16("big-octal", 1, big16(8, false)),
		bytes16("big-binary", 1, big16(2, false)),
		digits("big-decimal-of-digits", 2, func(b []byte) string { return new(big.Int).SetBytes(b).String() }),
		bytes16("big-decimal-grouped", 2, func(b []byte) string { return reversed(strings.Join(chunks(reversed(big16(10, false)(b)), 3), ",")) }),
		bytes16("words-16", 1, grouped(2, false, "%d", ", ")),
		bytes16("words-16-little", 1, grouped(2, true, "%d", ", ")),
		bytes16("words-32", 1, grouped(4, false, "%d", ", ")),
		bytes16("words-32-little", 1, grouped(4, true, "%d", ", ")),
		bytes16("words-64", 1, grouped(8, false, "%d", ", ")),
		bytes16("words-64-little", 1, grouped(8, true, "%d", ", ")),
		bytes16("words-64-signed", 2, func(b []byte) string {
			return fmt.Sprintf(`{"msb":%d,"lsb":%d}`, int64(binary.BigEndian.Uint64(b)), int64(binary.BigEndian.Uint64(b[8:])))
		}),
		bytes16("words-32-signed", 2, func(b []byte) string {
			var out []string
			for i := 0; i < 16; i += 4 {
				out = append(out, fmt.Sprint(int32(binary.BigEndian.Uint32(b[i:]))))
			}
			return strings.Join(out, " ")
		}),
		bytes16("words-32-octal", 2, grouped(4, false, "0%o", ", ")),
		digits("words-32-of-digits", 2, grouped(4, false, "%d", ", ")),
		bytes16("words-24", 3, func(b []byte) string { return grouped(3, false, "%d", ", ")(append(b[:16:16], 0, 0)) }),
		bytes16("ipv4-addresses", 1, func(b []byte) string { return wrapped4(each("%d", ".")(b)) }),
		bytes16("dotted", 2, each("%d", ".")),
		bytes16("object-identifier", 2, around("1.3.6.1.4.1.", each("%d", "."), "")),
		bytes16("nibbles", 2, func(b []byte) string { return each("%d", ", ")(nibbles(b)) }),
		bytes16("nibbles-padded", 2, func(b []byte) string { return each("%02d", "")(nibbles(b)) }),
		bytes16("nibbles-from-one", 2, func(b []byte) string {
			return each("%d", " ")(altered(nibbles(b), func(_ int, c byte) byte { return c + 1 }))
		}),
		bytes16("floats", 2, each("%d.0", ", ")),
		digits("floats-digits", 2, each("%d.00", " ")),
		bytes16("fractions", 3, func(b []byte) string { return scaled(b, "%.6f", func(c float64) float64 { return c / 256 }) }),
		bytes16("unit-interval", 3, func(b []byte) string { return scaled(b, "%.4f", func(c float64) float64 { return c / 255 }) }),
		bytes16("percentages", 3, func(b []byte) string { return scaled(b, "%.2f%%", func(c float64) float64 { return c * 100 / 255 }) }),
		bytes16("scientific", 2, func(b []byte) string { return scaled(b, "%e", func(c float64) float64 { return c }) }),
		bytes16("plus-1000", 2, func(b []byte) string { return scaled(b, "%.0f", func(c float64) float64 { return c + 1000 }) }),
		bytes16("doubled", 3, func(b []byte) string { return scaled(b, "%.0f", func(c float64) float64 { return 2 * c }) }),
		bytes16("times-ten-plus-seven", 3, func(b []byte) string { return scaled(b, "%.0f", func(c float64) float64 { return 10*c + 7 }) }),
		bytes16("negated", 2, func(b []byte) string { return scaled(b, "%.0f", func(c float64) float64 { return -c }) }),
		bytes16("complement", 2, func(b []byte) string { return scaled(b, "%.0f", func(c float64) float64 { return 255 - c }) }),
		bytes16("differences", 2, func(b []byte) string {
			last, out := 0, []string{}
			for _, c := range b {
				out = append(out, fmt.Sprint(int(c)-last))
				last = int(c)
			}
			return strings.Join(out, ", ")
		}),
		bytes16("running-sum", 2, func(b []byte) string {
			total, out := 0, []string{}
			for _, c := range b {
				total += int(c)
				out = append(out, fmt.Sprint(total))
			}
			return strings.Join(out, ", ")
		}),
		bytes16("roman", 3, func(b []byte) string {
			var out []string
			for _, c := range b {
				out = append(out, roman(int(c)+1))
			}
			return strings.Join(out, " ")
		}),
		bytes16("base-60", 2, sexagesimal),
		bytes16("json-object", 2, func(b []byte) string {
			var out []string
			for i, c := range b {
				out = append(out, fmt.Sprintf(`"%d":%d`, i, c))
			}
			return "{" + strings.Join(out, ",") + "}"
		}),
		digits("code-object", 2, func(b []byte) string {
			var out []string
			for i, c := range b {
				out = append(out, fmt.Sprintf(`"%d": %d`, i, c))
			}
			return "{" + strings.Join(out, ", ") + "}"
		}),
		bytes16("rgb", 3, func(b []byte) string {
			b = append(b[:16:16], 0, 0)
			var out []string
			for i := 0; i < 18; i += 3 {
				out = append(out, fmt.Sprintf("rgb(%d, %d, %d)", b[i], b[i+1], b[i+2]))
			}
			return strings.Join(out, "; ")
		}),
		bytes16("coordinates", 4, func(b []byte) string {
			out := ""
			for i := 0; i < 16; i += 4 {
				out += fmt.Sprintf("[%d.%05d, %d.%05d], ", 40+i, binary.BigEndian.Uint16(b[i:]), 8+i, binary.BigEndian.Uint16(b[i+2:]))
			}
			return out
		}),
		bytes16("unary", 4, func(b []byte) string {
			var out []string
			for _, n := range nibbles(b) {
				out = append(out, strings.Repeat("|", int(n)+1))
			}
			return strings.Join(out, " ")
		}),
		blob("float32-array", 2, func(s *scene) []byte {
			var out []byte
			for _, c := range s.raw {
				out = binary.LittleEndian.AppendUint32(out, math.Float32bits(float32(c)))
			}
			return out
		}),
		blob("float64-array", 2, func(s *scene) []byte {
			var out []byte
			for _, c := range []byte(s.hex) {
				out = binary.LittleEndian.AppendUint64(out, math.Float64bits(float64(c)))
			}
			return out
		}),
		blob("int32-array", 2, func(s *scene) []byte {
			var out []byte
			for _, c := range s.raw {
				out = binary.LittleEndian.AppendUint32(out, uint32(c))
			}
			return out
		}),
		blob("int16-array", 2, func(s *scene) []byte {
			var out []byte
			for _, c := range s.raw {
				out = binary.BigEndian.AppendUint16(out, uint16(c))
			}
			return out
		}),
		blob("int64-nibbles", 3, func(s *scene) []byte {
			var out []byte
			for _, c := range nibbles(s.raw) {
				out = binary.LittleEndian.AppendUint64(out, uint64(c))
			}
			return out
		}),
		bytes16("half-decimal", 1, func(b []byte) string { return each("%d", ", ")(b[:9]) }).as(Partial),
		digits("half-digits-decimal", 1, func(b []byte) string { return each("%d", " ")(b[8:24]) }).as(Partial),
		bytes16("half-binary", 1, func(b []byte) string { return each("%08b", " ")(b[:8]) }).as(Partial),
		bytes16("sum", 1, func(b []byte) string { return fmt.Sprint("sum ", sum(b)) }).as(Destroyed),
	}
}

func big16(base int, reversedOrder bool) func([]byte) string {
	return func(b []byte) string {
		if reversedOrder {
			b = reversedBytes(b)
		}
		return new(big.Int).SetBytes(b).Text(base)
	}
}

// wrapped4 writes a dotted list as addresses.
func wrapped4(dotted string) string {
	parts, out := strings.Split(dotted, "."), []string{}
	for i := 0; i < len(parts); i += 4 {
		out = append(out, strings.Join(parts[i:i+4], "."))
	}
	return strings.Join(out, ", ")
}

func scaled(b []byte, format string, f func(float64) float64) string {
	var out []string
	for _, c := range b {
		out = append(out, fmt.Sprintf(format, f(float64(c))))
	}
	return strings.Join(out, ", ")
}

func sexagesimal(b []byte) string {
	v, rest, sixty := new(big.Int).SetBytes(b), new(big.Int), big.NewInt(60)
	out := ""
	for v.Sign() > 0 {
		v.DivMod(v, sixty, rest)
		out = fmt.Sprintf(":%02d", rest.Int64()) + out
	}
	return out[1:]
}

func roman(n int) string {
	out := ""
	for _, step := range []struct {
		value  int
		symbol string
	}{{100, "C"}, {90, "XC"}, {50, "L"}, {40, "XL"}, {10, "X"}, {9, "IX"}, {5, "V"}, {4, "IV"}, {1, "I"}} {
		for ; n >= step.value; n -= step.value {
			out += step.symbol
		}
	}
	return out
}
