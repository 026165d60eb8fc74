package engine

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"golang.org/x/sys/unix"

	"postern/harness/host"
)

// Sweep removes the Engine that a killed process left in dir: its processes
// and containers, mounts, cgroups, sockets and files. It refuses with ErrInUse
// while that process lives, and touches no directory that Start did not make.
// None, or an empty one, is no error.
func Sweep(ctx context.Context, dir string) error {
	ctx, cancel := context.WithTimeout(ctx, closeLimit)
	defer cancel()
	h, err := locate(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = abandoned(h)
	}
	if err == nil {
		err = clean(ctx, h)
	}
	if err != nil {
		return fmt.Errorf("sweeping a private Engine: %w", err)
	}
	return nil
}

// abandoned is nil where the one who made h is known to be gone.
func abandoned(h home) error {
	label, err := os.ReadFile(h.owner())
	if errors.Is(err, fs.ErrNotExist) {
		entries, err := os.ReadDir(string(h))
		if err == nil && len(entries) > 0 {
			err = errors.New("the directory names no owner: it is no Engine's")
		}
		return err
	}
	if err != nil {
		return err
	}
	owner, err := host.ParseOwner(string(label))
	if err != nil {
		return err
	}
	switch alive, err := owner.Alive(); {
	case err != nil:
		return err
	case alive:
		return ErrInUse
	}
	return nil
}

// clean ends and removes whatever belongs to h.
func clean(ctx context.Context, h home) error {
	ids, err := h.containers()
	if err != nil {
		return fmt.Errorf("listing its containers: %w", err)
	}
	groups, err := cgroups(ids)
	if err != nil {
		return fmt.Errorf("finding its cgroups: %w", err)
	}
	if err := endAll(ctx, h, ids, groups); err != nil {
		return fmt.Errorf("ending its processes: %w", err)
	}
	// Files go last, and only when nothing of the host's is mounted among them.
	if err := unmount(h); err != nil {
		return fmt.Errorf("unmounting: %w", err)
	}
	errs := []error{removeGroups(ctx, groups)}
	for _, id := range ids {
		if err := os.Remove(h.shim(id)); !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	return h.remove()
}

// containers are the ids of all that may have a process, from dockerd's list
// and from containerd's.
func (h home) containers() ([]string, error) {
	var ids []string
	for _, dir := range []string{h.at("r/containers"), h.tasks()} {
		entries, err := os.ReadDir(dir)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		for _, entry := range entries {
			if id := entry.Name(); isID(id) && !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
	}
	return ids, nil
}

// isID knows a container's id, 64 hexadecimal digits.
func isID(s string) bool {
	for _, c := range s {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return len(s) == 64
}

// shim is where a shim listens: outside h, in a directory that all Engines
// share, by a hash (containerd runtime/v2/shim, SocketAddress).
func (h home) shim(id string) string {
	sum := sha256.Sum256([]byte(filepath.Join(h.containerd(), "moby", id)))
	return fmt.Sprintf("/run/containerd/s/%x", sum)
}

// remove keeps the owner's name to the end, so that a removal that failed can
// be taken up again.
func (h home) remove() error {
	entries, err := os.ReadDir(string(h))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, entry := range entries {
		if path := h.at(entry.Name()); path != h.owner() {
			if err := os.RemoveAll(path); err != nil {
				return err
			}
		}
	}
	return os.RemoveAll(string(h))
}

// removeGroups removes cgroups from the inside out. The kernel calls one busy
// for a moment after its last process is gone.
func removeGroups(ctx context.Context, groups []string) error {
	for _, group := range slices.Backward(groups) {
		for {
			err := unix.Rmdir(group)
			if err == nil || errors.Is(err, unix.ENOENT) {
				break
			}
			if !errors.Is(err, unix.EBUSY) {
				return fmt.Errorf("removing a cgroup: %w", err)
			}
			select {
			case <-ctx.Done():
				return fmt.Errorf("removing a cgroup: %w", ctx.Err())
			case <-time.After(time.Millisecond):
			}
		}
	}
	return nil
}
