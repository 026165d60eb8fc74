package tree

import (
	"slices"
	"strings"
)

// listeners are the paths of a /proc/net/unix, see unix(7): the eighth column,
// where there is one, to the end of the line.
func listeners(text string) []string {
	var all []string
	for line := range strings.Lines(text) {
		rest := strings.TrimSuffix(line, "\n")
		for range 7 {
			_, rest, _ = strings.Cut(strings.TrimLeft(rest, " "), " ")
		}
		if strings.HasPrefix(rest, "/") { // an abstract one has an @
			all = append(all, rest)
		}
	}
	return slices.Compact(slices.Sorted(slices.Values(all)))
}
