package harness

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"

	"golang.org/x/sys/unix"

	"postern/gateway"
)

// diskFull leads a session whose audit log is on a small file system that is
// filled just before the agent gets its plaintext: what cannot be recorded must
// not be released.
func (t *trial) diskFull(ctx context.Context) (err error) {
	dir := filepath.Join(t.dir, diskDirectory)
	if err := os.Mkdir(dir, 0o700); err != nil {
		return fmt.Errorf("making a small disk: %w", err)
	}
	if err := unix.Mount("tmpfs", dir, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "size=512k,mode=0700"); err != nil {
		return fmt.Errorf("mounting a small disk: %w", err)
	}
	defer func() { err = errors.Join(err, unmount(dir)) }()
	t.audit = dir + "/audit.sqlite"
	var filled error
	t.admitted = func(*gateway.Gateway) { filled = fill(dir + "/filler") }
	result, err := t.session(ctx)
	if err := errors.Join(err, filled); err != nil {
		return err
	}
	t.record(result)
	return nil
}

// unmount takes a small disk away; one that is not mounted is what is wanted.
func unmount(dir string) error {
	if err := unix.Unmount(dir, unix.MNT_DETACH); err != nil && !errors.Is(err, unix.EINVAL) && !errors.Is(err, unix.ENOENT) {
		return fmt.Errorf("unmounting a small disk: %w", err)
	}
	return nil
}

// fill writes until nothing fits.
func fill(path string) error {
	f, err := os.Create(path)
	if err != nil {
		return fmt.Errorf("filling a disk: %w", err)
	}
	defer f.Close()
	block := make([]byte, 4096)
	for range 1024 {
		if _, err := f.Write(block); errors.Is(err, syscall.ENOSPC) {
			return nil
		} else if err != nil {
			return fmt.Errorf("filling a disk: %w", err)
		}
	}
	return errors.New("filling a disk: it does not get full")
}
