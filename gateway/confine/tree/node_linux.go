package tree

import (
	"path"
	"slices"
	"strings"
)

// access is what the server has of a tree. The zero access is none.
type access int

const (
	none    access = iota
	reads          // the host's tree, read-only
	writes         // the host's tree
	private        // an empty tree in memory that ends with the server
	linked         // a symbolic link, whose target has an access of its own
)

// node is one place of the tree that is built for a server. A place that has no
// rule of its own has the access of the one above it.
type node struct {
	rule   bool
	access access
	target string // of a link
	kids   map[string]*node
}

// at finds or makes the node of a clean absolute path.
func (n *node) at(place string) *node {
	for name := range strings.SplitSeq(strings.Trim(place, "/"), "/") {
		if name == "" {
			continue
		}
		if n.kids == nil {
			n.kids = map[string]*node{}
		}
		if n.kids[name] == nil {
			n.kids[name] = &node{}
		}
		n = n.kids[name]
	}
	return n
}

// of is the access of a clean absolute path.
func (n *node) of(place string) (a access) {
	for name := range strings.SplitSeq(strings.Trim(place, "/"), "/") {
		if n.rule {
			a = n.access
		}
		if n = n.kids[name]; n == nil {
			return a
		}
	}
	if n.rule {
		a = n.access
	}
	return a
}

// set gives a place an access, unless it has one that weighs more: what is
// masked stays masked.
func (n *node) set(place string, a access) {
	at := n.at(place)
	if !at.rule || a == none || at.access != none && a > at.access {
		at.rule, at.access = true, a
	}
}

// link makes a place a link, unless it is something already.
func (n *node) link(place, target string) {
	if at := n.at(place); !at.rule {
		at.rule, at.access, at.target = true, linked, target
	}
}

// names are the places right below, in a fixed order.
func (n *node) names() []string {
	var all []string
	for name := range n.kids {
		all = append(all, name)
	}
	slices.Sort(all)
	return all
}

// folded reports whether a name is that of a place right below but for case:
// where a file system folds case, it is the same.
func (n *node) folded(name string) bool {
	for kid := range n.kids {
		if strings.EqualFold(kid, name) {
			return true
		}
	}
	return false
}

// has reports whether any place below has a rule of this access.
func (n *node) has(a access) bool {
	for _, kid := range n.kids {
		if kid.rule && kid.access == a || kid.has(a) {
			return true
		}
	}
	return false
}

// prune drops the rules that say what counts there anyway: for each one that
// stays, the directories above it are built anew.
func (n *node) prune(above access) {
	if n.rule {
		above = n.access
	}
	for name, kid := range n.kids {
		kid.prune(above)
		same := kid.access == above || kid.access == linked && above == reads
		if len(kid.kids) == 0 && (!kid.rule || same) {
			delete(n.kids, name)
		}
	}
}

// below is where a path of one tree lies in another.
func below(place, tree, other string) string {
	return path.Join(other, strings.TrimPrefix(place, strings.TrimSuffix(tree, "/")))
}
