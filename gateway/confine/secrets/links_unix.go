//go:build unix

package secrets

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
)

// most bounds how many files are looked at before each start: a browser's
// profile has some ten thousand.
const most = 300_000

// Why is why the secret places cannot be masked: a closed word.
type Why string

const (
	Linked Why = "secret-linked"  // a file has a hard link that lies in no secret place
	Unread Why = "secrets-unread" // there are more files than are looked at
)

// daemons are where programs of the machine keep state of their own, of any
// size, which no user links to; and another user's whole home.
var daemons = []string{"/run", "/var/lib", "/dev", "/proc", "/sys", "/root", "/private/var/db"}

// published are where all users read programs: a link there tells nothing.
var published = []string{"/usr", "/nix/store", "/dev", "/proc", "/sys", "/System"}

// inode is a file whatever its name.
type inode struct{ device, number uint64 }

// Links looks through the secret places for other ways to what is in them. It
// tells what symbolic links there lead to, and refuses a file that has more hard
// links than were found. What this user cannot look at, the server cannot either.
func Links(masked []string) ([]string, Why) {
	var targets []string
	missing := map[inode]int{}
	roots := slices.Compact(slices.Sorted(slices.Values(masked)))
	left := most
	for i := 0; i < len(roots); i++ { // what links lead to is looked through too
		root := roots[i]
		if slices.ContainsFunc(daemons, func(t string) bool { return Within(root, t) }) || insideOf(root, roots) {
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
				if at, ok := Settle(place, nil); ok && secret(at, root) && !slices.Contains(roots, at) {
					targets, roots = append(targets, at), append(roots, at)
				}
			case e.Type().IsRegular():
				count(missing, place)
			}
			return nil
		})
	}
	if left < 0 {
		return nil, Unread
	}
	for _, n := range missing {
		if n > 0 {
			return nil, Linked
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
	return !Within(root, at) && !slices.ContainsFunc(published, func(t string) bool { return Within(at, t) })
}

func insideOf(place string, roots []string) bool {
	return slices.ContainsFunc(roots, func(r string) bool { return r != place && Within(place, r) })
}
