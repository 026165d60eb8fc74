package observers

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"

	"golang.org/x/sys/unix"

	"postern/fixtures/channel"
	"postern/observers/canary"
)

// kmsgPath is the kernel log as a file: one record a read, dev-kmsg in the
// kernel's documentation.
const kmsgPath = "/dev/kmsg"

// records reads what the kernel tells during the trial, a record at a time. Its
// pilots are records of its own.
type records struct {
	mu    sync.Mutex
	watch *canary.Watch
	fd    int
	skip  func(record []byte) bool // another observer's; may be nil
	told  glance                   // what earlier reads saw and nobody has counted
}

// NewDmesg opens the kernel log at its end.
func NewDmesg(watch *canary.Watch, pilots Pilots) (*Lookout, error) {
	fd, err := unix.Open(kmsgPath, unix.O_RDONLY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("opening the kernel log: %w", err)
	}
	if _, err := unix.Seek(fd, 0, io.SeekEnd); err != nil {
		return nil, errors.Join(fmt.Errorf("going to the end of the kernel log: %w", err), unix.Close(fd))
	}
	l := &records{watch: watch, fd: fd, skip: isAudit}
	return newLookout(channel.SinkDmesg, pilots, true, spot{
		pilot: func(_ whereabouts, text string) (glance, error) {
			if err := writeKmsg(text); err != nil {
				return glance{}, err
			}
			return l.more(true)
		},
		read: func(context.Context, whereabouts) (glance, error) { return l.more(false) },
		tidy: sync.OnceValue(func() error { return unix.Close(fd) }),
	}), nil
}

// isAudit reports whether a record is an audit message that the kernel itself
// printed. It prints ten in five seconds and drops the rest, so they are heard
// where it tells all of them. The number in front is of the kernel's own
// facility, which no program can take.
func isAudit(record []byte) bool {
	head, text, ok := bytes.Cut(record, []byte(";"))
	level, _, _ := bytes.Cut(head, []byte(","))
	return ok && len(level) == 1 && bytes.HasPrefix(text, []byte("audit: type="))
}

func writeKmsg(text string) error {
	f, err := os.OpenFile(kmsgPath, os.O_WRONLY, 0)
	if err != nil {
		return fmt.Errorf("writing to the kernel log: %w", err)
	}
	defer f.Close()
	if _, err := fmt.Fprintf(f, "<7>postern pilot %s\n", text); err != nil {
		return errors.New("writing to the kernel log: it takes no line")
	}
	return nil
}

// more reads the records that were added. What a pilot's read sees beside the
// pilot is kept for the next that counts it.
func (l *records) more(keep bool) (glance, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	record := make([]byte, 16<<10) // more than the kernel writes into one
	g := l.told
	for {
		n, err := unix.Read(l.fd, record)
		switch {
		case errors.Is(err, unix.EINTR):
		case errors.Is(err, unix.EAGAIN):
			l.told = glance{}
			if keep {
				l.told = glance{seen: g.seen, units: g.units, bytes: g.bytes}
				return glance{seen: g.seen, drops: g.drops}, nil
			}
			return g, nil
		case errors.Is(err, unix.EPIPE), errors.Is(err, unix.ENOBUFS):
			g.drops++ // overwritten, or dropped, before it was read
		case err != nil:
			return g, fmt.Errorf("reading what the kernel tells: %w", err)
		case l.skip != nil && l.skip(record[:n]):
		default:
			g.see(l.watch, record[:n])
		}
	}
}
