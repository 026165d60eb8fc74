package observers

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"sync"

	"golang.org/x/sys/unix"

	"postern/observers/canary"
)

// records reads what the kernel tells, a record at a time and as soon as it is
// told: it keeps so little, 128 KiB of its log on some machines, that what a few
// trials have killed for want of memory would overwrite the rest.
type records struct {
	watch *canary.Watch
	file  *os.File
	skip  func(record []byte) bool // another observer's; may be nil

	mu   sync.Mutex
	told glance // what nobody has counted
	next []byte // record
	err  error
	news chan struct{} // closed when there is more
	over chan struct{} // closed when the reading ended
}

// readRecords reads from a descriptor that does not block, until it is closed.
func readRecords(fd int, watch *canary.Watch, skip func([]byte) bool) (*records, error) {
	l := &records{
		watch: watch, file: os.NewFile(uintptr(fd), "records of the kernel"), skip: skip,
		news: make(chan struct{}), over: make(chan struct{}), next: make([]byte, 16<<10), // more than the kernel writes into one
	}
	conn, err := l.file.SyscallConn()
	if err != nil {
		return nil, errors.Join(err, l.file.Close())
	}
	go func() {
		defer close(l.over)
		conn.Read(func(uintptr) bool { // ends when the file is closed
			l.mu.Lock()
			defer l.mu.Unlock()
			return l.drain(fd) != nil
		})
	}()
	return l, nil
}

// drain reads all that there is.
func (l *records) drain(fd int) error {
	for before := l.told.units + l.told.drops; l.err == nil; {
		n, err := unix.Read(fd, l.next)
		switch {
		case errors.Is(err, unix.EINTR):
		case errors.Is(err, unix.EAGAIN):
			if l.told.units+l.told.drops > before {
				close(l.news)
				l.news = make(chan struct{})
			}
			return nil
		case errors.Is(err, unix.EPIPE), errors.Is(err, unix.ENOBUFS):
			l.told.drops++ // overwritten, or dropped, before it was read
		case err != nil:
			l.err = fmt.Errorf("reading what the kernel tells: %w", err)
		case l.skip != nil && l.skip(l.next[:n]):
		default:
			l.told.see(l.watch, l.next[:n])
		}
	}
	return l.err
}

// more returns what was told and not counted, all that is told so far included,
// and a channel that is closed when there is more. What a pilot's read sees
// beside the pilot is kept for the next that counts it.
func (l *records) more(keep bool) (glance, <-chan struct{}, error) {
	conn, err := l.file.SyscallConn()
	if err != nil {
		return glance{}, nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := conn.Control(func(fd uintptr) { l.drain(int(fd)) }); err != nil {
		return glance{}, nil, err
	}
	g := l.told
	l.told = glance{}
	if keep {
		l.told = glance{seen: maps.Clone(g.seen), units: g.units, bytes: g.bytes}
		g = glance{seen: g.seen, drops: g.drops}
	}
	return g, l.news, l.err
}

// counted is more for whoever counts it.
func (l *records) counted() (glance, error) {
	g, _, err := l.more(false)
	return g, err
}

// close ends the reading.
func (l *records) close() error {
	err := l.file.Close()
	<-l.over
	return err
}
