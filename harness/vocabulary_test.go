package harness

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
)

// TestEveryReasonOfTheFurnitureIsKnownToVerify reads the sources: a reason that
// is given somewhere and not listed would have verify refuse the bundle.
func TestEveryReasonOfTheFurnitureIsKnownToVerify(t *testing.T) {
	given := regexp.MustCompile(`(?:unable\{|impossible\()"([^"]*)"`)
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) == 0 {
		t.Fatal("no sources", err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range given.FindAllSubmatch(text, -1) {
			if reason := string(found[1]); !slices.Contains(inapplicableReasons(), reason) {
				t.Errorf("%s: %q is not in vocabulary.go", name, reason)
			}
		}
	}
}
