package seatbelt

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"postern/gateway/confine/secrets"
	"postern/gateway/guard"
)

// access is what a server may do with a tree. Of two for the same tree the
// later one is meant.
type access int

const (
	masked access = iota
	reads
	writes
)

// rule is for a tree, of which deeper rules take parts.
type rule struct {
	place string // as the kernel has it
	access
}

// dataVolume is where the volume is mounted of which all that can be written is a
// part; see apfs.util(8) on firmlinks.
const dataVolume = "/System/Volumes/Data"

// linked are the directories that on each macOS are links to those of /private.
var linked = []string{"/etc", "/tmp", "/var"}

// unlisted are never read but for what Render names of them.
var unlisted = []string{"/dev"}

// needed is what a program must read to start, beside what a profile names: where
// macOS keeps its shared libraries and translated programs, and which shell sh is.
var needed = []string{"/Library/Apple/usr", "/private/etc/hosts", "/private/etc/localtime", "/private/preboot/Cryptexes", "/private/var/db/oah", "/private/var/select"}

// rulesOf is a profile's, from the root down.
func rulesOf(p guard.Profile) ([]rule, Why) {
	var all []rule
	add := func(a access, places ...string) Why {
		for _, place := range places {
			if !safe(place) {
				return PathUnsafe
			}
			all = append(all, rule{physical(place), a})
		}
		return ""
	}
	base := needed
	if slices.Contains(p.Read, "/") {
		base = nil
	}
	if why := cmp.Or(add(masked, unlisted...), add(masked, p.Mask...), add(reads, base...), add(reads, p.Read...), add(writes, p.Write...), add(writes, p.Scratch)); why != "" {
		return nil, why
	}
	if overlap(all, physical(p.Scratch)) {
		return nil, WriteOverSecret
	}
	slices.SortFunc(all, func(a, b rule) int {
		return cmp.Or(depth(a.place)-depth(b.place), int(a.access-b.access), strings.Compare(a.place, b.place))
	})
	return slices.Compact(all), ""
}

// overlap reports whether a secret place is in a tree that is written, where it
// could be moved out of its rule, or such a tree in a secret place. Only the
// server's own directory is in one, among the guard's state.
func overlap(all []rule, scratch string) bool {
	for _, w := range all {
		for _, m := range all {
			if w.access != writes || m.access != masked {
				continue
			}
			if secrets.Within(m.place, w.place) || w.place != scratch && secrets.Within(w.place, m.place) {
				return true
			}
		}
	}
	return false
}

// physical is a path as the kernel has it, as far as that is so on each macOS.
func physical(place string) string {
	place = path.Clean(place)
	if rest, ok := strings.CutPrefix(place, dataVolume+"/"); ok {
		place = "/" + rest
	}
	if slices.ContainsFunc(linked, func(l string) bool { return secrets.Within(place, l) }) {
		place = "/private" + place
	}
	return place
}

func depth(place string) int { return strings.Count(strings.TrimSuffix(place, "/"), "/") }

// placesOf are those of an access, in their order.
func placesOf(all []rule, which access) []string {
	var places []string
	for _, r := range all {
		if r.access == which {
			places = append(places, r.place)
		}
	}
	return places
}

// above are all directories on the way to what may be read or written.
func above(all []rule) []string {
	var places []string
	for _, place := range append(placesOf(all, reads), placesOf(all, writes)...) {
		for place != "/" {
			place = path.Dir(place)
			places = append(places, place)
		}
	}
	slices.Sort(places)
	return slices.Compact(places)
}
