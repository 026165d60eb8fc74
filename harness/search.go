package harness

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"postern/observers/canary"
	"postern/observers/canary/layer"
	"postern/observers/canary/scan"
	"postern/observers/canary/secret"
)

// search looks for every canary of the run in every file of a bundle that is
// about to be published, and in their names: as it is, and in every encoding and
// format inside each other. A hit is told by file, offset and technique, never
// by text. A search that left something unread refuses the bundle as well.
func (l *lab) search(ctx context.Context, dir string) error {
	index, err := canary.NewIndex(l.minted)
	if err != nil {
		return fmt.Errorf("searching the bundle: %w", err)
	}
	scanner, err := encoded(index.Secrets(), index.Finder())
	if err != nil {
		return fmt.Errorf("searching the bundle: %w", err)
	}
	return searchFiles(ctx, dir, scanner)
}

// encoded is a search by one finder through whatever encodings and formats a
// bundle's files may hold. There are far too many canaries for the finders that
// prepare each, and too many bytes for guesses at their order.
func encoded(secrets []secret.Secret, finder layer.Finder) (*scan.Scanner, error) {
	return scan.New(secrets, scan.Options{
		Parts:   scan.Encodings(),
		Finders: func([]secret.Secret) ([]layer.Finder, error) { return []layer.Finder{finder}, nil },
	})
}

// searchTime is many times what a full campaign's bundle takes: two to four
// seconds on two cores.
const searchTime = 5 * time.Minute

func searchFiles(ctx context.Context, dir string, scanner *scan.Scanner) error {
	ctx, cancel := context.WithTimeout(ctx, searchTime)
	defer cancel()
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fmt.Errorf("searching the bundle: %w", err)
	}
	defer root.Close()
	files, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("searching the bundle: %w", err)
	}
	if len(files) == 0 {
		return errors.New("searching the bundle: it holds no file")
	}
	if err := searchNames(ctx, files, scanner); err != nil {
		return err
	}
	for _, f := range files {
		if !f.Type().IsRegular() {
			return errors.New("searching the bundle: it holds something that is no file")
		}
		if err := searchFile(ctx, root, f.Name(), scanner); err != nil {
			return err
		}
	}
	return nil
}

// searchNames comes before anything that could tell a name.
func searchNames(ctx context.Context, files []os.DirEntry, scanner *scan.Scanner) error {
	var names []string
	for _, f := range files {
		names = append(names, f.Name())
	}
	return refuse("the names of its files", scanner.Bytes(ctx, []byte(strings.Join(names, "\n"))))
}

func searchFile(ctx context.Context, root *os.Root, name string, scanner *scan.Scanner) error {
	f, err := root.Open(name)
	if err != nil {
		return fmt.Errorf("searching the bundle: %w", err)
	}
	defer f.Close()
	result, _, err := scanner.Read(ctx, f)
	if err != nil {
		return fmt.Errorf("searching the bundle: %w", err)
	}
	return refuse(name, result)
}

// refuse says what keeps a bundle from being published, in one line.
func refuse(place string, r scan.Result) error {
	if len(r.Hits) > 0 {
		h := r.Hits[0]
		return fmt.Errorf("a canary is in the bundle, which is deleted: %s, offset %d, %s", place, h.Offset, h.Technique)
	}
	if len(r.Unproven) > 0 {
		return fmt.Errorf("the bundle is deleted, as it could not be searched to its end: %s, %s", place, unread(r))
	}
	return nil
}

func unread(r scan.Result) string {
	var reasons []string
	for _, reason := range r.Unproven {
		reasons = append(reasons, string(reason))
	}
	return strings.Join(reasons, " ")
}
