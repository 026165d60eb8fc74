package harness

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// homely has the tool server of a guarded trial live in memory: the hundreds of
// objects in its secret places cost a tenth of what they cost on a disk. Who may
// not mount has them on the disk.
func (t *trial) homely() (leave func() error, err error) {
	leave = func() error { return nil }
	if !t.canaries.guarded() {
		return leave, nil
	}
	dir := filepath.Join(t.dir, homeDirectory)
	if err := os.Mkdir(dir, 0o700); err != nil {
		return leave, fmt.Errorf("making a home: %w", err)
	}
	switch err := unix.Mount("tmpfs", dir, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "size=16m,mode=0700"); {
	case errors.Is(err, unix.EPERM):
	case err != nil:
		return leave, fmt.Errorf("mounting a home: %w", err)
	default:
		leave = func() error { return unmount(dir) }
	}
	return leave, nil
}
