package text_test

import (
	"encoding/binary"
	"fmt"
	"math/big"
	"strconv"
	"strings"
)

func numberDresses() []dress {
	signed := each(raw(), ", ", func(c byte) string { return strconv.Itoa(int(int8(c))) })
	words := func(size int, order binary.ByteOrder) string {
		var parts []string
		for r := secretRaw(); len(r) > 0; r = r[size:] {
			switch size {
			case 2:
				parts = append(parts, fmt.Sprint(order.Uint16(r)))
			case 4:
				parts = append(parts, fmt.Sprint(order.Uint32(r)))
			case 8:
				parts = append(parts, fmt.Sprint(order.Uint64(r)))
			}
		}
		return strings.Join(parts, ", ")
	}
	ip := func(s string) string {
		var parts []string
		for ; len(s) > 0; s = s[4:] {
			parts = append(parts, fmt.Sprintf("%d.%d.%d.%d", s[0], s[1], s[2], s[3]))
		}
		return strings.Join(parts, "\n")
	}
	scaled := func(pattern string, factor float64) string {
		return each(raw(), ", ", func(c byte) string { return fmt.Sprintf(pattern, float64(c)*factor) })
	}
	return []dress{
		{"one number in minutes and seconds", sexagesimal(), 0},
		{"numbers in powers of ten", scaled("%e", 1), 0},
		{"numbers as percentages", scaled("%.2f%%", 100./255), 0},
		{"numbers as money", scaled("$%.2f", 0.01), 0},
		{"numbers halved", scaled("%.1f", 0.5), 0},
		{"octal words as C has them", each("abcd", ", ", func(c byte) string { return fmt.Sprintf("0%o", binary.BigEndian.Uint32(secretRaw()[4*(c-'a'):])) }), 0},
		{"decimal", each(secretText, " ", format("%d")), 0},
		{"decimal commas", each(raw(), ",", format("%d")), 0},
		{"decimal lines", each(raw(), "\n", format("%d")), 0},
		{"decimal json", "[" + each(raw(), ", ", format("%d")) + "]", 0},
		{"decimal packed", each(secretText, "", format("%03d")), 0},
		{"decimal packed of raw", each(raw(), "", format("%03d")), 0},
		{"decimal packed by width", each(secretText, "", format("%d")), 0},
		{"octal", each(secretText, " ", format("%o")), 0},
		{"octal padded", each(raw(), " ", format("%03o")), 0},
		{"octal packed", each(secretText, "", format("%03o")), 0},
		{"octal 0o", each(raw(), " ", format("%O")), 0},
		{"binary", each(secretText, " ", format("%08b")), 0},
		{"binary 0b", each(raw(), ", ", format("0b%08b")), 0},
		{"binary short", each(secretText, " ", format("%b")), 0},
		{"signed", signed, 0},
		{"floats", each(raw(), ", ", format("%d.0")), 0},
		{"16 bits big", words(2, binary.BigEndian), 0}, {"16 bits little", words(2, binary.LittleEndian), 0},
		{"32 bits big", words(4, binary.BigEndian), 0}, {"32 bits little", words(4, binary.LittleEndian), 0},
		{"64 bits big", words(8, binary.BigEndian), 0}, {"64 bits little", words(8, binary.LittleEndian), 0},
		{"ipv4", ip(raw()), 0}, {"ipv4 of text", ip(secretText), 0},
		{"base 7 list", each(secretText, " ", func(c byte) string { return strconv.FormatInt(int64(c), 7) }), 0},
		{"nibbles", each(secretText, " ", func(c byte) string { return fmt.Sprint(strings.IndexByte("0123456789abcdef", c)) }), 0},
		{"letters by place", each(secretText, " ", func(c byte) string {
			return fmt.Sprint(1 + strings.IndexByte("abcdefghijklmnopqrstuvwxyz0123456789", c))
		}), 0},
		{"multi-tap", each(secretText, " ", tapped), 0},
		{"polybius", each(secretText, " ", func(c byte) string {
			i := strings.IndexByte("abcdefghijklmnopqrstuvwxyz0123456789", c)
			return fmt.Sprintf("%d%d", i/6+1, i%6+1)
		}), 0},
		{"roman", each(secretText, " ", roman), 0},
		{"roman of raw bytes", each(secretText+"z", ", ", func(c byte) string { return strings.ToLower(roman(c)) }), 0},
		{"chr", each(secretText, ".", format("chr(%d)")), 0},
		{"char codes", "String.fromCharCode(" + each(secretText, ",", format("%d")) + ")", 0},
		{"powershell", each(secretText, "+", format("[char]%d")), 0},
		{"sql char", "CHAR(" + each(secretText, ",", format("%d")) + ")", 0},
		{"vb", each(secretText, " & ", format("Chr$(%d)")), 0},
		{"colour functions", colours(), 0},
		{"indexed", indexed(false), 0}, {"indexed, shuffled", indexed(true), 0},
		{"floats of one", each(raw(), ", ", func(c byte) string { return fmt.Sprintf("%.6f", float64(c)/255) }), 0},
		{"xml elements", each(raw(), "", format("<b>%d</b>\n")), 0},
	}
}

