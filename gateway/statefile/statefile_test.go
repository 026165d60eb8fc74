//go:build unix

package statefile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

func TestReadTrustsOnlyThisUsersOwnFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "state")
	if _, err := Read(path, 10); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	if err := Replace(path, []byte("0123456789")); err != nil {
		t.Fatal(err)
	}
	if got, err := Read(path, 10); err != nil || string(got) != "0123456789" {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := Read(path, 9); !errors.Is(err, ErrLarge) {
		t.Errorf("longer than it may be: %v", err)
	}
	for _, mode := range []os.FileMode{0o640, 0o604, 0o622, 0o610} {
		os.Chmod(path, mode)
		if _, err := Read(path, 10); !errors.Is(err, ErrExposed) {
			t.Errorf("mode %o: %v", mode, err)
		}
	}
	link, pipe := filepath.Join(dir, "link"), filepath.Join(dir, "pipe")
	os.Chmod(path, 0o600)
	os.Symlink("state", link)
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, other := range []string{link, pipe, dir} {
		if _, err := Read(other, 10); !errors.Is(err, ErrExposed) {
			t.Errorf("%s: %v", filepath.Base(other), err)
		}
	}
}

func TestReplaceTakesTheRestsOfACrashAway(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state")
	os.WriteFile(path+".new", []byte("half a"), 0o644)
	if err := Replace(path, []byte("whole")); err != nil {
		t.Fatal(err)
	}
	if got, err := Read(path, 10); err != nil || string(got) != "whole" {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := os.Lstat(path + ".new"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the rest is there: %v", err)
	}
}

func TestLockIsForOne(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	first, err := Lock(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Lock(path); !errors.Is(err, ErrInUse) {
		t.Errorf("a second one: %v", err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := Lock(path)
	if err != nil {
		t.Fatalf("after it was let go: %v", err)
	}
	again.Close()
}
