package harness

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"postern/harness/engine"
	"postern/harness/host"
)

// What trials put below their directories and must be taken down before those
// can be removed.
const (
	engineDirectory = "e"    // a private Engine
	diskDirectory   = "disk" // a small file system
	homeDirectory   = "home" // of a tool server; a file system where the harness may mount one
)

// The directory of a run, in the temporary directory, says whose it is.
const (
	directoryPattern = "postern-*"
	ownerFile        = "owner"
)

// sweepDirectories removes the directories of runs that were killed. They hold
// binaries and audit logs, and no plaintext.
func sweepDirectories(ctx context.Context) error {
	marks, err := filepath.Glob(filepath.Join(os.TempDir(), directoryPattern, ownerFile))
	if err != nil {
		return fmt.Errorf("looking for directories of killed runs: %w", err)
	}
	var errs []error
	for _, mark := range marks {
		if dir := filepath.Dir(mark); abandoned(dir, mark) {
			errs = append(errs, dismantle(ctx, dir), os.RemoveAll(dir))
		}
	}
	return errors.Join(errs...)
}

// dismantle ends the private Engines of a killed run and unmounts its disks.
func dismantle(ctx context.Context, dir string) error {
	var errs []error
	engines, err := filepath.Glob(filepath.Join(dir, "trial-*", engineDirectory))
	errs = append(errs, err)
	for _, e := range engines {
		errs = append(errs, engine.Sweep(ctx, e))
	}
	for _, name := range []string{diskDirectory, homeDirectory} {
		disks, err := filepath.Glob(filepath.Join(dir, "trial-*", name))
		errs = append(errs, err)
		for _, d := range disks {
			errs = append(errs, unmount(d))
		}
	}
	return errors.Join(errs...)
}

// abandoned reports whether a directory is this user's own and its owner gone.
// In doubt it stays: anybody may make a directory with such a name.
func abandoned(dir, mark string) bool {
	info, err := os.Lstat(dir)
	if err != nil || !info.IsDir() || !ownedByUs(info) {
		return false
	}
	text, err := os.ReadFile(mark)
	if err != nil {
		return false
	}
	owner, err := host.ParseOwner(string(text))
	if err != nil {
		return false
	}
	alive, err := owner.Alive()
	return err == nil && !alive
}
