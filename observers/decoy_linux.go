package observers

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"

	"golang.org/x/sys/unix"

	"postern/fixtures/channel"
	"postern/observers/canary"
)

// decoyEnd is where in a decoy pilots stand, behind what the agent writes.
const decoyEnd = 4096

// NewDecoy reads a file of the host's that no container is given, and the names
// in a directory where none but a program that the host runs could make any.
// Beside that it counts who opens the file. Its pilots are written to it, and
// open it.
func NewDecoy(path, made string, watch *canary.Watch, pilots Pilots) (*Lookout, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("making a decoy: %w", err)
	}
	opened, err := watchOpens(path)
	if err == nil {
		err = os.MkdirAll(made, 0o700)
	}
	if err != nil {
		return nil, errors.Join(withoutPath(err), f.Close())
	}
	file := fileWith(f, decoyEnd, watch)
	return newLookout(channel.SinkDecoy, pilots, true, spot{
		pilot: func(w whereabouts, text string) (glance, error) {
			g, err := file.pilot(w, text)
			heard, openErr := opened.pilot(path)
			if !heard {
				g.seen = nil // who cannot hear that a file is opened is deaf
			}
			return g, errors.Join(err, openErr)
		},
		read: func(ctx context.Context, w whereabouts) (glance, error) {
			g, err := file.read(ctx, w)
			if err != nil {
				return g, err
			}
			n, err := opened.strangers()
			if n > 0 {
				g.add(map[channel.ID]int{channel.KernelHandleRead: n})
			}
			return g, errors.Join(err, readMade(watch, made, &g))
		},
		tidy: sync.OnceValue(func() error { return errors.Join(file.tidy(), unix.Close(opened.fd)) }),
	}), nil
}

// readMade searches the names of what a program made, if it ran.
func readMade(watch *canary.Watch, path string, g *glance) error {
	entries, err := os.ReadDir(path)
	if err != nil {
		return fmt.Errorf("reading what a program made: %w", withoutPath(err))
	}
	for _, e := range entries {
		g.see(watch, []byte(e.Name()))
	}
	return nil
}

// opens counts how often a file is opened, inotify(7).
type opens struct {
	fd int

	mu    sync.Mutex
	heard int // by others than the pilots
}

func watchOpens(path string) (*opens, error) {
	fd, err := unix.InotifyInit1(unix.IN_NONBLOCK | unix.IN_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("watching a decoy: %w", err)
	}
	if _, err := unix.InotifyAddWatch(fd, path, unix.IN_OPEN); err != nil {
		return nil, errors.Join(fmt.Errorf("watching a decoy: %w", err), unix.Close(fd))
	}
	return &opens{fd: fd}, nil
}

// pilot opens the file and says whether that was heard.
func (o *opens) pilot(path string) (heard bool, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	n, err := o.events() // two in a row that are alike come as one
	o.heard += n
	if err != nil {
		return false, err
	}
	f, err := os.Open(path)
	if err != nil {
		return false, fmt.Errorf("opening a decoy: %w", err)
	}
	defer f.Close()
	n, err = o.events()
	return n > 0, err
}

// strangers is how often others have opened the file since it was last asked.
func (o *opens) strangers() (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	n, err := o.events()
	n, o.heard = n+o.heard, 0
	return n, err
}

// events takes what is there. All events of one file have the length of the header.
func (o *opens) events() (n int, err error) {
	b := make([]byte, 64*unix.SizeofInotifyEvent)
	for {
		got, err := unix.Read(o.fd, b)
		switch {
		case errors.Is(err, unix.EINTR):
		case errors.Is(err, unix.EAGAIN):
			return n, nil
		case err != nil:
			return n, fmt.Errorf("hearing who opens a decoy: %w", err)
		default:
			n += got / unix.SizeofInotifyEvent
		}
	}
}
