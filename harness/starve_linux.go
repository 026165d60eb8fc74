package harness

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"golang.org/x/sys/unix"

	"postern/harness/host"
)

// starve puts the bridge into a memory cgroup of its own that allows nothing
// more, and waits until the kernel has killed it for that.
func starve(ctx context.Context, _ *trial, v *victim) (err error) {
	group, limit, err := memoryGroup(v.cmd.Process.Pid)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, removeGroup(ctx, group)) }()
	for _, w := range []struct{ file, text string }{
		{limit, "0"},
		{"cgroup.procs", strconv.Itoa(v.cmd.Process.Pid)},
	} {
		if err := os.WriteFile(filepath.Join(group, w.file), []byte(w.text), 0o600); err != nil {
			return fmt.Errorf("taking the bridge's memory: %w", err)
		}
	}
	return v.gone(ctx)
}

// memoryGroup makes a cgroup and names its limit: cgroups(7), memory controller
// of either version.
func memoryGroup(pid int) (path, limit string, err error) {
	path, limit = "/sys/fs/cgroup/memory", "memory.limit_in_bytes"
	if host.Look().CgroupVersion == 2 {
		path, limit = "/sys/fs/cgroup", "memory.max"
	}
	path = filepath.Join(path, "postern-"+strconv.Itoa(pid))
	if err := os.Mkdir(path, 0o755); err != nil {
		return "", "", fmt.Errorf("making a memory cgroup: %w", err)
	}
	return path, limit, nil
}

// removeGroup waits for the kernel to let go of a group whose process died.
func removeGroup(ctx context.Context, path string) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), faultBound)
	defer cancel()
	var err error
	for {
		if err = os.Remove(path); !errors.Is(err, unix.EBUSY) {
			return err
		}
		select {
		case <-time.After(10 * time.Millisecond):
		case <-ctx.Done():
			return err
		}
	}
}
