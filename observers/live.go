package observers

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"postern/fixtures/channel"
	"postern/observers/canary"
)

const (
	livePilot = ".postern-pilot-" // and the number of the container's first process: some share their memory
	maxLive   = 256 << 20         // bytes read in one look
)

// Live reads, from the host and while they live, what is gone with the
// processes of a container: memory filesystems that were asked for, programs
// that run from them, and files that were deleted and are still open.
//
// It leaves alone what every container has: /dev/shm, and files that never had
// a name. They can be read in the same way, whatever the profile says.
//
// Its pilots are a file that it puts into the container's /dev/shm for as long
// as it takes to read it, which only root can open, and a deleted file that this
// process holds open itself.
type Live struct {
	watch  *canary.Watch
	pilots Pilots
	book   *ledger
	dir    string
	pid    int
}

var _ Living = (*Live)(nil)

// NewLive prepares the observer; Enter names its container. In dir it makes
// the files that it deletes.
func NewLive(dir string, watch *canary.Watch, pilots Pilots) *Live {
	return &Live{watch: watch, pilots: pilots, book: newLedger(), dir: dir}
}

// Enter implements Living.
func (o *Live) Enter(_ string, pid int) { o.pid = pid }

// Sink implements Observer.
func (o *Live) Sink() channel.Sink { return channel.SinkLive }

// Pilot implements Observer: one through each of the two ways.
func (o *Live) Pilot(_ context.Context, phase channel.ID) error {
	text, err := o.pilots.text(phase)
	if err != nil {
		return err
	}
	o.book.pilot(phase, 2)
	return errors.Join(o.pilotMemory(text), o.pilotDeleted(text))
}

// root is the container's root directory; nothing below leads out of it.
func (o *Live) root() (*os.Root, error) {
	if o.pid <= 0 {
		return nil, errUnattached
	}
	return os.OpenRoot(filepath.Join("/proc", strconv.Itoa(o.pid), "root"))
}

func (o *Live) pilotMemory(text string) error {
	root, err := o.root()
	if err != nil {
		return fmt.Errorf("putting a pilot into the container's memory: %w", err)
	}
	defer root.Close()
	shm, err := root.OpenRoot("dev/shm")
	if err != nil {
		return fmt.Errorf("putting a pilot into the container's memory: %w", withoutPath(err))
	}
	defer shm.Close()
	name := livePilot + strconv.Itoa(o.pid)
	f, err := shm.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("putting a pilot into the container's memory: %w", withoutPath(err))
	}
	defer shm.Remove(name)
	_, err = io.WriteString(f, text)
	if err := errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("putting a pilot into the container's memory: %w", withoutPath(err))
	}
	d := directory{watch: o.watch, left: maxLive, seen: map[channel.ID]int{}}
	err = withoutPath(d.file(shm, name))
	o.book.found(d.seen)
	return err
}

func (o *Live) pilotDeleted(text string) error {
	f, err := os.CreateTemp(o.dir, "deleted-")
	if err != nil {
		return fmt.Errorf("holding a deleted file: %w", withoutPath(err))
	}
	defer f.Close()
	_, err = io.WriteString(f, text)
	if err := errors.Join(err, os.Remove(f.Name())); err != nil {
		return fmt.Errorf("holding a deleted file: %w", withoutPath(err))
	}
	return o.descriptor(os.Getpid(), strconv.Itoa(int(f.Fd())))
}

// Look implements Living.
func (o *Live) Look(context.Context) error {
	points, err := o.memory()
	err = errors.Join(err, o.processes(points))
	if errors.Is(err, errTooLong) {
		o.book.lost(1)
		return nil
	}
	return err
}

// memory searches the memory filesystems that were asked for.
func (o *Live) memory() (points []string, err error) {
	root, err := o.root()
	if err != nil {
		return nil, fmt.Errorf("reading the container's memory filesystems: %w", err)
	}
	defer root.Close()
	mounts, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(o.pid), "mountinfo"))
	if err != nil {
		return nil, fmt.Errorf("listing the container's mounts: %w", err)
	}
	points = askedMemory(string(mounts))
	for _, point := range points {
		below, err := root.OpenRoot(strings.TrimPrefix(point, "/"))
		if err != nil {
			return nil, fmt.Errorf("reading a memory filesystem: %w", withoutPath(err))
		}
		d := directory{watch: o.watch, left: maxLive, seen: map[channel.ID]int{}}
		err = d.below(below)
		below.Close()
		delete(d.seen, channel.FileProgram) // which is not there to be read, but to run
		o.book.found(withoutPilots(d.seen))
		o.book.count(d.files, d.bytes)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("reading a memory filesystem: %w", err)
		}
	}
	return points, nil
}

