package secrets

import (
	"os"
	"path/filepath"
	"testing"
)

func TestSettle(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for link, target := range map[string]string{"absolute": dir + "/a", "relative": "a/../b", "nowhere": dir + "/none/x", "loop": "loop", "twice": "absolute/c"} {
		if err := os.Symlink(target, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	for place, want := range map[string]string{"absolute/x": "a/x", "relative": "b", "nowhere/y": "none/x/y", "twice": "a/c", "a/./b/..": "a", "..": ".."} {
		got, ok := Settle(dir+"/"+place, nil)
		if !ok || got != filepath.Join(dir, want) {
			t.Errorf("%s: %s, %v", place, got, ok)
		}
	}
	if got, ok := Settle(dir+"/loop/x", nil); ok {
		t.Errorf("a loop leads to %s", got)
	}
}
