// Package statefile keeps small files on which decisions depend: read only where
// nobody else could have written them, replaced as a whole and durably, and held
// by one process at a time.
//
// It promises that a file that is replaced holds the old or the new content in
// full at every moment, whatever happens. It does not know what the content is,
// and does not find out that an older content was put back.
package statefile

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

var (
	ErrExposed = errors.New("no regular file, or not this user's alone")
	ErrChanged = errors.New("another file took its place while it was opened")
	ErrLarge   = errors.New("longer than it may be")
	ErrInUse   = errors.New("another process has it")
)

// Read reads a regular file that nobody else may touch, of at most so many
// bytes. Where there is none, the error is fs.ErrNotExist.
func Read(path string, most int) ([]byte, error) {
	named, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if !private(named) { // before it is opened: a pipe would wait for a writer
		return nil, ErrExposed
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	opened, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !os.SameFile(named, opened) {
		return nil, ErrChanged
	}
	data, err := io.ReadAll(io.LimitReader(f, int64(most)+1))
	if err == nil && len(data) > most {
		err = ErrLarge
	}
	return data, err
}

// Replace writes a file anew so that, whatever happens, the old or the new
// content is there in full, and the new one once it returns nil. The caller
// holds a lock.
func Replace(path string, data []byte) error {
	next := path + ".new"
	if err := os.Remove(next); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err // left behind by a crash; the lock says that no one is writing it
	}
	f, err := os.OpenFile(next, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return errors.Join(err, os.Remove(next))
	}
	if err := os.Rename(next, path); err != nil {
		return errors.Join(err, os.Remove(next))
	}
	return SyncDir(filepath.Dir(path))
}

// SyncDir makes what was renamed in a directory durable.
func SyncDir(path string) error {
	dir, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}
