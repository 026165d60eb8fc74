package capture

import "testing"

func TestStreamsAreLaidInOrder(t *testing.T) {
	at := func(n int64, s string) part { return part{n, []byte(s)} }
	for _, c := range []struct {
		name        string
		parts       []part
		first, last string
	}{
		{"in order", []part{at(0, "ab"), at(2, "cd")}, "abcd", ""},
		{"out of order", []part{at(2, "cd"), at(0, "ab")}, "abcd", ""},
		{"the same twice", []part{at(0, "ab"), at(0, "ab"), at(2, "cd")}, "abcd", ""},
		{"longer the second time", []part{at(0, "ab"), at(0, "abcd")}, "abcd", ""},
		{"two readings", []part{at(0, "abcd"), at(1, "xy")}, "abcd", "axyd"},
		{"with a gap", []part{at(0, "ab"), at(9, "cd")}, "abcd", ""},
		{"before the start", []part{at(0, "cd"), at(-2, "ab")}, "abcd", ""},
	} {
		first, last := assemble(c.parts)
		if string(first) != c.first || string(last) != c.last {
			t.Errorf("%s: laid otherwise", c.name)
		}
	}
}
