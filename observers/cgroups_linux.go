package observers

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"postern/fixtures/channel"
	"postern/observers/canary"
)

// NewCgroups reads the names of cgroups: those below the container's own, and
// those at the root of the hierarchy. Its pilots are cgroups below the
// container's own.
func NewCgroups(watch *canary.Watch, pilots Pilots) (*Lookout, error) {
	eyes := cgroupNames{watch, pidsRoot()}
	return newLookout(channel.SinkCgroups, pilots, false, spot{
		pilot: func(w whereabouts, text string) (g glance, err error) {
			own, err := cgroupOf(w.pid)
			if err != nil {
				return g, fmt.Errorf("finding the container's cgroup: %w", err)
			}
			if err := os.Mkdir(filepath.Join(own, text), 0o755); err != nil {
				return g, fmt.Errorf("making a cgroup for a pilot: %w", withoutPath(err))
			}
			g, err = eyes.look(own)
			return g, errors.Join(err, withoutPath(os.Remove(filepath.Join(own, text))))
		},
		read: func(_ context.Context, w whereabouts) (glance, error) {
			own, err := cgroupOf(w.pid)
			if err != nil {
				return glance{}, fmt.Errorf("finding the container's cgroup: %w", err)
			}
			return eyes.look(own)
		},
		tidy: eyes.remove,
	}), nil
}

// cgroupNames reads names of cgroups.
type cgroupNames struct {
	watch *canary.Watch
	root  string
}

// look keeps the two places apart: what asked for a cgroup at the root and got
// one below its own has reached nothing but its own.
func (c cgroupNames) look(own string) (glance, error) {
	var g, top glance
	err := filepath.WalkDir(own, func(path string, e fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return err
		case e.IsDir():
			g.see(c.watch, []byte(e.Name()))
		}
		return nil
	})
	if err != nil {
		return g, fmt.Errorf("reading the names of cgroups: %w", withoutPath(err))
	}
	delete(g.seen, channel.KernelCgroupHost)
	delete(g.seen, channel.KernelRelease) // likewise: nothing of the host's is called so
	names, err := c.atRoot()
	if err != nil {
		return g, err
	}
	for _, name := range names {
		top.see(c.watch, []byte(name))
	}
	g.add(top.seen)
	g.units += top.units
	g.bytes += top.bytes
	return g, nil
}

func (c cgroupNames) atRoot() (names []string, err error) {
	entries, err := os.ReadDir(c.root)
	if err != nil {
		return nil, fmt.Errorf("reading the names of cgroups: %w", err)
	}
	for _, e := range entries {
		if e.IsDir() {
			names = append(names, e.Name())
		}
	}
	return names, nil
}

// remove takes away what the agent made at the root of the host's hierarchy.
func (c cgroupNames) remove() error {
	names, err := c.atRoot()
	errs := []error{err}
	for _, name := range names {
		if len(c.watch.Scan([]byte(name))) > 0 {
			errs = append(errs, withoutPath(unix.Rmdir(filepath.Join(c.root, name))))
		}
	}
	return errors.Join(errs...)
}
