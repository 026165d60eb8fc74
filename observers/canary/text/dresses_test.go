package text_test

import (
	"fmt"
	"strings"
)

// dress is one way to write the secret.
type dress struct {
	name    string
	dressed string
	depth   int // how often the stages are applied; 0 is once
}

func dresses() []dress {
	var all []dress
	for _, some := range [][]dress{base64Dresses(), base32Dresses(), hexDresses(), numeralDresses(), base85Dresses(), transferDresses(), escapeDresses(), mimeDresses(), charsetDresses(), numberDresses(), bitDresses(), wordDresses(), codeDresses()} {
		all = append(all, some...)
	}
	return all
}

func raw() string { return string(secretRaw()) }

func wrap(s string, width int, before, after string) string {
	var b strings.Builder
	for len(s) > 0 {
		n := min(width, len(s))
		b.WriteString(before + s[:n] + after)
		s = s[n:]
	}
	return b.String()
}

// each joins what f makes of the bytes of s.
func each(s, between string, f func(c byte) string) string {
	var parts []string
	for i := range len(s) {
		parts = append(parts, f(s[i]))
	}
	return strings.Join(parts, between)
}

func format(pattern string) func(c byte) string {
	return func(c byte) string { return fmt.Sprintf(pattern, c) }
}

// rot turns letters n places round.
func rot(s string, n byte) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z':
			return 'a' + (r-'a'+rune(n))%26
		case r >= 'A' && r <= 'Z':
			return 'A' + (r-'A'+rune(n))%26
		}
		return r
	}, s)
}

func swapCase(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r ^ 0x20
		}
		return r
	}, s)
}

func reverse(s string) string {
	b := []byte(s)
	for i, j := 0, len(b)-1; i < j; i, j = i+1, j-1 {
		b[i], b[j] = b[j], b[i]
	}
	return string(b)
}
