package frame

import (
	"strings"
	"testing"
	"unicode"
)

func TestFoldAgreesWithEqualFold(t *testing.T) {
	for r := rune(1); r <= unicode.MaxRune; r++ {
		for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
			if fold(string(r)) != fold(string(f)) {
				t.Fatalf("%U and %U fold apart", r, f)
			}
		}
	}
	for _, pair := range [][2]string{{"a", "b"}, {"k", "s"}, {"i", "ı"}, {"ss", "ß"}, {"I", "İ"}, {"a", "aa"}} {
		if got, want := fold(pair[0]) == fold(pair[1]), strings.EqualFold(pair[0], pair[1]); got != want {
			t.Errorf("%q: equal %v, EqualFold %v", pair, got, want)
		}
	}
}

// FuzzFold: the order of keys must not hide a variant, so fold and EqualFold agree.
func FuzzFold(f *testing.F) {
	f.Add("Kelvin", "\u212aelvin")
	f.Add("status", "\u017ftatu\u017f")
	f.Add("a", "b")
	f.Fuzz(func(t *testing.T, a, b string) {
		if !isText(a) || !isText(b) {
			return // the decoder never folds anything else
		}
		if got, want := fold(a) == fold(b), strings.EqualFold(a, b); got != want {
			t.Errorf("equal %v, EqualFold %v", got, want)
		}
	})
}

func isText(s string) bool { return strings.ToValidUTF8(s, "") == s }
