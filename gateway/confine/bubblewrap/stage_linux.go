package bubblewrap

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path"
	"runtime"
	"syscall"

	"golang.org/x/sys/unix"

	"postern/gateway/confine/tree"
)

// The descriptors of the stage, of which bwrap keeps all but the first, and the server the last.
const (
	stepsFD = 3 + iota
	argumentsFD
	filterFD
	statusFD
	otherFD // only where ports are to be left open, or an image is run
)

// work is what the stage is told.
type work struct {
	Base    string
	Steps   []tree.Step
	Backend string
	Command []string

	Unfiltered, Writable bool // see Weakness
}

// stage runs in a user name space and one of mounts of its own, in which it may
// mount. It returns only where it fails.
func stage() int {
	runtime.LockOSThread() // privileges are a thread's, and bwrap gets those of the one that becomes it
	if err := become(); err != nil {
		fmt.Fprintln(os.Stderr, "postern: confining by bubblewrap:", err)
	}
	return stageFailed
}

func become() error {
	var w work
	in := os.NewFile(stepsFD, "steps")
	if err := json.NewDecoder(in).Decode(&w); err != nil {
		return failed("reading what is to be done", err)
	}
	in.Close()
	// What is mounted on the host later must not appear in the sandbox.
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return failed("parting from the host's mounts", err)
	}
	if err := unix.Mount("tree", w.Base, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "mode=0755"); err != nil {
		return failed("making an empty root", err)
	}
	for _, s := range append([]tree.Step{{Does: tree.MakeDirectory, Place: "/proc"}, {Does: tree.MakeDirectory, Place: "/dev"}}, w.Steps...) {
		if w.Writable && s.Does == tree.Show {
			s.Does = tree.Give
		}
		if err := do(s, w.Base); err != nil {
			return err
		}
	}
	// Without this bwrap would refuse to start, as one that was given more than it wants.
	if err := unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0); err != nil {
		return failed("giving up what mounting takes", err)
	}
	if err := syscall.Exec(w.Backend, append(append(w.invocation(), "--"), w.Command...), os.Environ()); err != nil {
		return failed("starting bubblewrap", err)
	}
	return nil
}

// invocation is by what bwrap is run, but the command: it reads the rest of its
// options.
func (w work) invocation() []string {
	arguments := []string{w.Backend, "--args", fmt.Sprint(argumentsFD), "--json-status-fd", fmt.Sprint(statusFD)}
	if !w.Unfiltered {
		arguments = append(arguments, "--seccomp", fmt.Sprint(filterFD))
	}
	return arguments
}

// do makes one place of the tree. What is gone by now is left out.
func do(s tree.Step, base string) error {
	at := path.Join(base, s.Place)
	if err := os.MkdirAll(path.Dir(at), 0o755); err != nil {
		return failed("making a directory of the sandbox", err)
	}
	switch s.Does {
	case tree.MakeDirectory:
		return failed("making a directory of the sandbox", os.MkdirAll(at, 0o755))
	case tree.MakeLink:
		return failed("making a link of the sandbox", os.Symlink(s.Source, at))
	case tree.GiveEmpty:
		if err := os.MkdirAll(at, 0o755); err != nil {
			return failed("making a directory of the sandbox", err)
		}
		return failed("making a temporary directory of the sandbox", unix.Mount("temporary", at, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "mode=1777"))
	}
	info, err := os.Lstat(s.Source)
	if err != nil {
		return nil
	}
	if err := point(at, info.IsDir()); err != nil {
		return failed("making a place of the sandbox", err)
	}
	if unix.Mount(s.Source, at, "", unix.MS_BIND|unix.MS_REC, "") != nil || s.Does == tree.Give {
		return nil
	}
	return failed("making a place of the sandbox read-only",
		unix.MountSetattr(unix.AT_FDCWD, at, unix.AT_RECURSIVE, &unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY}))
}

// failed says what was done and the system's number, without the path.
func failed(what string, err error) error {
	if err == nil {
		return nil
	}
	var errno syscall.Errno
	if errors.As(err, &errno) {
		err = errno
	}
	return fmt.Errorf("%s: %w", what, err)
}

func point(at string, directory bool) error {
	if directory {
		return os.MkdirAll(at, 0o755)
	}
	f, err := os.OpenFile(at, os.O_CREATE|os.O_RDONLY, 0o644)
	if err != nil {
		return err
	}
	return f.Close()
}
