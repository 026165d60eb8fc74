// Package load reads what a user gives of Cedar: policies, a schema, entities,
// requests, and what was accepted.
//
// Whatever is wrong is a Problem: one line with the file, where it can be told
// the line, and what to do. Texts of Cedar's are not passed on; files are
// bounded in size, depth and number before a parser sees them.
package load

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/cedar-policy/cedar-go/x/exp/schema"
	"github.com/cedar-policy/cedar-go/x/exp/schema/resolved"

	"postern/mutants/cedar"
)

// The bounds. A set beyond them is to be divided.
const (
	maxFile     = 4 << 20  // bytes of a file
	maxPolicies = 2_000    // of a set
	maxCases    = 10_000   // requests
	maxEntities = 100_000  // of the user's store
	maxDepth    = 100      // brackets inside each other
	maxTokens   = 5_000    // of a policy
	maxText     = 64 << 10 // bytes of a literal
)

// Problem is what is wrong with a file.
type Problem struct {
	File string
	Line int // 0 if it cannot be told
	What string
}

func (p *Problem) Error() string {
	if p.Line == 0 {
		return p.File + ": " + p.What
	}
	return fmt.Sprintf("%s:%d: %s", p.File, p.Line, p.What)
}

// read reads a file that is not too large, and is written as Cedar and JSON are.
func read(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, unreadable(path, err)
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return nil, unreadable(path, err)
	}
	if len(b) > maxFile {
		return nil, &Problem{path, 0, "the file is larger than 4 MiB: divide it"}
	}
	if !utf8.Valid(b) || bytes.HasPrefix(b, []byte(mark)) {
		return nil, &Problem{path, 1 + bytes.Count(b[:invalid(b)], []byte("\n")), "this is not UTF-8, or begins with a byte order mark: save it as UTF-8 without one"}
	}
	return b, nil
}

// mark is how a text may begin that neither Cedar's language nor JSON does.
const mark = "\ufeff"

// invalid is where the first byte is that is not UTF-8, or 0.
func invalid(b []byte) int {
	for i := 0; i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return 0
}

func unreadable(path string, err error) error {
	what := "it cannot be read"
	switch {
	case errors.Is(err, fs.ErrNotExist):
		what = "there is no such file or directory"
	case errors.Is(err, fs.ErrPermission):
		what = "it cannot be read: permission denied"
	}
	return &Problem{path, 0, what}
}

// Files lists the .cedar files of directories, with all below, and the files
// that are named themselves.
func Files(paths []string) ([]string, error) {
	var out []string
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			return nil, unreadable(path, err)
		}
		if !info.IsDir() {
			out = append(out, path)
			continue
		}
		before := len(out)
		err = filepath.WalkDir(path, func(at string, entry fs.DirEntry, err error) error {
			if err != nil {
				return unreadable(at, err)
			}
			if entry.Type().IsRegular() && strings.HasSuffix(at, ".cedar") {
				out = append(out, at)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		if len(out) == before {
			return nil, &Problem{path, 0, "no file in it ends in .cedar"}
		}
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

// Policies reads files of policies. Each policy gets an id of its own.
func Policies(files []string) ([]cedar.Policy, error) {
	var out []cedar.Policy
	for _, file := range files {
		b, err := read(file)
		if err != nil {
			return nil, err
		}
		list, err := Parse(file, b)
		if err != nil {
			return nil, err
		}
		if out = append(out, list...); len(out) > maxPolicies {
			return nil, &Problem{file, out[maxPolicies].Line, "more than 2,000 policies: name fewer files"}
		}
	}
	if len(out) == 0 {
		return nil, &Problem{strings.Join(files, ", "), 0, "there is no policy in it"}
	}
	named(out)
	return out, nil
}

// Parse reads one file of policies.
func Parse(file string, b []byte) ([]cedar.Policy, error) {
	if p := scan(file, b, true); p != nil {
		return nil, p
	}
	list, err := cedar.Parse(file, b)
	if err != nil {
		return nil, &Problem{file, lineOf(err), "this is not Cedar: mend what stands there or just before"}
	}
	for _, p := range list {
		if cedar.Depth(p.Tree) > maxDepth {
			return nil, &Problem{file, p.Line, "a condition is more than 100 expressions deep: divide it"}
		}
	}
	return list, nil
}

// lineOf finds the line in an error of cedar-go's, which says
// "<input>:line:column".
func lineOf(err error) int {
	_, rest, found := strings.Cut(err.Error(), "<input>:")
	if !found {
		return 0
	}
	digits, _, _ := strings.Cut(rest, ":")
	line, err := strconv.Atoi(digits)
	if err != nil {
		return 0
	}
	return line
}

// named gives each policy without an @id its file and place, and a second
// policy of the same id its place too.
func named(policies []cedar.Policy) {
	place := map[string]int{}
	seen := map[string]bool{}
	for i, p := range policies {
		place[p.File]++
		base := strings.TrimSuffix(filepath.Base(p.File), ".cedar")
		if p.ID == "" {
			p.ID = fmt.Sprintf("%s#%d", base, place[p.File])
		}
		for n := p.ID; seen[p.ID]; {
			p.ID = fmt.Sprintf("%s(%s#%d)", n, base, place[p.File])
			if seen[p.ID] {
				n, base = p.ID, base+"'"
			}
		}
		seen[p.ID] = true
		policies[i].ID = p.ID
	}
}

// Schema reads a schema, in Cedar's language or, if the file's name ends in
// .json, in JSON.
func Schema(path string) (*resolved.Schema, error) {
	b, err := read(path)
	if err != nil {
		return nil, err
	}
	var s schema.Schema
	if strings.HasSuffix(path, ".json") {
		err = s.UnmarshalJSON(b)
	} else {
		if p := scan(path, b, false); p != nil {
			return nil, p
		}
		s.SetFilename("<input>")
		err = s.UnmarshalCedar(b)
	}
	if err != nil {
		return nil, &Problem{path, lineOf(err), "this is not a Cedar schema: mend what stands there or just before"}
	}
	out, err := s.Resolve()
	if err != nil {
		return nil, &Problem{path, 0, "the schema names a type or an action that it does not declare, or declares one twice"}
	}
	for _, a := range out.Actions {
		if a.AppliesTo != nil && len(a.AppliesTo.Principals) > 0 && len(a.AppliesTo.Resources) > 0 {
			return out, nil
		}
	}
	return nil, &Problem{path, 0, "no action applies to anything: nothing can be asked"}
}