func colours() string {
	var parts []string
	for s := raw() + "\x00\x00"; len(s) > 0; s = s[3:] {
		parts = append(parts, fmt.Sprintf("rgb(%d, %d, %d)", s[0], s[1], s[2]))
	}
	return strings.Join(parts, " ")
}

func indexed(shuffled bool) string {
	parts := make([]string, len(secretText))
	for i := range secretText {
		place := i
		if shuffled {
			place = i * 7 % len(secretText)
		}
		parts[place] = fmt.Sprintf("[%d]=%d", i, secretText[i])
	}
	return strings.Join(parts, " ")
}

func tapped(c byte) string {
	for key, letters := range strings.Fields("0 1 abc2 def3 ghi4 jkl5 mno6 pqrs7 tuv8 wxyz9") {
		if i := strings.IndexByte(letters, c); i >= 0 {
			return strings.Repeat(fmt.Sprint(key), i+1)
		}
	}
	return ""
}

func roman(c byte) string {
	values := []int{100, 90, 50, 40, 10, 9, 5, 4, 1}
	var b strings.Builder
	for n := int(c); n > 0; {
		for i, v := range values {
			if n >= v {
				b.WriteString(strings.Fields("C XC L XL X IX V IV I")[i])
				n -= v
				break
			}
		}
	}
	return b.String()
}

func bitDresses() []dress {
	bits := each(secretText, "", format("%08b"))
	as := func(zero, one string) string { return strings.NewReplacer("0", zero, "1", one).Replace(bits) }
	i := -1
	carrier := strings.Map(func(r rune) rune {
		if r < 'a' || r > 'z' {
			return r
		}
		if i++; i < len(bits) && bits[i] == '1' {
			return r - 32
		}
		return r
	}, strings.ToLower(prose))
	fives := each(raw(), "", format("%08b")) + "00"
	bacon := strings.Map(func(r rune) rune { return 'A' + r - '0' }, strings.Repeat("", 1)+fives)
	return []dress{
		{"bits", bits, 0},
		{"bits of raw bytes", each(raw(), "", format("%08b")), 0},
		{"bits wrapped", wrap(bits, 60, "", "\n"), 0},
		{"bits seven", each(secretText, "", format("%07b")), 0},
		{"bits inverted", as("1", "0"), 0},
		{"bits reversed", each(secretText, "", func(c byte) string { return reverse(fmt.Sprintf("%08b", c)) }), 0},
		{"bits as letters", as("O", "I"), 0},
		{"bits as letters in eights", wrap(as("o", "x"), 8, "", " "), 0},
		{"bits as tabs", as(" ", "\t"), 0},
		{"bits as signs", as("-", "+"), 0},
		{"bits as words of case", carrier, 0},
		{"bits in nibbles", each(secretText, " ", func(c byte) string { return fmt.Sprintf("%04b %04b", c>>4, c&15) }), 0},
		{"bacon", bacon, 0},
		{"dna", dna("ACGT"), 0}, {"dna other order", dna("TGAC"), 0}, {"dna wrapped", wrap(dna("ACGT"), 60, "", "\n"), 0},
	}
}

func dna(letters string) string {
	return each(secretText, "", func(c byte) string {
		return string([]byte{letters[c>>6], letters[c>>4&3], letters[c>>2&3], letters[c&3]})
	})
}

var morseOf = strings.Fields("----- .---- ..--- ...-- ....- ..... -.... --... ---.. ----. .- -... -.-. -.. . ..-.")

func sexagesimal() string {
	v, sixty, digit := new(big.Int).SetBytes(secretRaw()), big.NewInt(60), new(big.Int)
	var parts []string
	for v.Sign() > 0 {
		v.DivMod(v, sixty, digit)
		parts = append([]string{fmt.Sprintf("%02d", digit.Int64())}, parts...)
	}
	return strings.Join(parts, ":")
}
