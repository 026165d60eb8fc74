package upstream

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

func copyOf(t testing.TB, path string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	to := filepath.Join(t.TempDir(), "server")
	if err := os.WriteFile(to, content, 0o700); err != nil {
		t.Fatal(err)
	}
	return to
}

func TestTheMeasuredCodeRunsWhateverHappensToThePath(t *testing.T) {
	two, err := os.ReadFile(built.two)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		spoil func(path string) error
	}{
		{"left alone", func(string) error { return nil }},
		{"overwritten in place", func(path string) error { return os.WriteFile(path, two, 0o700) }},
		{"swapped", func(path string) error { return os.Rename(copyOf(t, built.two), path) }},
		{"removed", os.Remove},
		{"emptied", func(path string) error { return os.Truncate(path, 0) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := copyOf(t, built.one)
			image, err := Measure(path, sum(t, built.one))
			if err != nil {
				t.Fatal(err)
			}
			defer image.Close()
			if err := c.spoil(path); err != nil {
				t.Fatal(err)
			}
			client, err := image.Start(t.Context(), Server{Guard: Guard{Optional: true}})
			if err != nil {
				t.Fatal(err)
			}
			defer client.Close()
			if got, err := client.Call(t.Context(), "version", nil); err != nil || got.Text != "one" {
				t.Errorf("ran version %q, %v", got.Text, err)
			}
		})
	}
}

func TestAnotherHashIsRefusedBeforeAnythingRuns(t *testing.T) {
	beacons, path := listen(t)
	right := sum(t, built.one)
	for name, hash := range map[string]string{
		"of another version": sum(t, built.two), "none": "", "upper case": strings.ToUpper(right), "cut short": right[:62],
	} {
		_, err := Start(t.Context(), Server{Path: built.one, SHA256: hash, Env: []string{"BEACON=" + path}, Guard: Guard{Optional: true}})
		if !errors.Is(err, ErrMeasure) {
			t.Errorf("%s: %v", name, err)
		}
	}
	beacons.nobody(t)
	client := start(t, "normal", "BEACON="+path) // the beacon works
	beacons.accept(t)
	if err := client.Close(); err != nil {
		t.Error(err)
	}
}

func TestTheMemoryIsSealed(t *testing.T) {
	image, err := Measure(built.one, sum(t, built.one))
	if err != nil {
		t.Fatal(err)
	}
	defer image.Close()
	if _, err := image.memory.WriteAt([]byte{0}, 0); !errors.Is(err, unix.EPERM) {
		t.Errorf("writing: %v", err)
	}
	if err := image.memory.Truncate(1); !errors.Is(err, unix.EPERM) {
		t.Errorf("shrinking: %v", err)
	}
	if err := image.memory.Truncate(1 << 30); !errors.Is(err, unix.EPERM) {
		t.Errorf("growing: %v", err)
	}
	if got, err := unix.FcntlInt(image.memory.Fd(), unix.F_GET_SEALS, 0); err != nil || got&seals != seals {
		t.Errorf("seals %#x, %v", got, err)
	}
	flags, err := unix.FcntlInt(image.memory.Fd(), unix.F_GETFD, 0)
	if err != nil || flags&unix.FD_CLOEXEC == 0 {
		t.Errorf("descriptor flags %#x, %v", flags, err)
	}
}

func TestOnlyAStaticExecutableIsMeasured(t *testing.T) {
	dir := t.TempDir()
	script := filepath.Join(dir, "script")
	if err := os.WriteFile(script, []byte("#!/bin/sh\nexit 0\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	dynamic, err := filepath.EvalSymlinks("/bin/sh")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{script, dynamic} {
		if _, err := Measure(path, sum(t, path)); err == nil || errors.Is(err, ErrMeasure) {
			t.Errorf("%s: %v", filepath.Base(path), err)
		}
	}
	fifo := filepath.Join(dir, "fifo")
	if err := unix.Mkfifo(fifo, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{fifo, dir, "/dev/zero", filepath.Join(dir, "missing")} {
		if _, err := Measure(path, ""); err == nil || errors.Is(err, ErrMeasure) {
			t.Errorf("%s: %v", filepath.Base(path), err)
		}
	}
}

func BenchmarkMeasure(b *testing.B) {
	hash := sum(b, built.one)
	info, err := os.Stat(built.one)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(info.Size())
	for b.Loop() {
		image, err := Measure(built.one, hash)
		if err != nil {
			b.Fatal(err)
		}
		image.Close()
	}
}
