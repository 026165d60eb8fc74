package harness

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"postern/harness/host"
	"postern/observers"
)

// journalDirectory is where every run writes down what it is about to change of
// the whole host, in one place whatever the temporary directory: a run that is
// killed cannot put it back, and the next sweep must find it.
const journalDirectory = "/run/postern"

// state is what a trial may change of the host, as it was before. It holds
// nothing of the trial's: the journal is written before the trial begins.
type state struct {
	Owner      string            // host.Owner of the run
	Settings   map[string]string // files of the kernel's
	ClockError *int64            // microseconds, adjtimex(2)
	Cgroups    bool              // cgroups may be made at the root of the hierarchy
	Parent     string            // a cgroup that the Engine made for a container to stand below
	Released   string            // the path of cgroups at the root of the hierarchy, which is also a directory of the run's
	Keyring    int               // a user whose keys are taken away; 0 for none
}

// restorable are the settings that a journal may hold: whoever could write one
// could have the rest of the host's changed otherwise.
func restorable() []string {
	return []string{
		"/proc/sys/kernel/core_pattern", "/proc/sys/kernel/hostname",
		"/proc/sys/kernel/poweroff_cmd", "/proc/sys/kernel/printk",
		"/sys/fs/cgroup/pids/release_agent",
	}
}

// hostNow is the state of the host that trials may change.
func hostNow() (state, error) {
	s := state{Settings: map[string]string{}, Cgroups: true}
	for _, path := range restorable() {
		text, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue // not in every kernel
		}
		if err != nil {
			return s, fmt.Errorf("reading the host's state: %w", err)
		}
		s.Settings[path] = string(text)
	}
	now, err := clockError()
	s.ClockError = &now
	return s, err
}

// journal writes a state down, on the disk when it returns, and says how to
// put it back and forget it.
func journal(s state, owner host.Owner) (restore func() error, err error) {
	s.Owner = owner.String()
	text, err := json.Marshal(s)
	if err != nil {
		return nil, fmt.Errorf("writing a journal: %w", err)
	}
	if err := os.MkdirAll(journalDirectory, 0o700); err != nil {
		return nil, fmt.Errorf("making the journal's directory: %w", err)
	}
	path, err := writeDown(text)
	if err != nil {
		return nil, fmt.Errorf("writing a journal: %w", err)
	}
	return func() error { return replay(s, path) }, nil
}

// writeDown makes a file that is whole or not there.
func writeDown(text []byte) (path string, err error) {
	f, err := os.CreateTemp(journalDirectory, "new-*")
	if err != nil {
		return "", err
	}
	_, err = f.Write(text)
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return "", errors.Join(err, os.Remove(f.Name()))
	}
	path = filepath.Join(journalDirectory, "journal"+filepath.Base(f.Name())[len("new"):])
	if err := os.Rename(f.Name(), path); err != nil {
		return "", errors.Join(err, os.Remove(f.Name()))
	}
	return path, syncDirectory(journalDirectory)
}

func syncDirectory(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// replay puts a state back, and forgets it only when all of it is.
func replay(s state, path string) error {
	if err := s.restore(); err != nil {
		return fmt.Errorf("putting the host's state back: %w", err)
	}
	return os.Remove(path)
}

// restore writes only what differs: another's change of the same would be lost.
func (s state) restore() error {
	var errs []error
	for path, value := range s.Settings {
		if !slices.Contains(restorable(), path) {
			errs = append(errs, errors.New("a journal names a setting that no trial changes"))
			continue
		}
		if now, err := os.ReadFile(path); err != nil || string(now) != value {
			errs = append(errs, err, os.WriteFile(path, []byte(value), 0))
		}
	}
	if s.ClockError != nil {
		if now, err := clockError(); err != nil || now != *s.ClockError {
			errs = append(errs, err, setClockError(*s.ClockError))
		}
	}
	if s.Cgroups {
		errs = append(errs, removeCgroups())
	}
	if s.Parent != "" {
		errs = append(errs, removeParent(s.Parent))
	}
	if s.Released != "" {
		errs = append(errs, removeReleased(s.Released))
	}
	if s.Keyring != 0 {
		errs = append(errs, observers.ClearKeyring(s.Keyring))
	}
	return errors.Join(errs...)
}

// sweepJournals puts back what killed runs changed, and says how many of them.
// In doubt a journal stays, and one does that names the cgroup of a container
// which is still there. After a reboot there is nothing to put back.
func sweepJournals() (restored int, err error) {
	paths, err := filepath.Glob(filepath.Join(journalDirectory, "journal-*"))
	if err != nil {
		return 0, err
	}
	var errs []error
	for _, path := range paths {
		s, dead := readJournal(path)
		if !dead {
			continue
		}
		switch err := replay(s, path); {
		case err == nil:
			restored++
		case !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.EBUSY):
			errs = append(errs, err)
		}
	}
	return restored, errors.Join(errs...)
}

// readJournal reads a journal of this user's whose run is known to be gone.
func readJournal(path string) (s state, dead bool) {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() || !ownedByUs(info) {
		return s, false
	}
	text, err := os.ReadFile(path)
	if err != nil || json.Unmarshal(text, &s) != nil {
		return s, false
	}
	owner, err := host.ParseOwner(s.Owner)
	if err != nil {
		return s, false
	}
	self, err := host.Self()
	if err != nil {
		return s, false
	}
	if owner.Boot != self.Boot {
		return state{}, true
	}
	alive, err := owner.Alive()
	return s, err == nil && !alive
}
