package tree

import (
	"strings"

	"postern/gateway/confine/secrets"
)

// mount is a line of /proc/self/mountinfo, see proc(5): a tree of a file system
// and where it is seen.
type mount struct {
	device string // "254:0"
	root   string // of the tree, in its file system
	place  string
}

func mounts(mountinfo string) []mount {
	var all []mount
	for line := range strings.Lines(mountinfo) {
		if f := strings.Fields(line); len(f) > 5 {
			all = append(all, mount{f[2], unescaped(f[3]), unescaped(f[4])})
		}
	}
	return all
}

// unescaped turns the kernel's octal back: blanks and backslashes.
func unescaped(s string) string {
	return strings.NewReplacer(`\040`, " ", `\011`, "\t", `\012`, "\n", `\134`, `\`).Replace(s)
}

// aliases are the other places where a tree is seen: where its file system, or
// one that is mounted inside it, is mounted too.
func aliases(place string, all []mount) []string {
	var out []string
	for _, tree := range trees(place, all) {
		for _, m := range all {
			switch {
			case m.device != tree.device:
			case secrets.Within(tree.root, m.root):
				out = append(out, below(tree.root, m.root, m.place))
			case secrets.Within(m.root, tree.root):
				out = append(out, m.place)
			}
		}
	}
	return out
}

// trees are what a place shows: the part of the file system that it lies on, and
// those that are mounted below it.
func trees(place string, all []mount) []mount {
	var on mount
	var out []mount
	for _, m := range all {
		if secrets.Within(place, m.place) && len(m.place) >= len(on.place) {
			on = m
		} else if secrets.Within(m.place, place) {
			out = append(out, m)
		}
	}
	if on.place == "" {
		return out
	}
	return append(out, mount{on.device, below(place, on.place, on.root), place})
}
