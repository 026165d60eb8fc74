package observers

import (
	"compress/gzip"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"postern/fixtures/channel"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal("preparing the directory failed")
	}
}

func TestDirectoryIsSearchedEverywhere(t *testing.T) {
	tr := newTrial(t)
	text := tr.text(channel.LogStderr)
	outside := filepath.Join(t.TempDir(), "outside")
	must(t, os.WriteFile(outside, []byte(tr.text(channel.NetTCP4)), 0o600))
	for name, plant := range map[string]func(dir string) error{
		"contents":       func(dir string) error { return os.WriteFile(filepath.Join(dir, "a"), []byte("x"+text), 0o600) },
		"a file's name":  func(dir string) error { return os.WriteFile(filepath.Join(dir, text), nil, 0o600) },
		"a directory":    func(dir string) error { return os.Mkdir(filepath.Join(dir, text), 0o700) },
		"a link":         func(dir string) error { return os.Symlink("/"+text, filepath.Join(dir, "l")) },
		"a pipe's name":  func(dir string) error { return syscall.Mkfifo(filepath.Join(dir, text), 0o600) },
		"a packed file":  func(dir string) error { return writeGzip(filepath.Join(dir, "a.1.gz"), text) },
		"behind a limit": func(dir string) error { return os.WriteFile(filepath.Join(dir, "z"), []byte(text), 0o600) },
	} {
		dir := t.TempDir()
		sub := filepath.Join(dir, "sub")
		must(t, os.Mkdir(sub, 0o700))
		must(t, syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600))
		must(t, os.Symlink(outside, filepath.Join(dir, "way-out")))
		must(t, plant(sub))
		d, err := searchDirectory(dir, tr.watch, 1<<20, nil)
		if err != nil {
			t.Errorf("%s: error %v", name, err)
		}
		if diff := cmp.Diff(map[channel.ID]int{channel.LogStderr: 1}, d.seen); diff != "" {
			t.Errorf("%s (-want +got)\n%s", name, diff)
		}
	}
}

func writeGzip(path, text string) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	z := gzip.NewWriter(f)
	if _, err := z.Write([]byte(text)); err != nil {
		return err
	}
	return z.Close()
}

func TestDirectoryThatCannotBeReadIsAnError(t *testing.T) {
	tr := newTrial(t)
	if _, err := searchDirectory(filepath.Join(t.TempDir(), "none"), tr.watch, 1, nil); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing directory: error %v", err)
	}
	write := func(name string, size int) func(string) error {
		return func(dir string) error { return os.WriteFile(filepath.Join(dir, name), make([]byte, size), 0o600) }
	}
	for name, c := range map[string]struct {
		limit  int64
		plants []func(dir string) error
	}{
		"too much":          {10, []func(string) error{write("f", 11)}},
		"too much together": {10, []func(string) error{write("f", 6), write("g", 6)}},
		"too much unpacked": {100_000, []func(string) error{func(dir string) error { return writeGzip(filepath.Join(dir, "f"), string(make([]byte, 1<<20))) }}},
		"a broken pack":     {10, []func(string) error{func(dir string) error { return os.WriteFile(filepath.Join(dir, "f"), []byte("\x1f\x8bxxx"), 0o600) }}},
	} {
		dir := t.TempDir()
		for _, plant := range c.plants {
			must(t, plant(dir))
		}
		if _, err := searchDirectory(dir, tr.watch, c.limit, nil); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
