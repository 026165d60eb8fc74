package guard

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"postern/gateway/statefile"
)

// The files of a store. Beside them stands a lock file, which stays.
const (
	StoreFile   = "guard-confine.yaml"
	SidecarFile = "guard-confine.yaml.sha256"
	lockFile    = "guard-confine.lock"
)

// Entry is one server of one client that was enrolled.
type Entry struct {
	Client  string
	Profile Profile
}

// Store is the profiles that were enrolled, in a directory of the user's own.
// It fails closed: what is not whole is not read, and not written over.
type Store struct{ dir string }

// At is the store in a directory, which need not be there yet.
func At(dir string) Store { return Store{dir} }

// Damage is why a store is not used: a closed word.
type Damage string

const (
	Exposed      Damage = "exposed"        // a file or the directory can be touched by others, or is none
	Unsealed     Damage = "sidecar"        // the sidecar is missing or is none
	Tampered     Damage = "digest"         // the file is not what the sidecar stands for
	Misshapen    Damage = "shape"          // not the YAML that a store writes
	Foreign      Damage = "version"        // of another version
	Inconsistent Damage = "profile-digest" // a profile is not what its own digest stands for
)

// Damaged is the error of a store that is not used.
type Damaged struct{ Why Damage }

func (d *Damaged) Error() string {
	return "the guard's store is damaged (" + string(d.Why) + "): restore it from a backup, or remove it and enable the guard again"
}

const (
	maxStore   = 4 << 20
	maxSidecar = 1 << 10
)

// Load reads every entry. A store that is not there has none.
func (s Store) Load() ([]Entry, error) {
	if err := s.private(); err != nil {
		return nil, err
	}
	content, err := s.sealed()
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return decode(content)
}

// sealed reads the file and its sidecar without a lock, for a spawn must not
// wait. Where they do not fit, another process may have replaced both in
// between: only a pair that stays so is damaged.
func (s Store) sealed() ([]byte, error) {
	for range attempts {
		content, err := statefile.Read(filepath.Join(s.dir, StoreFile), maxStore)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		sidecar, sideErr := statefile.Read(filepath.Join(s.dir, SidecarFile), maxSidecar)
		switch {
		case errors.Is(err, statefile.ErrChanged), errors.Is(sideErr, statefile.ErrChanged):
		case err != nil:
			return nil, damage(err, Misshapen)
		case sideErr != nil:
			return nil, damage(sideErr, Unsealed)
		case seals(sidecar, content):
			return content, nil
		}
		time.Sleep(pause)
	}
	return nil, &Damaged{Tampered}
}

const attempts = 5

func damage(err error, otherwise Damage) error {
	switch {
	case errors.Is(err, statefile.ErrExposed), errors.Is(err, statefile.ErrChanged):
		return &Damaged{Exposed}
	case errors.Is(err, statefile.ErrLarge), errors.Is(err, fs.ErrNotExist):
		return &Damaged{otherwise}
	}
	return fmt.Errorf("reading the guard's store: %w", err)
}

// Update replaces all entries by what change makes of them, while no other
// process does. Where anything fails, the files stay what they were.
func (s Store) Update(ctx context.Context, change func([]Entry) ([]Entry, error)) error {
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return fmt.Errorf("making the guard's directory: %w", err)
	}
	lock, err := s.lock(ctx)
	if err != nil {
		return err
	}
	defer lock.Close()
	entries, err := s.Load()
	if err != nil {
		return err
	}
	if entries, err = change(slices.Clone(entries)); err != nil {
		return err
	}
	content, err := encode(entries)
	if err != nil {
		return err
	}
	if err := s.replace(content); err != nil {
		return fmt.Errorf("writing the guard's store: %w", err)
	}
	return nil
}

// replace lets the sidecar stand for the old and the new content while one takes
// the place of the other, so that a crash between any two steps leaves a store
// that is whole.
func (s Store) replace(content []byte) error {
	store, sidecar := filepath.Join(s.dir, StoreFile), filepath.Join(s.dir, SidecarFile)
	old, err := statefile.Read(store, maxStore)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	both := seal(content)
	if err == nil {
		both += seal(old)
	}
	return cmp.Or(
		statefile.Replace(sidecar, []byte(both)),
		statefile.Replace(store, content),
		statefile.Replace(sidecar, []byte(seal(content))),
	)
}

// seal is a line as sha256sum(1) writes and checks it.
func seal(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:]) + "  " + StoreFile + "\n"
}

func seals(sidecar, content []byte) bool {
	return slices.Contains(strings.SplitAfter(string(bytes.TrimRight(sidecar, "\n"))+"\n", "\n"), seal(content))
}

// lock waits for another process that is at it, which takes milliseconds.
func (s Store) lock(ctx context.Context) (*os.File, error) {
	for {
		f, err := statefile.Lock(filepath.Join(s.dir, lockFile))
		if !errors.Is(err, statefile.ErrInUse) {
			if err != nil {
				return nil, fmt.Errorf("locking the guard's store: %w", err)
			}
			return f, nil
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("waiting for another process to leave the guard's store: %w", ctx.Err())
		case <-time.After(pause):
		}
	}
}

const pause = 10 * time.Millisecond

// private wants the directory, where there is one, to be this user's alone.
func (s Store) private() error {
	info, err := os.Lstat(s.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("looking at the guard's directory: %w", err)
	}
	if !info.IsDir() || info.Mode().Perm()&0o077 != 0 {
		return &Damaged{Exposed}
	}
	return nil
}
