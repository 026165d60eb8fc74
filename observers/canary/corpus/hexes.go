package corpus

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"strings"
)

var little = binary.LittleEndian

func hexes() []trick {
	x := hex.EncodeToString
	return []trick{
		bytes16("colons", 1, each("%02x", ":")),
		bytes16("colons-upper", 1, each("%02X", ":")),
		bytes16("spaces", 1, each("%02x", " ")),
		bytes16("spaces-upper", 1, each("%02X", " ")),
		bytes16("dashes", 1, each("%02x", "-")),
		bytes16("commas", 1, each("%02x", ",")),
		bytes16("dots", 1, each("%02x", ".")),
		bytes16("0x-list", 1, each("0x%02x", ", ")),
		bytes16("0x-list-tight", 1, each("0x%02X", ",")),
		bytes16("0x-words", 1, each("0x%02x", " ")),
		bytes16("go-slice", 1, around("[]byte{", each("0x%x", ", "), "}")),
		bytes16("c-array", 1, around("unsigned char k[] = {\n  ", wrapped(48, "\n  ", each("0x%02x", ", ")), "\n};")),
		bytes16("backslash-x", 1, each(`\x%02x`, "")),
		bytes16("suffix-h", 2, each("0%02Xh", ", ")),
		bytes16("assembler", 2, around("db ", each("0x%02x", ","), "")),
		bytes16("dollar", 2, each("$%02X", ",")),
		digits("of-digits", 1, x),
		digits("of-digits-upper", 1, func(b []byte) string { return strings.ToUpper(x(b)) }),
		digits("of-digits-colons", 1, each("%02x", ":")),
		digits("of-digits-spaces", 1, each("%02x", " ")),
		digits("of-digits-0x", 1, each("0x%02x", ", ")),
		text("of-text", 1, func(s *scene) string { return x([]byte(s.prose(1) + s.hex + s.prose(1))) }),
		text("of-text-wrapped", 1, func(s *scene) string {
			return wrapped(60, "\n", hex.EncodeToString)([]byte(s.prose(2) + s.hex + s.prose(1)))
		}),
		bytes16("twice", 1, func(b []byte) string { return x([]byte(x(b))) }),
		bytes16("three-times", 2, func(b []byte) string { return x([]byte(x([]byte(x(b))))) }),
		bytes16("four-times", 2, func(b []byte) string { return x([]byte(x([]byte(x([]byte(x(b))))))) }),
		digits("of-utf-16", 2, func(b []byte) string { return x(spread(string(b), 2, little)) }),
		digits("of-base64", 2, func(b []byte) string { return x([]byte(b64(b))) }),
		bytes16("nibbles-swapped", 2, func(b []byte) string { return swapped(x(b), 2) }),
		bytes16("bytes-reversed", 2, func(b []byte) string { return x(reversedBytes(b)) }),
		bytes16("words-16-little", 2, grouped(2, true, "%04x", " ")),
		bytes16("words-32-little", 2, grouped(4, true, "0x%08x", ", ")),
		bytes16("words-64-little", 2, grouped(8, true, "0x%016x", ", ")),
		bytes16("words-32", 1, grouped(4, false, "0x%08x", ", ")),
		bytes16("words-16", 1, grouped(2, false, "%04X", ":")),
		bytes16("words-64", 1, grouped(8, false, "0x%016x", " ")),
		bytes16("guid", 2, guid),
		bytes16("guid-struct", 2, func(b []byte) string {
			return fmt.Sprintf("{0x%x, 0x%x, 0x%x, {%s}}", b[:4], b[4:6], b[6:8], each("0x%02x", ", ")(b[8:]))
		}),
		bytes16("ipv6", 1, grouped(2, false, "%04x", ":")),
		bytes16("ipv6-short", 2, grouped(2, false, "%x", ":")),
		bytes16("colours", 3, func(b []byte) string { return grouped(3, false, "#%06x", "; ")(append(b[:15:15], b[15], 0, 0)) }),
		bytes16("mac-addresses", 3, func(b []byte) string { return wrapped(18, "\n", each("%02x", ":"))(append(b[:16:16], 0, 0)) }),
		file("xxd", 1, "txt", func(s *scene) []byte { return []byte(xxd(s.noticed())) }),
		file("xxd-text", 1, "txt", func(s *scene) []byte { return []byte(xxd([]byte(s.prose(2) + " " + s.hex + s.prose(1)))) }),
		file("xxd-plain", 1, "txt", func(s *scene) []byte { return []byte(wrapped(60, "\n", hex.EncodeToString)(s.noticed())) }),
		file("hexdump-canonical", 1, "txt", func(s *scene) []byte { return []byte(hex.Dump(s.noticed())) }),
		file("hexdump-canonical-text", 1, "txt", func(s *scene) []byte { return []byte(hex.Dump([]byte(s.prose(2) + " " + s.hex + s.prose(1)))) }),
		file("hexdump-words", 2, "txt", func(s *scene) []byte { return dumped(s.noticed(), grouped(2, true, "%04x", " "), "%07x ") }),
		file("od-bytes", 1, "txt", func(s *scene) []byte { return dumped(s.noticed(), each("%02x", " "), "%07o ") }),
		file("od-octal", 2, "txt", func(s *scene) []byte { return dumped(s.noticed(), each("%03o", " "), "%07o ") }),
		file("od-octal-words", 2, "txt", func(s *scene) []byte { return dumped(s.noticed(), grouped(2, true, "%06o", " "), "%07o ") }),
		file("od-words-32", 2, "txt", func(s *scene) []byte { return dumped(s.noticed(), grouped(4, true, "%08x", " "), "%07o ") }),
		file("od-decimal", 2, "txt", func(s *scene) []byte { return dumped(s.noticed(), each("%3d", " "), "%07o ") }),
		file("gdb", 2, "txt", func(s *scene) []byte { return dumped(s.noticed(), each("0x%02x", "\t"), "0x7ffe00%04x:\t") }),
		file("tcpdump-x", 1, "txt", func(s *scene) []byte { return dumped(s.noticed(), grouped(2, false, "%04x", " "), "\t0x%04x:  ") }),
		file("intel-hex", 2, "hex", intelHex),
		file("s-records", 2, "srec", motorola),
		file("verilog-memory", 2, "mem", func(s *scene) []byte { return []byte("@0000\n" + each("%02X", "\n")(s.amid(s.raw)) + "\n") }),
		file("ti-text", 2, "txt", func(s *scene) []byte {
			return []byte("@F000\n" + wrapped(48, "\n", each("%02X", " "))(s.amid(s.raw)) + "\nq\n")
		}),
		bytes16("one-a-line", 2, each("%02x", "\n")),
		bytes16("numbered", 3, func(b []byte) string {
			out := ""
			for i, c := range b {
				out += fmt.Sprintf("byte[%d] = 0x%02x;\n", i, c)
			}
			return out
		}),
		bytes16("json-strings", 2, around(`["`, each("%02x", `","`), `"]`)),
		bytes16("angle-brackets", 2, each("<%02x>", "")),
		bytes16("plist-data", 1, around("<", grouped(4, false, "%08x", " "), ">")),
		text("amid-any-separator", 3, func(s *scene) string {
			out := ""
			for _, c := range s.raw {
				out += fmt.Sprintf("%02x%s", c, s.pick(" ", ":", "-", ", ", "_", "|"))
			}
			return out
		}),
		bytes16("sql-blob", 1, around("INSERT INTO t VALUES (1, X'", func(b []byte) string { return fmt.Sprintf("%X", b) }, "');")),
		bytes16("half-colons", 1, func(b []byte) string { return each("%02x", ":")(b[:8]) }).as(Partial),
		bytes16("half-of-digits", 1, func(b []byte) string { return x([]byte(x(b[4:12]))) }).as(Partial),
	}
}

