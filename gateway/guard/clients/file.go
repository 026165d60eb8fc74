package clients

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"postern/gateway/statefile"
)

// maxFile is beyond what clients write; one keeps its history in the same file.
const maxFile = 64 << 20

// File is a client's file as it was found.
type File struct {
	Content []byte
	path    string // behind symbolic links, which stay
	info    fs.FileInfo
}

// Read reads a client's file. Where there is none, the error is fs.ErrNotExist.
func Read(path string) (*File, error) {
	real, err := filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fs.ErrNotExist
	}
	if err != nil {
		return nil, &Left{Why: Unreadable}
	}
	info, err := os.Stat(real)
	switch {
	case err != nil:
		return nil, &Left{Why: Unreadable}
	case !info.Mode().IsRegular(): // before it is opened: a pipe would wait for a writer
		return nil, &Left{Why: NotAFile}
	case info.Size() > maxFile:
		return nil, &Left{Why: TooLarge}
	}
	f, err := os.Open(real)
	if err != nil {
		return nil, &Left{Why: Unreadable}
	}
	defer f.Close()
	content, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	switch {
	case err != nil:
		return nil, &Left{Why: Unreadable}
	case len(content) > maxFile:
		return nil, &Left{Why: TooLarge}
	}
	return &File{content, real, info}, nil
}

// Replace puts another content in the file's place, with its mode and owner, so
// that the old or the new one is there in full at every instant. A copy of the
// old one is in backups first. A file that was changed since it was read is left
// alone: Busy. Between that look and the change a moment remains in which
// another program's writing is lost, though not from what it wrote before. The
// caller holds a lock.
func (f *File) Replace(content []byte, client, backups string) error {
	if names(f.info) > 1 {
		return &Left{Why: Linked}
	}
	if err := backup(backups, client, f.Content); err != nil {
		return err
	}
	next, err := f.beside(content)
	if err != nil {
		return &Left{Why: NotWritten}
	}
	defer os.Remove(next)
	if now, err := os.ReadFile(f.path); err != nil || !bytes.Equal(now, f.Content) {
		return &Left{Why: Busy}
	}
	if os.Rename(next, f.path) != nil || statefile.SyncDir(filepath.Dir(f.path)) != nil {
		return &Left{Why: NotWritten}
	}
	return nil
}

// beside writes a file in the same directory, readable by the user alone until
// it is whole.
func (f *File) beside(content []byte) (path string, err error) {
	path = f.path + ".postern-new"
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err // left behind by a crash; the lock says that no one is writing it
	}
	next, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return "", err
	}
	_, err = next.Write(content)
	err = errors.Join(err, own(next, f.info), next.Chmod(f.info.Mode().Perm()), next.Sync(), next.Close())
	if err != nil {
		return "", errors.Join(err, os.Remove(path))
	}
	return path, nil
}

// Backup is the name of the copy of a client's file. It follows from the
// content, so that there are as many as there were contents.
func Backup(client string, content []byte) string {
	sum := sha256.Sum256(content)
	return client + "-" + hex.EncodeToString(sum[:8]) + ".json"
}

func backup(dir, client string, content []byte) error {
	path := filepath.Join(dir, Backup(client, content))
	if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, content) {
		return nil
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("making the directory of backups: %w", err)
	}
	if err := statefile.Replace(path, content); err != nil {
		return fmt.Errorf("keeping a copy of a client's file: %w", err)
	}
	return nil
}
