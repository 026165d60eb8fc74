package main

import (
	"strings"
	"testing"
)

func TestKeyFiles(t *testing.T) {
	digits := "0123456789abcdefABCDEF9876543210"
	for name, c := range map[string]struct {
		in     string
		lines  []int
		spells []int // bytes, of each
	}{
		"text":                  {"secret words\n", []int{1}, []int{0}},
		"digits":                {digits, []int{1}, []int{16}},
		"a prefix":              {"my-canary-" + digits + "\n", []int{1}, []int{16}},
		"more digits":           {digits + "00\n", []int{1}, []int{17}},
		"an odd number":         {digits + "0\n", []int{1}, []int{0}},
		"too few digits":        {"canary-" + digits[:30] + "\n", []int{1}, []int{0}},
		"a prefix without '-'":  {"canary" + digits, []int{1}, []int{0}},
		"CRLF, mark and blanks": {"\ufeff\r\n" + digits + "\r\n \t\r\n\r\nsecret words\r\n", []int{2, 5}, []int{16, 0}},
		"twice":                 {digits + "\n" + digits + "\nsecret words", []int{1, 3}, []int{16, 0}},
	} {
		keys, err := parseKeys([]byte(c.in))
		if err != nil || len(keys.secrets) != len(c.lines) {
			t.Errorf("%s: %d canaries, %v", name, len(keys.secrets), err)
			continue
		}
		for i, s := range keys.secrets {
			if keys.lines[i] != c.lines[i] || len(s.Raw()) != c.spells[i] {
				t.Errorf("%s: line %d spells %d bytes, want line %d and %d", name, keys.lines[i], len(s.Raw()), c.lines[i], c.spells[i])
			}
		}
	}
	for name, in := range map[string]string{"empty": "", "blank": "\n \r\n", "a mark": "\ufeff", "short": "long enough\nshorter", "regular": "abcabcabcabcabcabc"} {
		if _, err := parseKeys([]byte(in)); err == nil || strings.Contains(err.Error(), "shorter") || strings.Contains(err.Error(), "abc") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
