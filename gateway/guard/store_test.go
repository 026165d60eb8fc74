package guard

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func entry(t *testing.T, client, server string) Entry {
	t.Helper()
	return Entry{client, derive(t, Request{Server: server, Command: []string{"npx", "-y", server}, Tier: Standard, Required: true}, linux)}
}

// stored is a store that holds two entries.
func stored(t *testing.T) (Store, []Entry) {
	t.Helper()
	s, want := At(filepath.Join(t.TempDir(), "state")), []Entry{entry(t, "cursor", "a: b\n- \"c\""), entry(t, "editor", "files")}
	err := s.Update(t.Context(), func(old []Entry) ([]Entry, error) {
		if len(old) > 0 {
			t.Errorf("a store that is not there has %d entries", len(old))
		}
		return want, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return s, want
}

func TestStoreKeepsWhatWasEnrolled(t *testing.T) {
	s, want := stored(t)
	got, err := s.Load()
	if err != nil || !cmp.Equal(got, want) {
		t.Errorf("%v\n%s", err, cmp.Diff(want, got))
	}
	for name, mode := range map[string]os.FileMode{"": 0o700 | os.ModeDir, StoreFile: 0o600, SidecarFile: 0o600, lockFile: 0o600} {
		if info, err := os.Lstat(filepath.Join(s.dir, name)); err != nil || info.Mode() != mode {
			t.Errorf("%q: %v %v, want %v", name, info.Mode(), err, mode)
		}
	}
	if got, err := At(filepath.Join(t.TempDir(), "none")).Load(); err != nil || len(got) > 0 {
		t.Errorf("a store that is not there: %d entries, %v", len(got), err)
	}
}

func TestDamagedStoreIsNotUsedAndNotTouched(t *testing.T) {
	edit := func(name, old, new string) func(*testing.T, string) {
		return func(t *testing.T, dir string) {
			content, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil || !strings.Contains(string(content), old) {
				t.Fatalf("%q is not there to be changed: %v", old, err)
			}
			os.WriteFile(filepath.Join(dir, name), []byte(strings.Replace(string(content), old, new, 1)), 0o600)
		}
	}
	sealed := func(old, new string) func(*testing.T, string) {
		return func(t *testing.T, dir string) {
			edit(StoreFile, old, new)(t, dir)
			content, _ := os.ReadFile(filepath.Join(dir, StoreFile))
			os.WriteFile(filepath.Join(dir, SidecarFile), []byte(seal(content)), 0o600)
		}
	}
	for name, c := range map[string]struct {
		hurt func(*testing.T, string)
		why  Damage
	}{
		"a profile is wider":     {edit(StoreFile, "network: full", "network: none"), Tampered},
		"a byte more":            {edit(StoreFile, "version: 1", "version: 1 "), Tampered},
		"empty":                  {func(_ *testing.T, dir string) { os.Truncate(filepath.Join(dir, StoreFile), 0) }, Tampered},
		"no sidecar":             {func(_ *testing.T, dir string) { os.Remove(filepath.Join(dir, SidecarFile)) }, Unsealed},
		"a sidecar that is none": {edit(SidecarFile, "  ", " "), Tampered},
		"others may read it":     {func(_ *testing.T, dir string) { os.Chmod(filepath.Join(dir, StoreFile), 0o644) }, Exposed},
		"others may enter":       {func(_ *testing.T, dir string) { os.Chmod(dir, 0o755) }, Exposed},
		"a link": {func(_ *testing.T, dir string) {
			os.Rename(filepath.Join(dir, StoreFile), filepath.Join(dir, "x"))
			os.Symlink("x", filepath.Join(dir, StoreFile))
		}, Exposed},
		"sealed anew, a profile is wider": {sealed("required: true", "required: false"), Inconsistent},
		"sealed anew, another version":    {sealed("version: 1", "version: 2"), Foreign},
		"sealed anew, an unknown field":   {sealed("version: 1", "version: 1\nmore: 1"), Misshapen},
		"sealed anew, two documents":      {sealed("version: 1", "version: 1\n---\nversion: 1"), Misshapen},
		"sealed anew, a comment":          {sealed("version: 1", "version: 1 # mine"), Misshapen},
		"sealed anew, no YAML":            {sealed("version: 1", "\tversion: ["), Misshapen},
	} {
		t.Run(name, func(t *testing.T) {
			s, _ := stored(t)
			c.hurt(t, s.dir)
			before := files(t, s.dir)
			var damaged *Damaged
			if got, err := s.Load(); !errors.As(err, &damaged) || damaged.Why != c.why || got != nil {
				t.Errorf("%d entries, %v, want %s", len(got), err, c.why)
			}
			err := s.Update(t.Context(), func(old []Entry) ([]Entry, error) { return old, nil })
			if !errors.As(err, &damaged) {
				t.Errorf("updated: %v", err)
			}
			if after := files(t, s.dir); !cmp.Equal(before, after) {
				t.Errorf("the files were touched:\n%s", cmp.Diff(before, after))
			}
		})
	}
}

func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		content, _ := os.ReadFile(filepath.Join(dir, e.Name()))
		all[e.Name()] = string(content)
	}
	return all
}

