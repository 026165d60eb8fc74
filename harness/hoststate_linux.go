package harness

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"time"

	"golang.org/x/sys/unix"
)

// clockError is the estimated error of the clock in microseconds, adjtimex(2).
func clockError() (int64, error) {
	var timex unix.Timex
	if _, err := unix.Adjtimex(&timex); err != nil {
		return 0, fmt.Errorf("reading the clock's estimated error: %w", err)
	}
	return int64(timex.Esterror), nil
}

// setClockError moves no clock: the number is for whoever asks.
func setClockError(value int64) error {
	timex := &unix.Timex{Modes: unix.ADJ_ESTERROR}
	timex.Esterror += value
	if _, err := unix.Adjtimex(timex); err != nil {
		return fmt.Errorf("setting the clock's estimated error: %w", err)
	}
	return nil
}

// ofAnAgent is the form of a name that an agent gives to a cgroup.
var ofAnAgent = regexp.MustCompile(`^[0-9a-f]{32}$`)

// removeCgroups removes the empty cgroups that agents left at the root of the
// hierarchy.
func removeCgroups() error {
	root := "/sys/fs/cgroup/pids"
	if _, err := os.Stat("/sys/fs/cgroup/cgroup.controllers"); err == nil {
		root = "/sys/fs/cgroup"
	}
	entries, err := os.ReadDir(root)
	if err != nil {
		return fmt.Errorf("looking for cgroups of killed runs: %w", err)
	}
	var errs []error
	for _, e := range entries {
		if !e.IsDir() || !ofAnAgent.MatchString(e.Name()) {
			continue
		}
		if err := unix.Rmdir(filepath.Join(root, e.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, fmt.Errorf("removing a cgroup of a killed run: %w", err))
		}
	}
	return errors.Join(errs...)
}

// parentPrefix begins the names of cgroups that containers are told to stand below.
const parentPrefix = "postern-"

// removeParent removes such a cgroup from every hierarchy.
func removeParent(path string) error {
	if !ofATrial.MatchString(path) {
		return errors.New("a journal names a cgroup that is no trial's")
	}
	var errs []error
	for _, pattern := range []string{"/sys/fs/cgroup", "/sys/fs/cgroup/*"} {
		dirs, err := filepath.Glob(pattern + path)
		errs = append(errs, err)
		for _, dir := range dirs {
			errs = append(errs, unix.Rmdir(dir))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("removing a cgroup: %w", err)
	}
	return nil
}

var ofATrial = regexp.MustCompile("^/" + parentPrefix + "[0-9]+$")

// removeReleased removes the cgroups whose path is that of a directory, and
// those above them that are empty then.
func removeReleased(path string) error {
	root := "/sys/fs/cgroup/pids"
	below, err := os.ReadDir(filepath.Join(root, path))
	if errors.Is(err, fs.ErrNotExist) {
		below, err = nil, nil
	}
	errs := []error{err}
	for _, e := range below {
		if e.IsDir() && ofAnAgent.MatchString(e.Name()) {
			errs = append(errs, unix.Rmdir(filepath.Join(root, path, e.Name())))
		}
	}
	for at := filepath.Clean("/" + path); at != "/"; at = filepath.Dir(at) {
		err := unix.Rmdir(root + at)
		if errors.Is(err, unix.EBUSY) || errors.Is(err, unix.ENOTEMPTY) {
			break // another's
		}
		if err != nil && !errors.Is(err, unix.ENOENT) {
			errs = append(errs, err)
		}
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("removing the cgroups of a release: %w", err)
	}
	return nil
}

// lockHost waits until no other run on this host changes its state, and then
// for what a killed one changed to be put back.
func lockHost(ctx context.Context) (unlock func() error, err error) {
	if err := os.MkdirAll(journalDirectory, 0o700); err != nil {
		return nil, fmt.Errorf("making the journal's directory: %w", err)
	}
	f, err := os.OpenFile(filepath.Join(journalDirectory, "lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("opening the lock of the host's state: %w", err)
	}
	for {
		err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		if err == nil {
			break
		}
		select {
		case <-ctx.Done():
			err = ctx.Err()
		case <-time.After(lockPause):
			if errors.Is(err, unix.EWOULDBLOCK) || errors.Is(err, unix.EINTR) {
				continue
			}
		}
		return nil, errors.Join(fmt.Errorf("waiting for the lock of the host's state: %w", err), f.Close())
	}
	if _, err := sweepJournals(); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f.Close, nil
}

const lockPause = 10 * time.Millisecond
