package observers

import (
	"slices"
	"strings"
)

// pieces puts names together that are a text cut up: each begins with a digit
// that tells its place.
func pieces(names []string) []byte {
	var cut []string
	for _, n := range names {
		if n != "" && n[0] >= '0' && n[0] <= '9' {
			cut = append(cut, n)
		}
	}
	slices.Sort(cut)
	var whole strings.Builder
	for _, n := range slices.Compact(cut) {
		whole.WriteString(n[1:])
	}
	return []byte(whole.String())
}
