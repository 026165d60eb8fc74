package observers

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"postern/fixtures/channel"
	"postern/observers/canary"
)

// diskSize is the length in bytes of what lies behind a device, and pilotAt
// where in it pilots stand, away from where the agent writes.
const (
	diskSize = 256 << 10
	pilotAt  = diskSize - 4096
)

// NewDevice makes the file that lies behind a block device, and reads it. Its
// pilots are blocks of that file.
func NewDevice(path string, watch *canary.Watch, pilots Pilots) (*Lookout, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("making a disk: %w", err)
	}
	if err := f.Truncate(diskSize); err != nil {
		return nil, errors.Join(fmt.Errorf("making a disk: %w", err), f.Close())
	}
	return newLookout(channel.SinkDevice, pilots, true, fileWith(f, pilotAt, watch)), nil
}

// fileWith is an open file as a spot, with its pilots at an offset.
func fileWith(f *os.File, at int64, watch *canary.Watch) spot {
	read := func() (g glance, err error) {
		s := watch.Stream()
		n, err := io.Copy(s, io.NewSectionReader(f, 0, diskSize))
		g.add(s.Sightings())
		g.units, g.bytes = 1, n
		return g, err
	}
	return spot{
		pilot: func(_ whereabouts, text string) (glance, error) {
			if _, err := f.WriteAt([]byte(text), at); err != nil {
				return glance{}, fmt.Errorf("writing a pilot to a file: %w", err)
			}
			g, err := read()
			_, wiped := f.WriteAt(make([]byte, len(text)), at)
			return g, errors.Join(err, wiped)
		},
		read: func(context.Context, whereabouts) (glance, error) { return read() },
		tidy: func() error {
			if err := f.Close(); !errors.Is(err, os.ErrClosed) {
				return err
			}
			return nil
		},
	}
}
