package reports

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// install puts the staging directory in the place of final in one step, and
// removes the bundle that stood there. It reports whether that step was done:
// an error after it is about removing the old bundle.
func install(staging, final string) (bool, error) {
	err := os.Rename(staging, final) // enough where nothing or an empty directory stands
	if err == nil {
		return true, nil
	}
	if _, statErr := os.Lstat(final); statErr != nil {
		return false, err
	}
	// Held, so that no other run takes the old bundle for a dead run's
	// staging directory while it is being removed under that name.
	held, root, err := hold(final)
	if err != nil {
		return false, err
	}
	defer held.Close()
	defer root.Close()
	old := staging
	if swap(staging, final) != nil {
		old = asidePath(final)
		if err := replaceInTwo(staging, final, old); err != nil {
			return false, err
		}
	}
	return true, errors.Join(empty(root), os.Remove(old))
}

// replaceInTwo is for file systems that cannot exchange. A run killed between
// its two steps leaves nothing at final; recoverOld brings the old bundle back.
func replaceInTwo(staging, final, aside string) error {
	if err := os.Rename(final, aside); err != nil {
		return err
	}
	if err := os.Rename(staging, final); err != nil {
		return errors.Join(err, os.Rename(aside, final))
	}
	return nil
}

// recoverOld undoes what a run killed in replaceInTwo, or after it, left: the
// old bundle goes back if its place is empty, and away if the new one is there.
func recoverOld(final string) error {
	aside := asidePath(final)
	info, err := os.Lstat(aside)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("looking for a bundle set aside: %w", err)
	}
	if !info.IsDir() || replaceable(aside, info) != nil {
		return errors.New("what stands where a bundle would be set aside is no bundle")
	}
	if _, err := os.Lstat(final); errors.Is(err, fs.ErrNotExist) {
		return os.Rename(aside, final)
	}
	root, err := openRoot(aside, info)
	if err != nil {
		return fmt.Errorf("removing a bundle set aside: %w", err)
	}
	defer root.Close()
	return errors.Join(empty(root), os.Remove(aside))
}
