package harness

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"postern/mutants"
)

// fileFurniture is what mutants of the file channels need beside them. Paths
// are in the trial's directory, and go with it.
func fileFurniture() map[mutants.Need]piece {
	return map[mutants.Need]piece{
		mutants.NeedShared:     directory("shared", 0o777, func(s *mutants.Site) *string { return &s.Shared }),
		mutants.NeedOwned:      directory("owned", 0o755, func(s *mutants.Site) *string { return &s.Owned }),
		mutants.NeedReadable:   directory(readableDirectory, 0o755, func(s *mutants.Site) *string { return &s.Readable }),
		mutants.NeedLocks:      lockFiles,
		mutants.NeedFile:       sharedFile,
		mutants.NeedDaemon:     daemonSocket,
		mutants.NeedVolume:     namedVolume,
		mutants.NeedVolumePeer: volumePeer,
	}
}

func nothingToTake() error { return nil }

// directory makes one and notes its path in a field of the site.
func directory(name string, mode os.FileMode, field func(*mutants.Site) *string) piece {
	return func(_ context.Context, t *trial) (func() error, error) {
		path, err := t.place(name, mode)
		*field(&t.site) = path
		return nothingToTake, err
	}
}

// sharedFile makes an empty file that any user may write.
func sharedFile(_ context.Context, t *trial) (func() error, error) {
	t.site.File = filepath.Join(t.dir, "file")
	if err := os.WriteFile(t.site.File, nil, 0o666); err != nil {
		return nothingToTake, fmt.Errorf("making a file to bind: %w", err)
	}
	return nothingToTake, os.Chmod(t.site.File, 0o666) // whatever the umask was
}

// daemonSocket says where the stand-in of the Engine's socket will be: the
// observer makes it, before there is a container.
func daemonSocket(_ context.Context, t *trial) (func() error, error) {
	t.site.Daemon = filepath.Join(t.dir, daemonDirectory, socketName)
	t.site.DaemonGroup = strconv.Itoa(engineGroup)
	return nothingToTake, nil
}

// lockFiles says where the files to lock are.
func lockFiles(_ context.Context, t *trial) (func() error, error) {
	t.site.Locks = t.locks.Dir
	return nothingToTake, nil
}
