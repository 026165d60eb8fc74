package frame

import (
	"slices"
	"unicode"

	"github.com/go-json-experiment/json/jsontext"
)

// caseVariants reports whether two of the quoted names are equal but for case. A
// tool that decodes as encoding/json does would merge them. The names are known
// to differ, so equal folds mean variants; sorting keeps many keys cheap.
func caseVariants(quoted [][]byte) bool {
	folded := make([]string, len(quoted))
	for i, q := range quoted {
		text, err := jsontext.AppendUnquote(nil, q)
		if err != nil {
			return true // cannot happen: the parser accepted it
		}
		folded[i] = fold(string(text))
	}
	slices.Sort(folded)
	return len(slices.Compact(folded)) < len(quoted)
}

// fold maps s so that fold(a) == fold(b) exactly if strings.EqualFold(a, b):
// each rune becomes the least of its simple-folding orbit, which takes U+017F
// (long s) to S and U+212A (Kelvin sign) to K.
func fold(s string) string {
	runes := []rune(s)
	for i, r := range runes {
		if r < 0x80 {
			if 'a' <= r && r <= 'z' {
				runes[i] = r - 'a' + 'A'
			}
			continue
		}
		for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
			runes[i] = min(runes[i], f)
		}
	}
	return string(runes)
}
