package bubblewrap

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// maxSecrets bounds how many files are looked at before each start: a browser's
// profile has some ten thousand.
const maxSecrets = 300_000

// daemons are where programs of the machine keep state of their own, of any
// size, which no user links to; and another user's whole home.
var daemons = []string{"/run", "/var/lib", "/dev", "/proc", "/sys", "/root"}

// published are where all users read programs: a link there tells nothing.
var published = []string{"/usr", "/nix/store", "/dev", "/proc", "/sys"}

// inode is a file whatever its name.
type inode struct{ device, number uint64 }

// linksOf looks through the secret places for other ways to what is in them. It
// tells what symbolic links there lead to, and refuses a file that has more hard
// links than were found. What this user cannot look at, the server cannot either.
func linksOf(masked []string, d disk) ([]string, Why) {
	var targets []string
	missing := map[inode]int{}
	roots := slices.Compact(slices.Sorted(slices.Values(masked)))
	left := maxSecrets
	for i := 0; i < len(roots); i++ { // what links lead to is looked through too
		root := roots[i]
		if slices.ContainsFunc(daemons, func(t string) bool { return within(root, t) }) || insideOf(root, roots) {
			continue
		}
		filepath.WalkDir(root, func(place string, e fs.DirEntry, err error) error {
			if left--; left < 0 {
				return fs.SkipAll
			}
			switch {
			case err != nil:
				return nil
			case e.Type()&fs.ModeSymlink != 0:
				if at, ok := d.settle(place, ignore); ok && secret(at, root) && !slices.Contains(roots, at) {
					targets, roots = append(targets, at), append(roots, at)
				}
			case e.Type().IsRegular():
				count(missing, place)
			}
			return nil
		})
	}
	if left < 0 {
		return nil, SecretsUnread
	}
	for _, n := range missing {
		if n > 0 {
			return nil, SecretLinked
		}
	}
	return targets, ""
}

// count takes one name of a file off the number of those that it has.
func count(missing map[inode]int, place string) {
	info, err := os.Lstat(place)
	if err != nil {
		return
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok || st.Nlink < 2 {
		return
	}
	id := inode{uint64(st.Dev), st.Ino}
	if _, known := missing[id]; !known {
		missing[id] = int(st.Nlink)
	}
	missing[id]--
}

// secret reports whether what a link in a secret place leads to is masked with
// it: not what all may read, nor what the secret place itself is a part of.
func secret(at, root string) bool {
	return !within(root, at) && !slices.ContainsFunc(published, func(t string) bool { return within(at, t) })
}

func insideOf(place string, roots []string) bool {
	return slices.ContainsFunc(roots, func(r string) bool { return r != place && within(place, r) })
}

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
