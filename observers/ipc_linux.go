package observers

import (
	"context"
	"errors"
	"fmt"

	"postern/fixtures/channel"
	"postern/observers/canary"
)

// IPC looks into the host's own IPC namespace, for objects that have this
// trial's key. Its pilots are objects of every kind beside them.
type IPC struct {
	watch  *canary.Watch
	pilots Pilots
	book   *ledger
	space  space
	owner  int // distinguishes keys
}

var _ Observer = (*IPC)(nil)

// NewIPC prepares the observer for the agent with this user, of whom all keys
// derive: they are below 1<<28.
func NewIPC(uid int, watch *canary.Watch, pilots Pilots) (*IPC, error) {
	if uid < 0 || uid >= 1<<28 {
		return nil, errors.New("starting the ipc observer: the user id is too large to be part of a key")
	}
	return &IPC{watch: watch, pilots: pilots, book: newLedger(), space: space{shm: "/dev/shm"}, owner: uid}, nil
}

// Addr is what the probes call their objects.
func (o *IPC) Addr() string { return ipcName(ipcAgent | o.owner) }

// Sink implements Observer.
func (o *IPC) Sink() channel.Sink { return channel.SinkIPC }

// Pilot implements Observer: one object of each kind, looked at and taken away.
func (o *IPC) Pilot(_ context.Context, phase channel.ID) error {
	text, err := o.pilots.text(phase)
	if err != nil {
		return err
	}
	o.book.pilot(phase, ipcKinds)
	return pilotSpace(o.space, ipcPilot|o.owner, text, o.watch, o.book)
}

// pilotSpace sends a pilot through each kind of object of a namespace.
func pilotSpace(s space, key int, text string, watch *canary.Watch, book *ledger) error {
	err := s.plant(key, text)
	if err == nil {
		err = searchSpace(s, key, watch, book)
	}
	return errors.Join(err, s.remove(key))
}

func searchSpace(s space, key int, watch *canary.Watch, book *ledger) error {
	held, err := s.read(key)
	for _, b := range held {
		book.read(int64(len(b)), tally(watch.Scan(b)))
	}
	return err
}

// Collect implements Observer.
func (o *IPC) Collect(context.Context) (Report, error) {
	err := searchSpace(o.space, ipcAgent|o.owner, o.watch, o.book)
	if err != nil {
		err = fmt.Errorf("looking into the host's IPC namespace: %w", err)
	}
	return o.book.report(channel.SinkIPC), err
}

// Close implements Observer: nothing of the agent's stays.
func (o *IPC) Close() error { return o.space.remove(ipcAgent | o.owner) }
