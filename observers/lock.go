package observers

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"

	"golang.org/x/sys/unix"

	"postern/fixtures/channel"
	"postern/observers/canary"
)

// What the files for locks are called in their directory: one whose ranges are
// locked, and a row of which some are locked as a whole.
const (
	LockRange = "range"
	LockHeld  = "held" // a directory; its files are numbers from 0 on, of three digits
)

const (
	heldBits = canary.Size * 8
	wordBits = 32 // of an offset that are part of a secret; above them is its place
)

// LockFiles are files for anybody to lock. One set serves all trials, since the
// kernel tells whose a lock is, and a canary tells its trial.
type LockFiles struct {
	Dir string

	ranges inode
	held   map[inode]int // a file of the row -> its number
	pilots sync.Mutex    // one at a time: all are of this process
	open   []*os.File    // for pilots: the row, and then the file of ranges
}

// NewLockFiles makes them in a new directory.
func NewLockFiles(dir string) (*LockFiles, error) {
	f := &LockFiles{Dir: dir, held: map[inode]int{}}
	if err := f.make(); err != nil {
		return nil, errors.Join(fmt.Errorf("making files to lock: %w", withoutPath(err)), f.Close())
	}
	return f, nil
}

// Close closes the files, which go with their directory.
func (f *LockFiles) Close() error {
	var errs []error
	for _, file := range f.open {
		errs = append(errs, file.Close())
	}
	return errors.Join(errs...)
}

func (f *LockFiles) make() (err error) {
	for _, dir := range []string{f.Dir, filepath.Join(f.Dir, LockHeld)} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			return err
		}
		if err := os.Chmod(dir, 0o755); err != nil { // whatever the umask was
			return err
		}
	}
	for n := range heldBits {
		at, err := f.add(f.bit(n))
		if err != nil {
			return err
		}
		f.held[at] = n
	}
	f.ranges, err = f.add(filepath.Join(f.Dir, LockRange))
	return err
}

// bit is the path of one file of the row.
func (f *LockFiles) bit(n int) string { return filepath.Join(f.Dir, LockHeld, fmt.Sprintf("%03d", n)) }

// add makes an empty file that everybody may read.
func (f *LockFiles) add(path string) (inode, error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDONLY, 0o644)
	if err != nil {
		return inode{}, err
	}
	f.open = append(f.open, file)
	if err := file.Chmod(0o644); err != nil { // whatever the umask was
		return inode{}, err
	}
	var st unix.Stat_t
	if err := unix.Fstat(int(file.Fd()), &st); err != nil {
		return inode{}, err
	}
	dev := uint64(st.Dev)
	return inode{unix.Major(dev), unix.Minor(dev), uint64(st.Ino)}, nil
}

// Lock reads the kernel's table of file locks, /proc/locks, for locks on files
// made for it. Whoever may read a file may lock it, also where it is mounted
// read-only.
type Lock struct {
	files  *LockFiles
	watch  *canary.Watch
	pilots Pilots
	book   *ledger
}

var _ Living = (*Lock)(nil)

// NewLock prepares the observer of files.
func NewLock(files *LockFiles, watch *canary.Watch, pilots Pilots) *Lock {
	return &Lock{files: files, watch: watch, pilots: pilots, book: newLedger()}
}

// Enter implements Living. What it looks at are the files, whoever locks them.
func (o *Lock) Enter(string, int) {}

// Sink implements Observer.
func (o *Lock) Sink() channel.Sink { return channel.SinkLock }

// Pilot implements Observer: one in ranges, one in the row, each by locks of
// this process that are gone once they were looked at.
func (o *Lock) Pilot(_ context.Context, phase channel.ID) error {
	raw, err := o.pilots.bytes(phase)
	if err != nil {
		return err
	}
	o.book.pilot(phase, 2)
	o.files.pilots.Lock()
	defer o.files.pilots.Unlock()
	defer o.files.free()
	if err := o.files.lock(raw); err != nil {
		return fmt.Errorf("taking the locks of a pilot: %w", withoutPath(err))
	}
	for range pilotLooks {
		seen, _, err := o.look()
		if err != nil {
			return err
		}
		if seen[phase] >= 2 {
			o.book.found(onlyPilots(seen))
			return nil
		}
	}
	return nil
}

