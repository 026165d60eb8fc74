package observers

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

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
	heldBits = canary.Size * 8 // files that the agent has; as many again are for pilots
	wordBits = 32              // of an offset that are part of a secret; above them is its place
	pilotAt  = 1 << 20         // the place of the first word of a pilot
)

// Lock reads the kernel's table of file locks, /proc/locks, for locks on files
// of its own. Whoever may read a file may lock it, also where it is mounted
// read-only.
type Lock struct {
	dir    string
	watch  *canary.Watch
	pilots Pilots
	book   *ledger
	ranges inode
	held   map[inode]int // a file of the row -> its number
}

var _ Living = (*Lock)(nil)

// NewLock makes its files in dir, which must exist.
func NewLock(dir string, watch *canary.Watch, pilots Pilots) (*Lock, error) {
	o := &Lock{dir: dir, watch: watch, pilots: pilots, book: newLedger(), held: map[inode]int{}}
	if err := o.make(); err != nil {
		return nil, fmt.Errorf("starting the lock observer: %w", withoutPath(err))
	}
	return o, nil
}

func (o *Lock) make() (err error) {
	if err := os.Mkdir(filepath.Join(o.dir, LockHeld), 0o755); err != nil {
		return err
	}
	if o.ranges, err = makeFile(filepath.Join(o.dir, LockRange)); err != nil {
		return err
	}
	for n := range 2 * heldBits {
		at, err := makeFile(o.bit(n))
		if err != nil {
			return err
		}
		o.held[at] = n
	}
	return nil
}

// bit is the path of one file of the row.
func (o *Lock) bit(n int) string { return filepath.Join(o.dir, LockHeld, fmt.Sprintf("%03d", n)) }

// makeFile makes an empty file that everybody may read.
func makeFile(path string) (inode, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDONLY, 0o644)
	if err != nil {
		return inode{}, err
	}
	defer f.Close()
	var st unix.Stat_t
	if err := unix.Fstat(int(f.Fd()), &st); err != nil {
		return inode{}, err
	}
	dev := uint64(st.Dev)
	return inode{unix.Major(dev), unix.Minor(dev), uint64(st.Ino)}, nil
}

// Enter implements Living. The files are the observer's own, so that it needs
// to know of no process.
func (o *Lock) Enter(string, int) {}

// Sink implements Observer.
func (o *Lock) Sink() channel.Sink { return channel.SinkLock }

// Pilot implements Observer: one in ranges, one in the row, each by locks of
// this process that are gone once they were looked at.
func (o *Lock) Pilot(_ context.Context, phase channel.ID) error {
	text, err := o.pilots.text(phase)
	if err != nil {
		return err
	}
	raw, err := hex.DecodeString(text)
	if err != nil {
		return errors.New("the pilot is no canary")
	}
	o.book.pilot(phase, 2)
	free, err := o.lock(raw)
	defer free()
	if err != nil {
		return fmt.Errorf("taking the locks of a pilot: %w", withoutPath(err))
	}
	seen, _, err := o.look()
	o.book.found(onlyPilots(seen))
	return err
}

// lock takes the locks that spell a pilot.
func (o *Lock) lock(raw []byte) (free func(), err error) {
	var open []*os.File
	free = func() {
		for _, f := range open {
			f.Close() // frees its locks
		}
	}
	f, err := os.Open(filepath.Join(o.dir, LockRange))
	if err != nil {
		return free, err
	}
	open = append(open, f)
	for i := 0; i < len(raw); i += wordBits / 8 {
		start := int64(pilotAt+i)<<wordBits | int64(binary.BigEndian.Uint32(raw[i:]))
		l := unix.Flock_t{Type: unix.F_RDLCK, Whence: io.SeekStart, Start: start, Len: 1}
		if err := unix.FcntlFlock(f.Fd(), unix.F_SETLK, &l); err != nil {
			return free, err
		}
	}
	for n := range heldBits {
		if raw[n/8]>>(7-n%8)&1 == 0 {
			continue
		}
		f, err := os.Open(o.bit(heldBits + n))
		if err != nil {
			return free, err
		}
		open = append(open, f)
		if err := unix.Flock(int(f.Fd()), unix.LOCK_SH|unix.LOCK_NB); err != nil {
			return free, err
		}
	}
	return free, nil
}

// Look implements Living.
func (o *Lock) Look(context.Context) error {
	seen, n, err := o.look()
	o.book.found(withoutPilots(seen))
	o.book.count(n, 0)
	return err
}

// look reads the table, and what the locks on our files spell.
func (o *Lock) look() (seen map[channel.ID]int, n int, err error) {
	table, err := os.ReadFile("/proc/locks")
	if err != nil {
		return nil, 0, fmt.Errorf("reading the kernel's table of locks: %w", withoutPath(err))
	}
	var starts []uint64
	row := make([]byte, 2*heldBits/8)
	for _, l := range locks(string(table)) {
		bit, ours := o.held[l.on]
		switch {
		case l.on == o.ranges && l.kind != "FLOCK":
			starts = append(starts, l.start)
		case ours && l.kind == "FLOCK":
			row[bit/8] |= 1 << (7 - bit%8)
		default:
			continue
		}
		n++
	}
	seen = tally(o.watch.Scan(spellOffsets(starts)))
	if seen == nil {
		seen = map[channel.ID]int{}
	}
	for id, k := range tally(o.watch.Scan(row)) {
		seen[id] += k
	}
	return seen, n, nil
}

// Collect implements Observer.
func (o *Lock) Collect(context.Context) (Report, error) {
	return o.book.report(channel.SinkLock), nil
}

// Close implements Observer. The files go with their directory.
func (o *Lock) Close() error { return nil }
