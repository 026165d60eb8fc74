//go:build unix

package seatbelt

import (
	"os"
	"path"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"postern/gateway/confine/secrets"
	"postern/gateway/guard"
)

// Settle is a profile with its paths as the kernel has them on this machine, and
// with the server's program, an absolute path, among what is read unless it lies
// in a secret place. Where the profile cannot be kept to the error is an *Unable.
func Settle(p guard.Profile, program string) (guard.Profile, error) {
	d := disk{}
	mask, why := d.masks(p.Mask)
	if why != "" {
		return guard.Profile{}, &Unable{why}
	}
	var reads, writes []string
	grant := func(place string) string {
		at, links := d.grant(place)
		reads = append(reads, links...)
		return at
	}
	for _, place := range p.Read {
		reads = append(reads, grant(place))
	}
	for _, place := range p.Write {
		writes = append(writes, grant(place))
	}
	scratch := grant(p.Scratch)
	if at := grant(program); !slices.ContainsFunc(mask, func(m string) bool { return secrets.Within(at, m) }) {
		reads = append(reads, at)
	}
	p.Mask, p.Read, p.Write, p.Scratch = mask, reads, writes, scratch
	return p, nil
}

// disk is the names in each directory that was looked at.
type disk map[string][]string

// masks are the secret places by all their paths: where links lead, each
// spelling that is there, and where links in them lead.
func (d disk) masks(places []string) ([]string, Why) {
	var all []string
	add := func(place string) {
		for _, spelled := range d.spellings(place) {
			all = append(all, spelled)
			if up, ok := secrets.Settle(path.Dir(spelled), nil); ok {
				all = append(all, path.Join(up, path.Base(spelled)))
			}
			if at, ok := secrets.Settle(spelled, nil); ok {
				all = append(all, d.spellings(at)...)
			}
		}
	}
	for _, place := range places {
		add(place)
	}
	targets, why := secrets.Links(all)
	for _, place := range targets {
		add(place)
	}
	slices.Sort(all)
	return slices.Compact(all), Why(why)
}

// grant is where a place is, and the links that lead there, but for those of
// each macOS. Another spelling is meant only where it is the same file: on a file
// system that keeps case apart nothing else is granted.
func (d disk) grant(place string) (string, []string) {
	var links []string
	at, ok := secrets.Settle(place, func(link, _ string) {
		if !slices.Contains(linked, link) {
			links = append(links, link)
		}
	})
	if !ok {
		return path.Clean(place), nil
	}
	for _, spelled := range d.spellings(at) {
		if spelled != at && same(spelled, at) {
			return spelled, links
		}
	}
	return at, links
}

func same(a, b string) bool {
	x, err := os.Lstat(a)
	if err != nil {
		return false
	}
	y, err := os.Lstat(b)
	return err == nil && os.SameFile(x, y)
}

// spellings are a path and those others on the disk that differ from it in case
// or in how an accent is written: which of them are one file, the file system
// says, and a place that is secret is so in each of them.
func (d disk) spellings(place string) []string {
	all := []string{"/"}
	for _, name := range strings.Split(strings.Trim(path.Clean(place), "/"), "/") {
		var longer []string
		for _, at := range all {
			longer = append(longer, path.Join(at, name))
			for _, other := range d.list(at) {
				if other != name && strings.EqualFold(norm.NFC.String(other), norm.NFC.String(name)) {
					longer = append(longer, path.Join(at, other))
				}
			}
		}
		all = longer
	}
	return all
}

func (d disk) list(place string) []string {
	names, known := d[place]
	if !known {
		entries, _ := os.ReadDir(place) // what we cannot read the server cannot
		for _, e := range entries {
			names = append(names, e.Name())
		}
		d[place] = names
	}
	return names
}
