package harness

import (
	"fmt"
	"io"
	"os"

	"postern/observers/canary"
)

// search looks for every canary of the run in every file of a bundle that is
// about to be published. A hit is told by file and offset, never by text.
func (l *lab) search(dir string) error {
	watch, err := canary.NewWatch(l.minted)
	if err != nil {
		return fmt.Errorf("searching the bundle: %w", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fmt.Errorf("searching the bundle: %w", err)
	}
	defer root.Close()
	files, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("searching the bundle: %w", err)
	}
	searched := 0
	for _, f := range files {
		if !f.Type().IsRegular() {
			return fmt.Errorf("searching the bundle: it holds something that is no file")
		}
		if err := searchFile(root, f.Name(), watch); err != nil {
			return err
		}
		searched++
	}
	if searched == 0 {
		return fmt.Errorf("searching the bundle: it holds no file")
	}
	return nil
}

func searchFile(root *os.Root, name string, watch *canary.Watch) error {
	f, err := root.Open(name)
	if err != nil {
		return fmt.Errorf("searching the bundle: %w", err)
	}
	defer f.Close()
	s := watch.Stream()
	if _, err := io.Copy(s, f); err != nil {
		return fmt.Errorf("searching the bundle: %w", err)
	}
	if hit, found := s.First(); found {
		return fmt.Errorf("a canary is in the bundle, which is deleted: %s, offset %d", name, hit.Offset)
	}
	return nil
}
