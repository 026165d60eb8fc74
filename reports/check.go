package reports

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
)

// Check says, before any trial is run, whether a bundle can be published at
// out: nothing is there, or an empty directory, or a bundle of ours, which
// Publish replaces. Anything else is refused, so no mistyped path costs
// anybody a file. The directory above out must exist.
func Check(out string) error {
	final, err := target(out)
	if err != nil {
		return err
	}
	above, err := os.Stat(filepath.Dir(final))
	if err != nil {
		return fmt.Errorf("looking at the directory above the bundle: %w", err)
	}
	if !above.IsDir() {
		return errors.New("what stands above the bundle is not a directory")
	}
	info, err := os.Lstat(final)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("looking at what the bundle would replace: %w", err)
	case info.Mode()&fs.ModeSymlink != 0:
		return errors.New("the bundle would replace a symbolic link: name the directory itself")
	case !info.IsDir():
		return errors.New("the bundle would replace something that is not a directory")
	case onOtherDevice(above, info):
		return errors.New("the bundle would replace a mount point: name a directory in it")
	}
	return replaceable(final, info)
}

func target(out string) (string, error) {
	if out == "" {
		return "", errors.New("no directory is named for the bundle")
	}
	final, err := filepath.Abs(out)
	if err != nil {
		return "", fmt.Errorf("finding the bundle's directory: %w", err)
	}
	if filepath.Dir(final) == final {
		return "", errors.New("the bundle cannot be the root directory")
	}
	return final, nil
}

// replaceable refuses a directory that holds anything but a bundle: the two
// files that make it one must be there, and no file beside the known ones.
func replaceable(dir string, info fs.FileInfo) error {
	root, err := openRoot(dir, info)
	if err != nil {
		return fmt.Errorf("opening what the bundle would replace: %w", err)
	}
	defer root.Close()
	names, err := list(root)
	if err != nil {
		return fmt.Errorf("listing what the bundle would replace: %w", err)
	}
	if len(names) == 0 {
		return nil
	}
	for _, name := range names {
		if !slices.Contains(bundleFiles(), name) {
			return errors.New("the bundle would replace a directory that holds other files")
		}
	}
	if !slices.Contains(names, sumsFile) || !slices.Contains(names, manifestFile) {
		return errors.New("the bundle would replace a directory that is no bundle")
	}
	data, problem, err := read(root, manifestFile)
	if err != nil {
		return fmt.Errorf("reading the manifest that the bundle would replace: %w", err)
	}
	if problem != nil || !isManifest(data) {
		return errors.New("the bundle would replace a directory whose manifest is none of ours")
	}
	return nil
}

// isManifest reports whether data is a manifest of this version, or of an
// earlier one, whose bundles are replaced too.
func isManifest(data []byte) bool {
	if v := version(data); 0 < v && v < SchemaVersion {
		return formerManifest(v, data)
	}
	m, problems := decode[Manifest](manifestFile, data)
	return problems == nil && m.Schema == SchemaVersion
}

// formerManifest knows the manifests of versions 1 and 2.
func formerManifest(version int64, data []byte) bool {
	if version == 2 {
		_, problems := decode[struct {
			Schema int       `json:"schema"`
			Seed   int64     `json:"seed"`
			Trials []Planned `json:"trials"`
		}](manifestFile, data)
		return problems == nil
	}
	_, problems := decode[struct {
		Schema int   `json:"schema"`
		Seed   int64 `json:"seed"`
		Trials []struct {
			ID       string   `json:"id"`
			Kind     Kind     `json:"kind"`
			Control  string   `json:"control"`
			Expected Expected `json:"expected"`
		} `json:"trials"`
	}](manifestFile, data)
	return problems == nil
}

// openRoot opens the directory that info describes, and no other one that took
// its place behind a symbolic link.
func openRoot(dir string, info fs.FileInfo) (*os.Root, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	opened, err := root.Stat(".")
	if err != nil || !os.SameFile(info, opened) {
		root.Close()
		return nil, errors.Join(errors.New("the directory changed while it was opened"), err)
	}
	return root, nil
}

// list names enough to tell a bundle from another directory, sorted.
func list(root *os.Root) ([]string, error) {
	d, err := root.Open(".")
	if err != nil {
		return nil, err
	}
	defer d.Close()
	names, err := d.Readdirnames(4 * len(bundleFiles()))
	if err != nil && err != io.EOF {
		return nil, err
	}
	slices.Sort(names)
	return names, nil
}

// maxFileSize bounds what is read of one file.
const maxFileSize = 64 << 20

// read returns one regular file, or the problem that it is none. A symbolic
// link is not followed and a pipe not waited for.
func read(root *os.Root, name string) ([]byte, *Problem, error) {
	info, err := root.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &Problem{Code: MissingFile, File: name}, nil
	}
	if err != nil {
		return nil, nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &Problem{Code: NotRegular, File: name}, nil
	}
	f, err := root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	opened, err := f.Stat()
	if err != nil {
		return nil, nil, err
	}
	if !os.SameFile(info, opened) {
		return nil, &Problem{Code: NotRegular, File: name}, nil
	}
	data, err := io.ReadAll(io.LimitReader(f, maxFileSize+1))
	if err != nil {
		return nil, nil, err
	}
	if len(data) > maxFileSize {
		return nil, &Problem{Code: TooLarge, File: name}, nil
	}
	return data, nil, nil
}
