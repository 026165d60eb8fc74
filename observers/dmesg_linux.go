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

// NewDmesg reads the kernel log from its end on. Its pilots are records of its
// own.
func NewDmesg(watch *canary.Watch, pilots Pilots) (*Lookout, error) {
	fd, err := unix.Open(kmsgPath, unix.O_RDONLY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("opening the kernel log: %w", err)
	}
	if _, err := unix.Seek(fd, 0, io.SeekEnd); err != nil {
		return nil, errors.Join(fmt.Errorf("going to the end of the kernel log: %w", err), unix.Close(fd))
	}
	l, err := readRecords(fd, watch, isAudit)
	if err != nil {
		return nil, fmt.Errorf("reading the kernel log: %w", err)
	}
	return newLookout(channel.SinkDmesg, pilots, true, spot{
		pilot: func(_ whereabouts, text string) (glance, error) {
			if err := writeKmsg(text); err != nil {
				return glance{}, err
			}
			g, _, err := l.more(true)
			return g, err
		},
		read: func(context.Context, whereabouts) (glance, error) { return l.counted() },
		tidy: sync.OnceValue(l.close),
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
