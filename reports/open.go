package reports

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
)

// Bundle is what Open read: evidence that fits its plan and adds up.
type Bundle struct {
	Evidence       Evidence
	Manifest       Manifest
	EvidenceSHA256 string // of the bytes of evidence.json, for a signature
}

// Open reads the bundle in dir. With any problem the bundle is the zero value,
// which is not accepted. An error means that it could not look.
//
// No problem means: exactly the files of a bundle, unchanged since they were
// sealed, in canonical form, within the schema, each trial as the manifest
// plans it, and every count that follows from the trials right. Whether the
// verdicts follow from the observations is not looked at here.
func Open(dir string) (Bundle, []Problem, error) {
	info, err := os.Lstat(dir)
	if err != nil {
		return Bundle{}, nil, fmt.Errorf("looking at the bundle: %w", err)
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		return Bundle{}, []Problem{{Code: LinkedDirectory}}, nil
	}
	if !info.IsDir() {
		return Bundle{}, []Problem{{Code: NotADirectory}}, nil
	}
	root, err := openRoot(dir, info)
	if err != nil {
		return Bundle{}, nil, fmt.Errorf("opening the bundle: %w", err)
	}
	defer root.Close()
	return openIn(root)
}

func openIn(root *os.Root) (Bundle, []Problem, error) {
	s, err := compileSchemas()
	if err != nil {
		return Bundle{}, nil, err
	}
	files, problems, err := readAll(root)
	if err != nil || len(problems) > 0 {
		return Bundle{}, problems, err
	}
	b, problems := inspect(s, files)
	if len(problems) > 0 {
		return Bundle{}, capped(problems), nil
	}
	return b, nil, nil
}

// readAll reads the files of a bundle, if exactly those are there. An unknown
// file is told by its place in the sorted directory: its name is not ours.
func readAll(root *os.Root) (map[string][]byte, []Problem, error) {
	names, err := list(root)
	if err != nil {
		return nil, nil, fmt.Errorf("listing the bundle: %w", err)
	}
	if len(names) > 2*len(bundleFiles()) {
		return nil, []Problem{{Code: TooManyFiles}}, nil
	}
	var problems []Problem
	for i, name := range names {
		if !slices.Contains(bundleFiles(), name) {
			problems = append(problems, Problem{Code: UnknownFile, At: atIndex(i)})
		}
	}
	files := map[string][]byte{}
	for _, name := range bundleFiles() {
		data, problem, err := read(root, name)
		if err != nil {
			return nil, nil, errors.Join(fmt.Errorf("reading %s of the bundle", name), err)
		}
		if problem != nil {
			problems = append(problems, *problem)
		}
		files[name] = data
	}
	return files, problems, nil
}
