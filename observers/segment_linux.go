package observers

import (
	"errors"
	"fmt"
	"strconv"

	"golang.org/x/sys/unix"

	"postern/fixtures/channel"
	"postern/observers/canary"
)

// A segment has room for whoever finds it, and behind that for the pilots.
const (
	segmentPart   = 256
	segmentBefore = segmentPart
	segmentAfter  = 2 * segmentPart
	segmentSize   = 3 * segmentPart
)

// Segment is shared memory of the host's IPC namespace, sysvipc(7), that is the
// user's alone. Its pilots are written as anybody else's text would be, by
// attaching it anew.
type Segment struct {
	*Kept
	key int
}

// NewSegment makes the memory, whose key derives from a trial's user as those of
// NewIPC do: there is one of the two in a trial.
func NewSegment(uid int, watch *canary.Watch, pilots Pilots) (*Segment, error) {
	if uid < 0 || uid >= 1<<28 {
		return nil, errors.New("starting the segment observer: the user id is too large to be part of a key")
	}
	o := &Segment{key: ipcAgent | uid}
	o.Kept = &Kept{
		sink: channel.SinkGuardSegment, pilots: pilots, book: newLedger(),
		put: func(phase channel.ID, text string) error {
			at := segmentBefore
			if phase == channel.PilotAfter {
				at = segmentAfter
			}
			return o.write(at, text)
		},
		read: func() (g glance, err error) {
			content, err := readSegment(o.key)
			g.see(watch, content)
			return g, err
		},
	}
	if _, err := unix.SysvShmGet(o.key, segmentSize, planted); err != nil {
		return nil, fmt.Errorf("starting the segment observer: %w", err)
	}
	return o, nil
}

// Addr is the key, as a number.
func (o *Segment) Addr() string { return strconv.Itoa(o.key) }

func (o *Segment) write(at int, text string) error {
	id, err := unix.SysvShmGet(o.key, 0, 0)
	if err != nil {
		return err
	}
	memory, err := unix.SysvShmAttach(id, 0, 0)
	if err != nil {
		return err
	}
	copy(memory[at:], text)
	return unix.SysvShmDetach(memory)
}

// Close implements Observer.
func (o *Segment) Close() error { return space{shm: "/dev/shm"}.remove(o.key) }