// amid is noise before and behind, in lengths that no line of a dump begins with.
func (s *scene) amid(b []byte) []byte {
	return append(append(s.noise(35+s.IntN(90)), b...), s.noise(35+s.IntN(90))...)
}

func (s *scene) noticed() []byte { return s.amid(s.raw) }

func guid(b []byte) string {
	return fmt.Sprintf("%08x-%04x-%04x-%x-%x", little.Uint32(b), little.Uint16(b[4:]), little.Uint16(b[6:]), b[8:10], b[10:])
}

func xxd(b []byte) string {
	return string(dumped(b, func(line []byte) string {
		return fmt.Sprintf("%-39s  %s", grouped(2, false, "%04x", " ")(line), shown(line))
	}, "%08x: "))
}

func shown(b []byte) string {
	return string(altered(b, func(_ int, c byte) byte {
		if c < 32 || c > 126 {
			return '.'
		}
		return c
	}))
}

func dumped(b []byte, line func([]byte) string, offset string) []byte {
	var out strings.Builder
	for i := 0; i < len(b); i += 16 {
		fmt.Fprintf(&out, offset, i)
		out.WriteString(line(b[i:min(i+16, len(b))]) + "\n")
	}
	return []byte(out.String())
}

func intelHex(s *scene) []byte {
	var out strings.Builder
	for i, line := range chunks(string(s.noticed()), 16) {
		record := append([]byte{byte(len(line)), byte(i >> 4), byte(i << 4), 0}, line...)
		fmt.Fprintf(&out, ":%X%02X\r\n", record, -sum(record))
	}
	out.WriteString(":00000001FF\r\n")
	return []byte(out.String())
}

func motorola(s *scene) []byte {
	var out strings.Builder
	for i, line := range chunks(string(s.noticed()), 28) {
		record := append([]byte{byte(len(line) + 3), byte(i * 28 >> 8), byte(i * 28)}, line...)
		fmt.Fprintf(&out, "S1%X%02X\n", record, ^sum(record))
	}
	out.WriteString("S9030000FC\n")
	return []byte(out.String())
}

func sum(b []byte) byte {
	var total byte
	for _, c := range b {
		total += c
	}
	return total
}