// pilotLooks is how often a pilot is looked for: on a busy host one look may
// still miss some of its 70 locks.
const pilotLooks = 8

// lock takes the locks that spell a pilot.
func (f *LockFiles) lock(raw []byte) error {
	for i := 0; i < len(raw); i += wordBits / 8 {
		start := int64(i)<<wordBits | int64(binary.BigEndian.Uint32(raw[i:]))
		l := unix.Flock_t{Type: unix.F_RDLCK, Whence: io.SeekStart, Start: start, Len: 1}
		if err := unix.FcntlFlock(f.open[heldBits].Fd(), unix.F_SETLK, &l); err != nil {
			return err
		}
	}
	for n := range heldBits {
		if raw[n/8]>>(7-n%8)&1 == 0 {
			continue
		}
		if err := unix.Flock(int(f.open[n].Fd()), unix.LOCK_SH|unix.LOCK_NB); err != nil {
			return err
		}
	}
	return nil
}

// free gives all locks of this process back.
func (f *LockFiles) free() {
	all := unix.Flock_t{Type: unix.F_UNLCK, Whence: io.SeekStart}
	unix.FcntlFlock(f.open[heldBits].Fd(), unix.F_SETLK, &all)
	for _, file := range f.open[:heldBits] {
		unix.Flock(int(file.Fd()), unix.LOCK_UN)
	}
}

// Look implements Living.
func (o *Lock) Look(context.Context) error {
	o.files.pilots.Lock() // no pilot comes or goes meanwhile
	defer o.files.pilots.Unlock()
	seen, n, err := o.look()
	o.book.found(withoutPilots(seen))
	o.book.count(n, 0)
	return err
}

// look reads the table, and what the locks that each process has on the files
// spell.
func (o *Lock) look() (seen map[channel.ID]int, n int, err error) {
	all, err := allLocks()
	if err != nil {
		return nil, 0, fmt.Errorf("reading the kernel's table of locks: %w", withoutPath(err))
	}
	texts, n := o.files.spelt(all)
	seen = map[channel.ID]int{}
	for _, text := range texts {
		for id, k := range tally(o.watch.Scan(text)) {
			seen[id] += k
		}
	}
	return seen, n, nil
}

// readings is how often the table is read in one look. The kernel gives it a
// page at a time and goes on by counting entries, so that it leaves some out
// where others go away meanwhile.
const readings = 4

// allLocks is what any of several readings has.
func allLocks() ([]fileLock, error) {
	var all []fileLock
	known := map[fileLock]bool{}
	for range readings {
		table, err := os.ReadFile("/proc/locks")
		if err != nil {
			return nil, err
		}
		for _, l := range locks(string(table)) {
			if !known[l] {
				known[l] = true
				all = append(all, l)
			}
		}
	}
	return all, nil
}

// spelt is what the locks on the files spell, process by process, and how many
// of them there are.
func (f *LockFiles) spelt(all []fileLock) (texts [][]byte, n int) {
	starts := map[string][]uint64{} // by process
	rows := map[string][]byte{}
	for _, l := range all {
		bit, ours := f.held[l.on]
		switch {
		case l.on == f.ranges && l.kind != "FLOCK":
			starts[l.pid] = append(starts[l.pid], l.start)
		case ours && l.kind == "FLOCK":
			if rows[l.pid] == nil {
				rows[l.pid] = make([]byte, heldBits/8)
			}
			rows[l.pid][bit/8] |= 1 << (7 - bit%8)
		default:
			continue
		}
		n++
	}
	for _, s := range starts {
		texts = append(texts, spellOffsets(s))
	}
	for _, r := range rows {
		texts = append(texts, r)
	}
	return texts, n
}

// Collect implements Observer.
func (o *Lock) Collect(context.Context) (Report, error) {
	return o.book.report(channel.SinkLock), nil
}

// Close implements Observer. The files go with their directory.
func (o *Lock) Close() error { return nil }
