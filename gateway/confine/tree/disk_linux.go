package tree

import (
	"io/fs"
	"os"
	"path/filepath"

	"postern/gateway/guard"
)

// entry is what is at a place of the host.
type entry struct {
	kind   kind
	target string // of a link
}

type kind int

const (
	absent kind = iota
	directory
	file
	link
	special // a socket, a pipe or a device: a way to another program
)

// disk is the host's tree.
type disk struct {
	scratch string // of the server
	temp    string // the user's own directory for temporary files
}

func (d disk) look(place string) entry {
	info, err := os.Lstat(place)
	switch {
	case err != nil:
		return entry{}
	case info.Mode().IsRegular():
		return entry{kind: file}
	case info.IsDir():
		return entry{kind: directory}
	case info.Mode()&fs.ModeSymlink != 0:
		target, err := os.Readlink(place)
		if err != nil {
			return entry{}
		}
		return entry{link, target}
	}
	return entry{kind: special}
}

// list is what a directory holds, sorted; nothing where it cannot be read, which
// the server could not either.
func (d disk) list(place string) []string {
	entries, _ := os.ReadDir(place)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// spare is a directory of the server's own in place of one that is not there. It
// is not in the scratch, where the server could make it a link.
func (d disk) spare(place string) string {
	return filepath.Join(filepath.Dir(d.scratch), ".caches", filepath.Base(d.scratch), guard.Segment(place))
}

// base is where the tree is put together, for each server in mounts of its own.
func (d disk) base() string { return filepath.Join(filepath.Dir(d.scratch), ".tree") }

// shared reports whether all users of the machine write into a directory, as
// into /tmp, or whether it is the user's own in place of that.
func (d disk) shared(place string) bool {
	info, err := os.Stat(place)
	return place == d.temp || err == nil && info.IsDir() && info.Mode()&fs.ModeSticky != 0 && info.Mode().Perm()&0o002 != 0
}
