package reports

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// stagingPath is the one place beside a bundle where the next is made, so that
// what a killed run left there is known by its name.
func stagingPath(final string) string {
	return filepath.Join(filepath.Dir(final), "."+filepath.Base(final)+".postern-staging")
}

// asidePath is where the old bundle stands for a moment where the file system
// cannot exchange two directories.
func asidePath(final string) string {
	return filepath.Join(filepath.Dir(final), "."+filepath.Base(final)+".postern-replaced")
}

// claim makes the staging directory, or takes over one whose run is dead, and
// returns it locked and empty.
func claim(dir string) (*os.File, *os.Root, error) {
	err := os.Mkdir(dir, 0o700)
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, nil, fmt.Errorf("making the staging directory: %w", err)
	}
	if info, err := os.Lstat(dir); err != nil || !info.IsDir() || !trusted(info) {
		return nil, nil, errors.New("taking the staging directory: what stands there is not a directory of this user alone")
	}
	held, root, err := hold(dir)
	if err != nil {
		return nil, nil, fmt.Errorf("taking the staging directory: %w", err)
	}
	if err := errors.Join(empty(root), root.Chmod(".", 0o700)); err != nil {
		root.Close()
		held.Close()
		return nil, nil, fmt.Errorf("clearing the staging directory: %w", err)
	}
	return held, root, nil
}

// hold opens and locks a directory. It looks again once the lock is held:
// until then another run may have published the directory.
func hold(dir string) (*os.File, *os.Root, error) {
	info, err := os.Lstat(dir)
	if err != nil {
		return nil, nil, err
	}
	root, err := openRoot(dir, info)
	if err != nil {
		return nil, nil, err
	}
	held, err := root.Open(".")
	if err != nil {
		root.Close()
		return nil, nil, err
	}
	free, err := lock(held)
	if err == nil && !free {
		err = errors.New("another run is making this bundle")
	}
	if again, statErr := os.Lstat(dir); err == nil && (statErr != nil || !os.SameFile(info, again)) {
		err = errors.New("another run has just published this bundle")
	}
	if err != nil {
		held.Close()
		root.Close()
		return nil, nil, err
	}
	return held, root, nil
}

// empty removes what is in a directory without following any link.
func empty(root *os.Root) error {
	d, err := root.Open(".")
	if err != nil {
		return err
	}
	defer d.Close()
	names, err := d.Readdirnames(-1)
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := root.RemoveAll(name); err != nil {
			return err
		}
	}
	return nil
}

// syncDir makes the names in a directory last.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}
