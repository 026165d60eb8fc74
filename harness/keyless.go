package harness

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"postern/observers/canary/scan"
	"postern/observers/canary/secret"
	"postern/reports"
)

// keyless looks in every file of a bundle, and in all that is encoded there, for
// what has a canary's shape: an auditor has no key. It leaves out only what the
// format itself has at the places of digests, whose schema is the list of what
// may look random. It tells places and techniques.
//
// A canary that took a digest's place is not found this way. One that became
// words or numbers is not either: those are held against the registers, and
// judged again.
func keyless(ctx context.Context, dir string) ([]string, error) {
	ctx, cancel := context.WithTimeout(ctx, searchTime)
	defer cancel()
	scanner, err := encoded([]secret.Secret{anySecret()}, shapes())
	if err != nil {
		return nil, fmt.Errorf("looking for the shape of canaries: %w", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("looking for the shape of canaries: %w", err)
	}
	defer root.Close()
	files, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("looking for the shape of canaries: %w", err)
	}
	var problems []string
	for i, f := range files {
		if len(problems) >= mostShapes {
			return append(problems, "further files of the bundle are not searched"), nil
		}
		place := fmt.Sprintf("file %d of the bundle", i) // a name that is not ours may be a canary
		if reports.IsFile(f.Name()) {
			place = f.Name()
		}
		if reports.Shaped([]byte(f.Name())) {
			problems = append(problems, place+": its name is shaped like a canary")
		}
		if !f.Type().IsRegular() {
			continue // told as a problem of the format
		}
		data, err := readBounded(root, f.Name())
		if err != nil {
			return nil, fmt.Errorf("looking for the shape of canaries: %w", err)
		}
		problems = append(problems, shapesIn(ctx, scanner, place, reports.Blank(f.Name(), data))...)
	}
	return problems, nil
}

const (
	mostShapes = 100
	mostShaped = 64 << 20 // bytes of a file: what is longer is no file of a bundle
)

func readBounded(root *os.Root, name string) ([]byte, error) {
	f, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, mostShaped))
}

func shapesIn(ctx context.Context, scanner *scan.Scanner, place string, data []byte) []string {
	var problems []string
	if at := noText(data); at >= 0 {
		problems = append(problems, fmt.Sprintf("%s: bytes that are no text at byte %d", place, at))
	}
	for _, at := range plainShapes(data) {
		problems = append(problems, fmt.Sprintf("%s: shaped like a canary at byte %d", place, at))
	}
	result := scanner.Bytes(ctx, data)
	for _, h := range result.Hits {
		if strings.HasSuffix(h.Technique, "/"+string(shapeBase64)) && strings.Count(h.Technique, "/") > 1 {
			continue // below two guesses there is base64 of nobody's
		}
		problems = append(problems, fmt.Sprintf("%s: shaped like a canary at byte %d, %s", place, h.Offset, h.Technique))
	}
	if len(result.Unproven) > 0 {
		problems = append(problems, fmt.Sprintf("%s: it could not be searched to its end: %s", place, unread(result)))
	}
	return problems
}

// noText is where bytes begin that no file of a bundle has, or -1.
func noText(b []byte) int {
	for i := 0; i < len(b); {
		c, n := utf8.DecodeRune(b[i:])
		if c == utf8.RuneError && n == 1 || c < ' ' && c != '\n' && c != '\t' {
			return i
		}
		i += n
	}
	return -1
}
