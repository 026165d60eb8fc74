package observers

import (
	"encoding/binary"
	"errors"
	"fmt"
	"runtime"
	"slices"

	"golang.org/x/sys/unix"

	"postern/fixtures/channel"
	"postern/observers/canary"
)

// SessionKeyring reads the keys of a session that it makes for those whom it lets
// start inside: session-keyring(7). A session is its thread's, so it keeps one.
type SessionKeyring struct {
	*Kept
	inside chan func()
}

// NewSessionKeyring makes a session without a key. Its pilots are keys.
func NewSessionKeyring(sink channel.Sink, watch *canary.Watch, pilots Pilots) (*SessionKeyring, error) {
	o := &SessionKeyring{inside: make(chan func())}
	o.Kept = &Kept{
		sink: sink, pilots: pilots, book: newLedger(),
		put: func(phase channel.ID, text string) error {
			return o.Inside(func() error {
				_, err := unix.AddKey("user", string(phase), []byte(text), unix.KEY_SPEC_SESSION_KEYRING)
				return err
			})
		},
		read: func() (g glance, err error) {
			err = o.Inside(func() error { return readSession(&g, watch) })
			return g, err
		},
	}
	go o.live()
	err := o.Inside(func() error {
		_, err := unix.KeyctlInt(unix.KEYCTL_JOIN_SESSION_KEYRING, 0, 0, 0, 0)
		return err
	})
	if err != nil {
		return nil, errors.Join(fmt.Errorf("starting the %s observer: %w", sink, err), o.Close())
	}
	return o, nil
}

// live does what is to be done inside. The thread ends with it, and the session
// with those who are in it.
func (o *SessionKeyring) live() {
	runtime.LockOSThread() // never unlocked
	for work := range o.inside {
		work()
	}
}

// Inside does something in the session; what is started there stays in it.
func (o *SessionKeyring) Inside(work func() error) error {
	done := make(chan error, 1)
	o.inside <- func() { done <- work() }
	return <-done
}

// Close implements Observer.
func (o *SessionKeyring) Close() error {
	if o.inside != nil {
		close(o.inside)
		o.inside = nil
	}
	return nil
}

func readSession(g *glance, watch *canary.Watch) error {
	ids, err := readKey(unix.KEY_SPEC_SESSION_KEYRING)
	if err != nil {
		return err
	}
	for id := range slices.Chunk(ids[:len(ids)&^3], 4) {
		body, err := readKey(int(int32(binary.NativeEndian.Uint32(id))))
		if err != nil {
			g.drops++ // there is a key, and nobody may read it
			continue
		}
		g.see(watch, body)
	}
	return nil
}
