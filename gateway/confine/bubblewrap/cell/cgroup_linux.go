package cell

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"postern/gateway/confine"
)

const (
	procs  = "cgroup.procs"
	folder = "postern" // below which cells have their cgroups
)

// setting is a file of a cgroup and what is written to it.
type setting struct{ file, value string }

// makeCgroups makes the cell's own cgroups, with its limits. Where that fails,
// those that were made are in the answer all the same.
func makeCgroups(id string, p confine.Profile) (dirs []string, err error) {
	if at := confine.CgroupMount(""); at != "" && confine.CgroupMount("memory") == "" {
		return unified(at, id, p)
	}
	for controller, settings := range map[string][]setting{
		"pids":   {{"pids.max", most(p.Pids, "max")}},
		"memory": {{"memory.limit_in_bytes", most(p.Memory, "-1")}, {"memory.memsw.limit_in_bytes", most(p.Memory, "-1")}},
	} {
		top := confine.CgroupMount(controller)
		if top == "" {
			return dirs, fmt.Errorf("making a cgroup: there is no hierarchy for %s", controller)
		}
		dir := filepath.Join(top, folder, id)
		dirs = append(dirs, dir)
		if err := limited(dir, settings); err != nil {
			return dirs, err
		}
	}
	return dirs, nil
}

// unified is the same with version 2, where controllers are handed down first.
func unified(top, id string, p confine.Profile) ([]string, error) {
	dir := filepath.Join(top, folder, id)
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return nil, fmt.Errorf("making a cgroup: %w", err)
	}
	for _, above := range []string{top, filepath.Dir(dir)} {
		if err := os.WriteFile(filepath.Join(above, "cgroup.subtree_control"), []byte("+pids +memory"), 0); err != nil {
			return nil, fmt.Errorf("making a cgroup: handing controllers down: %w", err)
		}
	}
	return []string{dir}, limited(dir, []setting{
		{"pids.max", most(p.Pids, "max")}, {"memory.max", most(p.Memory, "max")}, {"memory.swap.max", "0"},
	})
}

func limited(dir string, settings []setting) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("making a cgroup: %w", err)
	}
	for _, s := range settings {
		if err := os.WriteFile(filepath.Join(dir, s.file), []byte(s.value), 0); err != nil {
			return fmt.Errorf("limiting a cgroup: %w", err)
		}
	}
	return nil
}

// most writes a limit; 0 is none.
func most(n int64, none string) string {
	if n == 0 {
		return none
	}
	return strconv.FormatInt(n, 10)
}

// empty kills what is in a cgroup until nothing is.
func empty(ctx context.Context, dir string) error {
	for {
		text, err := os.ReadFile(filepath.Join(dir, procs))
		if errors.Is(err, fs.ErrNotExist) || err == nil && strings.TrimSpace(string(text)) == "" {
			return nil
		}
		if err != nil {
			return fmt.Errorf("looking what is in a cgroup: %w", err)
		}
		for line := range strings.Lines(string(text)) {
			// Above 1, for neither every process nor one beyond our own PID namespace is meant.
			if pid, err := strconv.Atoi(strings.TrimSpace(line)); err == nil && pid > 1 {
				unix.Kill(pid, unix.SIGKILL)
			}
		}
		if err := again(ctx); err != nil {
			return fmt.Errorf("emptying a cgroup: %w", err)
		}
	}
}

// discard removes cgroups that are empty, which the kernel notices a little later.
func discard(ctx context.Context, dirs []string) error {
	for _, dir := range dirs {
		for {
			err := os.Remove(dir)
			if err == nil || errors.Is(err, fs.ErrNotExist) {
				break
			}
			if !errors.Is(err, unix.EBUSY) {
				return fmt.Errorf("removing a cgroup: %w", err)
			}
			if err := again(ctx); err != nil {
				return fmt.Errorf("removing a cgroup: %w", err)
			}
		}
	}
	return nil
}

// sweepAge is how old a cgroup must be to be swept: a cell that is being made has
// one without a process for some milliseconds.
const sweepAge = time.Minute

// Sweep removes the cgroups of cells whose maker was killed. Their processes died
// with it.
func Sweep() error {
	var errs []error
	for _, controller := range []string{"pids", "memory", ""} {
		at := confine.CgroupMount(controller)
		if at == "" {
			continue
		}
		entries, err := os.ReadDir(filepath.Join(at, folder))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, fmt.Errorf("looking for cgroups of killed runs: %w", err))
		}
		for _, e := range entries {
			dir := filepath.Join(at, folder, e.Name())
			if info, err := e.Info(); err != nil || !e.IsDir() || time.Since(info.ModTime()) < sweepAge {
				continue
			}
			// One with a process in it stays: the kernel refuses.
			if err := os.Remove(dir); err != nil && !errors.Is(err, unix.EBUSY) && !errors.Is(err, fs.ErrNotExist) {
				errs = append(errs, fmt.Errorf("removing a cgroup: %w", err))
			}
		}
	}
	return errors.Join(errs...)
}

// again waits a moment for what the kernel is about to do.
func again(ctx context.Context) error {
	select {
	case <-time.After(time.Millisecond):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
