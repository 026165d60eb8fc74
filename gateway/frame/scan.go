package frame

import (
	"bytes"
	"strconv"
	"unicode/utf8"
)

// scan refuses what the bytes show before any grammar is applied. It bounds the
// depth first, so that the parser behind it never sees deep nesting.
func scan(line []byte, depth int, weak Weakness) error {
	switch {
	case bytes.HasPrefix(line, []byte("\ufeff")):
		return refuse(ByteOrderMark)
	case bytes.IndexByte(line, '\r') >= 0:
		return refuse(CarriageReturn)
	case bytes.IndexByte(line, '\n') >= 0:
		return refuse(TrailingBytes) // the frame ended there
	case bytes.IndexByte(line, 0) >= 0:
		return refuse(NUL)
	case !utf8.Valid(line):
		return refuse(InvalidUTF8)
	}
	open := 0
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '[', '{':
			if open++; open > depth {
				return refuse(Depth)
			}
		case ']', '}':
			open--
		case '"':
			n, err := scanString(line[i+1:], weak)
			if err != nil {
				return err
			}
			i += n
		}
	}
	return nil
}

// scanString checks the escapes of a string and returns how many bytes its text
// and closing quote take. Escapes that are no escapes are left to the parser.
func scanString(text []byte, weak Weakness) (int, error) {
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			return i + 1, nil
		case '\\':
			unit, ok := escapedUnit(text[i:])
			switch {
			case !ok:
				i++ // the escaped byte is no quote
				continue
			case unit == 0 && !weak.KeptNUL:
				return 0, refuse(NUL)
			case weak.LoneSurrogates: // left to the parser
			case unit >= 0xd800 && unit < 0xdc00:
				if low, ok := escapedUnit(text[i+6:]); !ok || low < 0xdc00 || low > 0xdfff {
					return 0, refuse(LoneSurrogate)
				}
				i += 6
			case unit >= 0xdc00 && unit <= 0xdfff:
				return 0, refuse(LoneSurrogate)
			}
			i += 5
		}
	}
	return len(text), nil
}

// escapedUnit returns the UTF-16 unit of an escape \uXXXX at the start of text.
func escapedUnit(text []byte) (unit uint64, ok bool) {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return 0, false
	}
	unit, err := strconv.ParseUint(string(text[2:6]), 16, 16)
	return unit, err == nil
}
