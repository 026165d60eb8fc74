package observers

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"

	"golang.org/x/sys/unix"

	"postern/fixtures/channel"
	"postern/observers/canary"
)

// NewKeyring reads the keyring that all processes of one user share, as that
// user, on the host: user-keyring(7). Its pilots are keys of that user's.
func NewKeyring(uid int, watch *canary.Watch, pilots Pilots) (*Lookout, error) {
	read := func() (g glance, err error) { return readKeyring(watch) }
	return newLookout(channel.SinkKeyring, pilots, true, spot{
		pilot: func(_ whereabouts, text string) (g glance, err error) {
			err = asKeyholder(uid, func() error {
				id, err := unix.AddKey("user", "postern-pilot", []byte(text), unix.KEY_SPEC_USER_KEYRING)
				if err != nil {
					return fmt.Errorf("adding a key: %w", err)
				}
				g, err = read()
				_, unlinkErr := unix.KeyctlInt(unix.KEYCTL_UNLINK, id, unix.KEY_SPEC_USER_KEYRING, 0, 0)
				return errors.Join(err, unlinkErr)
			})
			return g, err
		},
		read: func(context.Context, whereabouts) (g glance, err error) {
			err = asKeyholder(uid, func() error { g, err = read(); return err })
			return g, err
		},
		tidy: func() error { return ClearKeyring(uid) },
	}), nil
}

// ClearKeyring takes all keys of a user's away: they outlive the processes that
// made them.
func ClearKeyring(uid int) error {
	return asKeyholder(uid, func() error {
		if _, err := unix.KeyctlInt(unix.KEYCTL_CLEAR, unix.KEY_SPEC_USER_KEYRING, 0, 0, 0); err != nil {
			return fmt.Errorf("clearing a keyring: %w", err)
		}
		return nil
	})
}

// asKeyholder works as a user who possesses its keyring. A key may be read by
// whoever possesses it, not by every process of its user.
func asKeyholder(uid int, work func() error) error {
	return apart(func() error {
		if err := asUser(uid); err != nil {
			return err
		}
		if _, err := unix.KeyctlInt(unix.KEYCTL_LINK, unix.KEY_SPEC_USER_KEYRING, unix.KEY_SPEC_THREAD_KEYRING, 0, 0); err != nil {
			return fmt.Errorf("taking hold of a keyring: %w", err)
		}
		return work()
	})
}

// readKeyring searches what keys are called and hold.
func readKeyring(watch *canary.Watch) (g glance, err error) {
	ids, err := readKey(unix.KEY_SPEC_USER_KEYRING)
	if err != nil {
		return g, fmt.Errorf("reading a keyring: %w", err)
	}
	for ; len(ids) >= 4; ids = ids[4:] {
		id := int(int32(binary.NativeEndian.Uint32(ids)))
		name, err := unix.KeyctlString(unix.KEYCTL_DESCRIBE, id)
		if err != nil {
			return g, fmt.Errorf("describing a key: %w", err)
		}
		g.see(watch, []byte(name))
		body, err := readKey(id)
		if err != nil {
			g.drops++ // there is a key, and nobody but its maker may read it
			continue
		}
		g.see(watch, body)
	}
	return g, nil
}

const maxKey = 64 << 10 // bytes; a user key holds half as much

func readKey(id int) ([]byte, error) {
	b := make([]byte, maxKey)
	n, err := unix.KeyctlBuffer(unix.KEYCTL_READ, id, b, 0)
	if err != nil {
		return nil, err
	}
	return b[:min(n, maxKey)], nil
}
