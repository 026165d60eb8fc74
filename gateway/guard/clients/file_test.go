//go:build unix

package clients

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"golang.org/x/sys/unix"
)

func put(t *testing.T, path, content string) *File {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o640); err != nil {
		t.Fatal(err)
	}
	f, err := Read(path)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func why(err error) Why {
	if left := (*Left)(nil); errors.As(err, &left) {
		return left.Why
	}
	return ""
}

func TestReplaceKeepsWhatAFileIs(t *testing.T) {
	dir := t.TempDir()
	backups := filepath.Join(dir, "state", "backups")
	real := filepath.Join(dir, "real.json")
	put(t, real, "old")
	os.Chmod(real, 0o604)
	link := filepath.Join(dir, "link.json")
	if err := os.Symlink("real.json", link); err != nil {
		t.Fatal(err)
	}
	f, err := Read(link)
	if err != nil {
		t.Fatal(err)
	}
	os.WriteFile(real+".postern-new", []byte("half of wh"), 0o644) // by a crash
	if err := f.Replace([]byte("new"), "cursor", backups); err != nil {
		t.Fatal(err)
	}
	if to, err := os.Readlink(link); err != nil || to != "real.json" {
		t.Errorf("the link is gone: %q %v", to, err)
	}
	if content, _ := os.ReadFile(real); string(content) != "new" {
		t.Errorf("%q", content)
	}
	if info, _ := os.Stat(real); info.Mode() != 0o604 {
		t.Errorf("mode %v", info.Mode())
	}
	copied := filepath.Join(backups, Backup("cursor", []byte("old")))
	if content, err := os.ReadFile(copied); err != nil || string(content) != "old" {
		t.Errorf("the copy: %q %v", content, err)
	}
	if info, _ := os.Stat(copied); info.Mode() != 0o600 {
		t.Errorf("mode of the copy: %v", info.Mode())
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*.postern-new")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestWhatIsNotReplaced(t *testing.T) {
	dir := t.TempDir()
	f := put(t, filepath.Join(dir, "busy.json"), "old")
	os.WriteFile(f.path, []byte("theirs"), 0o600)
	if err := f.Replace([]byte("new"), "cursor", dir); why(err) != Busy {
		t.Errorf("changed in between: %v", err)
	}
	if content, _ := os.ReadFile(f.path); string(content) != "theirs" {
		t.Errorf("%q", content)
	}

	put(t, filepath.Join(dir, "linked.json"), "old")
	os.Link(filepath.Join(dir, "linked.json"), filepath.Join(dir, "other.json"))
	f, _ = Read(filepath.Join(dir, "linked.json"))
	if err := f.Replace([]byte("new"), "cursor", dir); why(err) != Linked {
		t.Errorf("with two names: %v", err)
	}

	f = put(t, filepath.Join(dir, "kept.json"), "old")
	blocked := filepath.Join(dir, "blocked")
	os.WriteFile(blocked, nil, 0o600)
	if err := f.Replace([]byte("new"), "cursor", filepath.Join(blocked, "backups")); err == nil {
		t.Error("replaced without a copy")
	}
	if content, _ := os.ReadFile(f.path); string(content) != "old" {
		t.Errorf("%q", content)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*.postern-new")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestWhatIsNotRead(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := unix.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	large := filepath.Join(dir, "large")
	put(t, large, "")
	os.Truncate(large, maxFile+1)
	loop := filepath.Join(dir, "loop")
	os.Symlink("loop", loop)
	for path, want := range map[string]Why{dir: NotAFile, pipe: NotAFile, large: TooLarge, loop: Unreadable} {
		if _, err := Read(path); why(err) != want {
			t.Errorf("%s: %v, want %s", path, err, want)
		}
	}
	os.Symlink("nowhere", filepath.Join(dir, "dangling"))
	for _, name := range []string{"none", "dangling", "none/none"} {
		if _, err := Read(filepath.Join(dir, name)); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Whoever reads beside the writer finds one content or the other in full.
func TestFileIsWholeAtEveryInstant(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "client.json")
	contents := []string{string(slices.Repeat([]byte("a"), 1<<16)), string(slices.Repeat([]byte("b"), 1<<17))}
	put(t, path, contents[0])
	var stop atomic.Bool
	var wg sync.WaitGroup
	wg.Go(func() {
		for !stop.Load() {
			if got, err := os.ReadFile(path); err != nil || string(got) != contents[0] && string(got) != contents[1] {
				t.Errorf("%d bytes: %v", len(got), err)
				return
			}
		}
	})
	for i := range 50 {
		f, err := Read(path)
		if err == nil {
			err = f.Replace([]byte(contents[(i+1)%2]), "cursor", filepath.Join(dir, "backups"))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	stop.Store(true)
	wg.Wait()
	if copies, _ := os.ReadDir(filepath.Join(dir, "backups")); len(copies) != 2 {
		t.Errorf("%d copies of two contents", len(copies))
	}
}
