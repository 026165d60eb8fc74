package tree

import "path"

// The tree that a server sees is built from nothing: an empty root in memory, in
// it a directory for each that leads to a place with a rule, and in these what
// the host's directories hold, bound one by one. What is masked is what was left
// out. So it makes no difference whether it exists yet, no mask hangs on an entry
// of the host's that somebody may replace, and no other spelling leads there.
// The price: what is made later beside a masked place is not seen either.

// Step is one thing that is done to the new tree.
type Step struct {
	Does   Deed
	Source string // of the host, or a link's target
	Place  string
}

type Deed string

const (
	MakeDirectory Deed = "dir"
	MakeLink      Deed = "symlink"
	Show          Deed = "ro-bind"
	Give          Deed = "bind"
	GiveEmpty     Deed = "tmpfs"
)

// planner turns a tree of rules into steps.
type planner struct {
	disk  disk
	steps []Step
	why   Why
}

// plan says how the tree is built, or why it cannot be.
func plan(root *node, d disk) ([]Step, Why) {
	p := planner{disk: d}
	root.prune(none)
	p.build("/", root, none)
	return p.steps, p.why
}

func (p *planner) add(does Deed, source, place string) {
	p.steps = append(p.steps, Step{does, source, place})
}

// build makes a place and what is below it; above is the access of the place
// above, which counts where there is no rule.
func (p *planner) build(place string, n *node, above access) {
	a := above
	if n.rule {
		a = n.access
	}
	switch {
	case a == linked:
		p.add(MakeLink, n.target, place)
	case a == writes:
		p.open(place, n)
	case a == private:
		p.add(GiveEmpty, "", place)
		p.children(place, n, none)
	case len(n.kids) == 0:
		p.leaf(place, a)
	case a == none:
		p.children(place, n, none)
	default:
		p.rebuild(place, n)
	}
}

func (p *planner) leaf(place string, a access) {
	if a != reads {
		return
	}
	switch e := p.disk.look(place); e.kind {
	case directory, file:
		p.add(Show, place, place)
	case link:
		p.add(MakeLink, e.target, place)
	}
}

// open gives a tree to write in. Nothing in it can be left out.
func (p *planner) open(place string, n *node) {
	if n.has(none) {
		p.why = WriteOverSecret
		return
	}
	source := place
	if p.disk.look(place).kind == absent {
		source = p.disk.spare(place)
	}
	p.add(Give, source, place)
}

func (p *planner) children(place string, n *node, above access) {
	for _, name := range n.names() {
		p.build(path.Join(place, name), n.kids[name], above)
	}
}

// rebuild makes a directory anew with what the host's holds.
func (p *planner) rebuild(place string, n *node) {
	if p.disk.look(place).kind != directory {
		p.leaf(place, reads)
		p.children(place, n, none)
		return
	}
	if place != "/" {
		p.add(MakeDirectory, "", place)
	}
	for _, name := range p.disk.list(place) {
		if n.kids[name] == nil && !n.folded(name) {
			p.leaf(path.Join(place, name), reads)
		}
	}
	for _, name := range n.names() {
		at, kid := path.Join(place, name), n.kids[name]
		if p.disk.look(at).kind == absent && !kid.has(writes) && !kid.has(private) && !kid.rule {
			continue // leads to places that are not there
		}
		p.build(at, kid, reads)
	}
}