// A reader at any instant, and whoever looks after a crash between any two
// steps, finds a store that is whole.
func TestStoreIsWholeAtEveryInstant(t *testing.T) {
	s, want := stored(t)
	var stop atomic.Bool
	var wg sync.WaitGroup
	wg.Go(func() {
		for !stop.Load() {
			if info, err := os.Stat(filepath.Join(s.dir, StoreFile)); err != nil || info.Size() == 0 {
				t.Errorf("the file is not there or empty: %v", err)
				return
			}
			if _, err := s.Load(); err != nil {
				t.Errorf("read beside a writer: %v", err)
				return
			}
		}
	})
	var writers sync.WaitGroup
	for range 2 {
		writers.Go(func() {
			for i := range 20 {
				if err := s.Update(t.Context(), func([]Entry) ([]Entry, error) { return want[:1+i%2], nil }); err != nil {
					t.Error(err)
				}
			}
		})
	}
	writers.Wait()
	stop.Store(true)
	wg.Wait()

	// Each step by itself, as if the next one never came.
	old, _ := os.ReadFile(filepath.Join(s.dir, StoreFile))
	next, err := encode(want[:1])
	if err != nil {
		t.Fatal(err)
	}
	for name, state := range map[string][2]string{
		"the sidecar stands for both":  {string(old), seal(next) + seal(old)},
		"the new content is there":     {string(next), seal(next) + seal(old)},
		"the sidecar is the new one's": {string(next), seal(next)},
	} {
		os.WriteFile(filepath.Join(s.dir, StoreFile), []byte(state[0]), 0o600)
		os.WriteFile(filepath.Join(s.dir, SidecarFile), []byte(state[1]), 0o600)
		if _, err := s.Load(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestStoreWaitsForAnother(t *testing.T) {
	s, _ := stored(t)
	lock, err := s.lock(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
	defer cancel()
	if err := s.Update(ctx, func(old []Entry) ([]Entry, error) { return old, nil }); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("updated beside another: %v", err)
	}
}

func TestOneProfileAServer(t *testing.T) {
	s, want := stored(t)
	if err := s.Update(t.Context(), func(old []Entry) ([]Entry, error) { return append(old, old[0]), nil }); !errors.Is(err, errTwice) {
		t.Errorf("two profiles of one server: %v", err)
	}
	if got, err := s.Load(); err != nil || !cmp.Equal(got, want) {
		t.Errorf("the store changed: %v", err)
	}
}

func FuzzStore(f *testing.F) {
	content, _ := encode(nil)
	f.Add(content)
	f.Add([]byte("version: 1\nservers:\n- &a {client: x}\n- *a\n"))
	f.Fuzz(func(t *testing.T, content []byte) {
		entries, err := decode(content)
		if err != nil {
			if damaged := (*Damaged)(nil); !errors.As(err, &damaged) {
				t.Fatalf("%v", err)
			}
			return
		}
		if again, err := encode(entries); err != nil || string(again) != string(content) {
			t.Fatal("what was read is not what would be written")
		}
	})
}
