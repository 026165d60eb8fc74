package harness

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"postern/harness/host"
)

// starve puts the bridge into a memory cgroup of its own that allows nothing
// more, makes it need pages, and waits until the kernel has killed it for that.
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
	if err := copyPages(v.cmd.Process.Pid); err != nil {
		return err
	}
	return v.gone(ctx)
}

// copyPages makes a process need memory of its own, without changing a byte of
// it: what is written into a private mapping of a file, here what stands there
// already, goes into a copy of the page, which is charged to the process.
func copyPages(pid int) error {
	start, err := textOf(pid)
	if err != nil {
		return err
	}
	memory, err := os.OpenFile(fmt.Sprintf("/proc/%d/mem", pid), os.O_RDWR, 0)
	if err != nil {
		return fmt.Errorf("opening the bridge's memory: %w", err)
	}
	defer memory.Close()
	page := int64(os.Getpagesize())
	for n := range int64(copiedPages) {
		var b [1]byte
		if _, err := memory.ReadAt(b[:], start+n*page); err != nil {
			return nil // it has died of the copies so far
		}
		if _, err := memory.WriteAt(b[:], start+n*page); err != nil {
			return nil
		}
	}
	return nil
}

// copiedPages is above what a processor may hold in stock for a cgroup, 64.
const copiedPages = 512

// textOf finds where a process has its program, proc_pid_maps(5).
func textOf(pid int) (int64, error) {
	maps, err := os.ReadFile(fmt.Sprintf("/proc/%d/maps", pid))
	if err != nil {
		return 0, fmt.Errorf("reading the bridge's mappings: %w", err)
	}
	for line := range strings.Lines(string(maps)) {
		var from, to int64
		var mode string
		if n, _ := fmt.Sscanf(line, "%x-%x %s", &from, &to, &mode); n == 3 && mode == "r-xp" && to-from >= copiedPages*int64(os.Getpagesize()) {
			return from, nil
		}
	}
	return 0, errors.New("reading the bridge's mappings: its program is not among them")
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
