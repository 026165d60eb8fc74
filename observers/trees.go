package observers

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"postern/fixtures/channel"
	"postern/observers/canary"
)

const (
	treePilot = ".postern-pilot" // in the first of the trees
	maxTree   = 256 << 20        // bytes read in one look
)

// NewTrees reads directories of the host that a sandbox without an Engine is made
// of, or is given: the names in them, the contents of files and what links say.
// The first holds the pilots. It does not look at times, modes and attributes.
func NewTrees(watch *canary.Watch, pilots Pilots, trees ...string) (*Lookout, error) {
	if len(trees) == 0 {
		return nil, errors.New("looking at directories: there are none")
	}
	at := filepath.Join(trees[0], treePilot)
	return newLookout(channel.SinkFile, pilots, true, spot{
		pilot: func(_ whereabouts, text string) (g glance, err error) {
			if err := os.WriteFile(at, []byte(text), 0o600); err != nil {
				return g, fmt.Errorf("writing a pilot: %w", withoutPath(err))
			}
			g, err = readTrees(watch, trees)
			return g, errors.Join(err, withoutPath(os.Remove(at)))
		},
		read: func(context.Context, whereabouts) (glance, error) { return readTrees(watch, trees) },
	}), nil
}

func readTrees(watch *canary.Watch, trees []string) (g glance, err error) {
	for _, tree := range trees {
		err = errors.Join(err, filepath.WalkDir(tree, func(path string, e fs.DirEntry, err error) error {
			if err != nil {
				return withoutPath(err)
			}
			return readEntry(watch, path, e, &g)
		}))
	}
	if err != nil {
		err = fmt.Errorf("reading directories: %w", err)
	}
	return g, err
}

func readEntry(watch *canary.Watch, path string, e fs.DirEntry, g *glance) error {
	g.see(watch, []byte(e.Name()))
	switch {
	case e.Type()&fs.ModeSymlink != 0:
		target, err := os.Readlink(path)
		g.see(watch, []byte(target))
		return withoutPath(err)
	case !e.Type().IsRegular():
		return nil
	}
	info, err := e.Info()
	if err != nil {
		return withoutPath(err)
	}
	if info.Size()+g.bytes > maxTree {
		g.drops++
		return nil
	}
	content, err := os.ReadFile(path)
	g.see(watch, content)
	return withoutPath(err)
}
