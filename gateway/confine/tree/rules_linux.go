package tree

import (
	"path"
	"slices"

	"postern/gateway/confine/secrets"
	"postern/gateway/guard"
)

// listening is where programs listen that do things for others, and resolving
// what of it is needed to resolve a name, or, on NixOS, to run at all.
const listening = "/run"

var resolving = []string{"/run/systemd/resolve", "/run/resolvconf", "/run/NetworkManager/resolv.conf", "/run/current-system", "/run/opengl-driver"}

// made are what bwrap makes itself.
var made = []string{"/proc", "/dev"}

// ruler makes a tree of rules of paths that may lead through links.
type ruler struct {
	root   *node
	disk   disk
	mounts []mount
	masked []string // settled, wherever they are seen
	shown  []string // each of them once
	secrets.Settler
}

// rules is the tree of a profile. What it knows of the machine beside the files
// are the texts of /proc/self/mountinfo and /proc/self/net/unix. A command that is
// empty needs nothing of the tree.
func rules(p guard.Profile, command string, d disk, mountinfo, sockets string) (*node, Why) {
	r := &ruler{root: &node{}, disk: d, mounts: mounts(mountinfo), Settler: secrets.Settler{}}
	for _, place := range append(slices.Clone(p.Mask), listening) {
		r.mask(place)
	}
	for _, place := range made {
		r.root.set(place, none)
	}
	linked, why := secrets.Links(r.shown)
	if why != "" {
		return nil, Why(why)
	}
	for _, place := range linked {
		r.mask(place)
	}
	for _, place := range append(slices.Clone(resolving), p.Read...) {
		r.open(place, reads)
	}
	for _, place := range p.Write {
		if d.shared(place) {
			r.open(place, private)
		} else {
			r.open(place, writes)
		}
	}
	if command != "" && !r.program(command) {
		return nil, ProgramSecret
	}
	for _, place := range listeners(sockets) {
		if at, ok := r.Settle(place, nil); ok && !r.ofServer(at, p.Write) {
			r.root.set(at, none)
		}
	}
	return r.root, ""
}

// mask leaves a place out, each link on the way to it that is its last part, what
// these lead to, and every other place where it is mounted.
func (r *ruler) mask(place string) {
	if up, ok := r.Settle(path.Dir(place), nil); ok {
		r.leaveOut(path.Join(up, path.Base(place)))
	}
	if at, ok := r.Settle(place, nil); ok {
		r.leaveOut(at)
	}
}

func (r *ruler) leaveOut(at string) {
	r.shown = append(r.shown, at)
	for _, place := range append(aliases(at, r.mounts), at) {
		r.root.set(place, none)
		r.masked = append(r.masked, place)
	}
}

// open gives a place, and the links that lead there.
func (r *ruler) open(place string, a access) {
	if slices.ContainsFunc(made, func(m string) bool { return secrets.Within(path.Clean(place), m) }) {
		return
	}
	if at, ok := r.Settle(place, r.root.link); ok {
		r.root.set(at, a)
	}
}

// program lets the server's own program be read, wherever it is, and reports
// whether it may be: not where a secret place holds it.
func (r *ruler) program(command string) bool {
	at, ok := r.Settle(command, nil)
	if ok && slices.ContainsFunc(r.masked, func(m string) bool { return secrets.Within(at, m) }) {
		return r.root.of(at) != none // as one in its own scratch is
	}
	r.open(command, reads)
	return true
}

// ofServer reports whether a place is in a tree that the server writes: sockets
// there are its own, or those of others of its kind.
func (r *ruler) ofServer(at string, written []string) bool {
	return slices.ContainsFunc(written, func(w string) bool {
		tree, ok := r.Settle(w, nil)
		return ok && secrets.Within(at, tree)
	})
}
