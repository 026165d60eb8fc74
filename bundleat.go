package main

import (
	"errors"
	"fmt"
	"path/filepath"

	"postern/harness"
)

// bundleAt is where a bundle is that the user named. The user may name it by a
// link; in a bundle there are none.
func bundleAt(path string) string {
	if to, err := filepath.EvalSymlinks(path); err == nil {
		return to
	}
	return path
}

// noBundle says where there is no bundle, and how to come by one.
func noBundle(path string, err error) error {
	if !errors.Is(err, harness.ErrNoBundle) {
		return err
	}
	return fmt.Errorf("%w at %s: name the directory of one, or have one made by '%s run --out DIR'", err, printable(path), program())
}
