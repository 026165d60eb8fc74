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
// size, which no user links to.
var daemons = []string{"/run", "/var/lib", "/dev", "/proc", "/sys", "/private/var/db"}

// anothers is another user's whole home: root's own is listed place by place.
const anothers = "/root"

// published are where all users read programs: a link there tells nothing.
var published = []string{"/usr", "/nix/store", "/dev", "/proc", "/sys", "/System"}

// inode is a file whatever its name.
type inode struct{ device, number uint64 }

// name is one hard link of a file, wherever the folder that it is in is seen: a
// folder that is mounted twice has no more links for that.
type name struct {
	folder inode
	base   string
}

// links are those of the files that have more than one.
type links struct {
	missing map[inode]int // how many were not found
	found   map[name]bool
}

// Links looks through the secret places for other ways to what is in them. It
// tells what symbolic links there lead to, and refuses a file that has more hard
// links than were found. What this user cannot look at, the server cannot either.
func Links(masked []string) ([]string, Why) {
	var targets []string
	hard := links{map[inode]int{}, map[name]bool{}}
	roots := slices.Compact(slices.Sorted(slices.Values(masked)))
	left := most
	for i := 0; i < len(roots); i++ { // what links lead to is looked through too
		root := roots[i]
		if root == anothers || slices.ContainsFunc(daemons, func(t string) bool { return Within(root, t) }) || insideOf(root, roots) {
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
				hard.count(place)
			}
			return nil
		})
	}
	if left < 0 {
		return nil, Unread
	}
	for _, n := range hard.missing {
		if n > 0 {
			return nil, Linked
		}
	}
	return targets, ""
}

// count takes one link of a file off the number of those that it has.
func (l links) count(place string) {
	file, links, ok := lookAt(place)
	if !ok || links < 2 {
		return
	}
	folder, _, ok := lookAt(filepath.Dir(place))
	link := name{folder, filepath.Base(place)}
	if !ok || l.found[link] {
		return
	}
	l.found[link] = true
	if _, known := l.missing[file]; !known {
		l.missing[file] = links
	}
	l.missing[file]--
}

// lookAt is what is at a place, and how many hard links it has.
func lookAt(place string) (inode, int, bool) {
	info, err := os.Lstat(place)
	if err != nil {
		return inode{}, 0, false
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return inode{}, 0, false
	}
	return inode{uint64(st.Dev), st.Ino}, int(st.Nlink), true
}

// secret reports whether what a link in a secret place leads to is masked with
// it: not what all may read, nor what the secret place itself is a part of.
func secret(at, root string) bool {
	return !Within(root, at) && !slices.ContainsFunc(published, func(t string) bool { return Within(at, t) })
}

func insideOf(place string, roots []string) bool {
	return slices.ContainsFunc(roots, func(r string) bool { return r != place && Within(place, r) })
}
