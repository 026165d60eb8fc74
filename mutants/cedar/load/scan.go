package load

import (
	"bytes"
	"errors"
	"strconv"
)

// scan looks over a text of Cedar's before it is parsed: a parser that calls
// itself for each bracket must not be given too many.
func scan(file string, b []byte, policies bool) *Problem {
	line, depth, tokens := 1, 0, 0
	for i := 0; i < len(b); i++ {
		switch c := b[i]; {
		case c == '\n':
			line++
		case c == ' ' || c == '\t' || c == '\r':
		case c == '/' && i+1 < len(b) && b[i+1] == '/':
			for i+1 < len(b) && b[i+1] != '\n' {
				i++
			}
		case c == '"':
			end := closing(b, i)
			if end-i > maxText {
				return &Problem{file, line, "a text is longer than 64 KiB: shorten it"}
			}
			for _, c := range b[i:end] {
				if c == '\n' {
					line++
				}
			}
			i = end
			tokens++
		case c == '?' && policies:
			return &Problem{file, line, "this is a template: link it, and give the policy without a slot"}
		case c == '(' || c == '[' || c == '{':
			depth++
			tokens++
		case c == ')' || c == ']' || c == '}':
			depth--
			tokens++
		case c == ';':
			tokens = 0
		default:
			tokens++
			from := i
			for i+1 < len(b) && word(c) && word(b[i+1]) {
				i++
			}
			if large(b, from, i+1) {
				return &Problem{file, line, "a number is beyond 64 bits: write one from -9223372036854775808 to 9223372036854775807"}
			}
		}
		if depth > maxDepth {
			return &Problem{file, line, "more than 100 brackets inside each other: simplify the expression"}
		}
		if tokens > maxTokens {
			return &Problem{file, line, "more than 5,000 words and signs without a ';': divide the policy"}
		}
	}
	return nil
}

// large reports whether a word is a number that Cedar has not: the parser tells
// no line of it.
func large(b []byte, from, to int) bool {
	if c := b[from]; c < '0' || c > '9' {
		return false
	}
	n, err := strconv.ParseUint(string(b[from:to]), 10, 64)
	if err != nil {
		return errors.Is(err, strconv.ErrRange)
	}
	before := bytes.TrimRight(b[:from], " \t\r\n")
	return n > 1<<63 || n == 1<<63 && !bytes.HasSuffix(before, []byte("-"))
}

func word(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// closing is where a text ends that begins at i, or the last byte.
func closing(b []byte, i int) int {
	for i++; i < len(b); i++ {
		switch b[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
	return len(b) - 1
}

// nested refuses JSON of too many levels.
func nested(file string, b []byte) *Problem {
	line, depth := 1, 0
	for i := 0; i < len(b); i++ {
		switch b[i] {
		case '\n':
			line++
		case '"':
			i = closing(b, i)
		case '[', '{':
			depth++
		case ']', '}':
			depth--
		}
		if depth > maxDepth {
			return &Problem{file, line, "more than 100 brackets inside each other"}
		}
	}
	return nil
}