// askedMemory lists where memory filesystems are mounted that the Engine does
// not mount by itself, from proc_pid_mountinfo(5).
func askedMemory(mountinfo string) []string {
	var points []string
	for line := range strings.Lines(mountinfo) {
		before, after, found := strings.Cut(line, " - ")
		left, right := strings.Fields(before), strings.Fields(after)
		if !found || len(left) < 6 || len(right) < 1 || right[0] != "tmpfs" {
			continue
		}
		switch point := left[4]; {
		case point == "/dev", point == "/dev/shm", strings.HasPrefix(point, "/proc/"), strings.HasPrefix(point, "/sys/"):
		default:
			points = append(points, unescape.Replace(point))
		}
	}
	return points
}

// unescape undoes what mountinfo does to paths.
var unescape = strings.NewReplacer(`\040`, " ", `\011`, "\t", `\012`, "\n", `\134`, `\`)

// processes searches, of each process of the container, the deleted files that
// it holds open, and its program, if that stands at one of the points.
func (o *Live) processes(points []string) error {
	pids, err := processesOf(o.pid)
	if err != nil {
		return fmt.Errorf("listing the container's processes: %w", err)
	}
	for _, pid := range pids {
		if err := o.program(pid, points); err != nil {
			return err
		}
		open, err := os.ReadDir(filepath.Join("/proc", strconv.Itoa(pid), "fd"))
		if vanished(err) {
			continue
		}
		if err != nil {
			return fmt.Errorf("listing what a process of the container holds open: %w", withoutPath(err))
		}
		for _, fd := range open {
			if err := o.descriptor(pid, fd.Name()); err != nil {
				return err
			}
		}
	}
	return nil
}

// vanished tells that a process ended, or closed a file, while we looked.
func vanished(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ESRCH)
}

// descriptor searches what an open file holds, if it is a deleted one.
func (o *Live) descriptor(pid int, fd string) error {
	path := filepath.Join("/proc", strconv.Itoa(pid), "fd", fd)
	to, err := os.Readlink(path)
	if vanished(err) || err == nil && !deletedFile(to) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("looking at an open file: %w", withoutPath(err))
	}
	return o.through(path)
}

// program searches the file that a process runs.
func (o *Live) program(pid int, points []string) error {
	path := filepath.Join("/proc", strconv.Itoa(pid), "exe")
	to, err := os.Readlink(path)
	if vanished(err) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("looking at a program: %w", withoutPath(err))
	}
	for _, point := range points {
		if strings.HasPrefix(to, point+"/") {
			return o.through(path)
		}
	}
	return nil
}

// through searches a regular file behind a link of the kernel's, which leads to
// the file itself, whatever became of its name.
func (o *Live) through(path string) error {
	info, err := os.Stat(path)
	if vanished(err) || err == nil && !info.Mode().IsRegular() {
		return nil
	}
	if err != nil {
		return fmt.Errorf("looking at a file of a process: %w", withoutPath(err))
	}
	f, err := os.Open(path)
	if vanished(err) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("reading a file of a process: %w", withoutPath(err))
	}
	defer f.Close()
	s := o.watch.Stream()
	_, err = io.Copy(s, &limited{f, maxLive})
	o.book.read(s.Bytes(), s.Sightings())
	return err
}

// deletedFile tells a file that lost its name from those that every process
// can make without one: in anonymous memory, and in shared memory.
func deletedFile(link string) bool {
	name, deleted := strings.CutSuffix(link, " (deleted)")
	if !deleted {
		return false
	}
	for _, memory := range []string{"/memfd:", "/dev/shm/", "/dev/zero", "/SYSV", "/anon_hugepage"} {
		if strings.HasPrefix(name, memory) {
			return false
		}
	}
	return true
}

// Collect implements Observer.
func (o *Live) Collect(context.Context) (Report, error) {
	return o.book.report(channel.SinkLive), nil
}

// Close implements Observer.
func (o *Live) Close() error { return nil }
