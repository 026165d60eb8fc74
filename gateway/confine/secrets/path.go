// Package secrets finds the other ways to what lies in secret places: links from
// them, and further hard links to their files. It is for every sandbox that masks
// by path, and looks at names and numbers of files, never at what is in them.
package secrets

import (
	"os"
	"path"
	"strings"
)

// Within reports whether a path is a tree's root or below it.
func Within(place, tree string) bool {
	below, ok := strings.CutPrefix(place, tree)
	return tree == "/" || ok && (below == "" || below[0] == '/')
}

// hops bounds how many links lead to a place, as the kernel does.
const hops = 40

// Settle follows the links of a path, also of one that leads to nothing yet, and
// tells each of them where somebody wants to know.
func Settle(place string, passes func(at, target string)) (string, bool) {
	return make(Settler).Settle(place, passes)
}

// Settler follows links as they were when it first came to each, "" where there
// was none. The secret places have most of their ways in common.
type Settler map[string]string

// Settle does what the function of this name does.
func (s Settler) Settle(place string, passes func(at, target string)) (string, bool) {
	at, rest := "/", strings.Split(path.Clean(place), "/")
	for n := 0; len(rest) > 0; {
		name := rest[0]
		rest = rest[1:]
		if name == ".." {
			at = path.Dir(at)
			continue
		}
		next := path.Join(at, name) // empty and "." change nothing
		target, known := s[next]
		if !known {
			target, _ = os.Readlink(next) // "" where there is no link, or nothing
			s[next] = target
		}
		if target == "" {
			at = next
			continue
		}
		if n++; n > hops {
			return "", false
		}
		if passes != nil {
			passes(next, target)
		}
		if path.IsAbs(target) {
			at = "/"
		}
		rest = append(strings.Split(target, "/"), rest...)
	}
	return at, true
}
