package observers

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"postern/fixtures/channel"
	"postern/observers/canary"
)

// maxCore bounds what is read of one core, in bytes.
const maxCore = 256 << 20

// NewCore reads cores: those in the container's shared memory while it lives,
// through the host's /proc, and the file of a handler that the kernel may hand
// cores to. Its pilots are files called core in the same shared memory.
func NewCore(handled string, watch *canary.Watch, pilots Pilots) (*Lookout, error) {
	return newLookout(channel.SinkCore, pilots, false, spot{
		pilot: func(w whereabouts, text string) (g glance, err error) {
			root, err := os.OpenRoot(sharedMemory(w))
			if err != nil {
				return g, fmt.Errorf("entering the container's shared memory: %w", err)
			}
			defer root.Close()
			if err := root.WriteFile("core.pilot", []byte(text), 0o600); err != nil {
				return g, fmt.Errorf("leaving a pilot in the container's shared memory: %w", err)
			}
			err = readCores(watch, root, &g)
			return g, errors.Join(err, root.Remove("core.pilot"))
		},
		read: func(_ context.Context, w whereabouts) (g glance, err error) {
			root, err := os.OpenRoot(sharedMemory(w))
			if err != nil {
				return g, fmt.Errorf("entering the container's shared memory: %w", err)
			}
			defer root.Close()
			if err := readCores(watch, root, &g); err != nil {
				return g, err
			}
			return g, readHandled(watch, handled, &g)
		},
	}), nil
}

func sharedMemory(w whereabouts) string { return fmt.Sprintf("/proc/%d/root/dev/shm", w.pid) }

// readCores searches what is called core, or core.PID, and nothing else: the
// agent may write other files there by right.
func readCores(watch *canary.Watch, root *os.Root, g *glance) error {
	names, err := fs.Glob(root.FS(), "core*")
	if err != nil {
		return err
	}
	for _, name := range names {
		f, err := root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
		if err != nil {
			return fmt.Errorf("opening a core: %w", withoutPath(err))
		}
		if err := errors.Join(readCore(watch, f, g), f.Close()); err != nil {
			return err
		}
	}
	return nil
}

// readHandled searches what a handler received, if there is one.
func readHandled(watch *canary.Watch, path string, g *glance) error {
	f, err := os.Open(filepath.Clean(path))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("opening what a core handler wrote: %w", err)
	}
	return errors.Join(readCore(watch, f, g), f.Close())
}

func readCore(watch *canary.Watch, f *os.File, g *glance) error {
	s := watch.Stream()
	n, err := io.Copy(s, io.LimitReader(f, maxCore))
	g.add(s.Sightings())
	g.units++
	g.bytes += n
	if n == maxCore {
		g.drops++
	}
	if err != nil {
		return fmt.Errorf("reading a core: %w", withoutPath(err))
	}
	return nil
}
