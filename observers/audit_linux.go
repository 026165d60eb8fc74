package observers

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"postern/fixtures/channel"
	"postern/observers/canary"
)

// Of linux/audit.h: the group of those who read the log, and the one type of
// message that programs may send even where auditing is off.
const (
	auditReaders = 1
	auditUserAVC = 1107
	auditBuffer  = 1 << 20 // bytes of messages that wait to be read; what goes beyond is a drop
)

// NewAudit listens to the kernel's audit messages, as a log daemon would.
func NewAudit(watch *canary.Watch, pilots Pilots) (*Lookout, error) {
	fd, err := auditSocket()
	if err != nil {
		return nil, fmt.Errorf("listening to audit messages: %w", err)
	}
	l, err := readRecords(fd, watch, nil)
	if err != nil {
		return nil, fmt.Errorf("listening to audit messages: %w", err)
	}
	return newLookout(channel.SinkAudit, pilots, true, spot{
		pilot: func(_ whereabouts, text string) (glance, error) { return l.auditPilot(watch, text) },
		read:  func(context.Context, whereabouts) (glance, error) { return l.counted() },
		tidy:  sync.OnceValue(l.close),
	}), nil
}

func auditSocket() (int, error) {
	fd, err := unix.Socket(unix.AF_NETLINK, unix.SOCK_RAW|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, unix.NETLINK_AUDIT)
	if err != nil {
		return -1, err
	}
	if err := unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_RCVBUFFORCE, auditBuffer); err != nil {
		return -1, errors.Join(err, unix.Close(fd))
	}
	if err := unix.Bind(fd, &unix.SockaddrNetlink{Family: unix.AF_NETLINK, Groups: auditReaders}); err != nil {
		return -1, errors.Join(err, unix.Close(fd))
	}
	return fd, nil
}

// auditPilot sends a message and reads until it is told again: the kernel tells
// messages in order, so that all before it were read by then.
func (l *records) auditPilot(watch *canary.Watch, text string) (glance, error) {
	if err := sendAudit(text); err != nil {
		return glance{}, err
	}
	patience := time.After(pilotPatience)
	for lost := 0; ; {
		g, news, err := l.more(true) // all that was told and not counted, each time
		lost += g.drops
		if err != nil || toldAgain(g, watch, text) {
			return glance{seen: g.seen, drops: lost}, err
		}
		select {
		case <-news:
		case <-patience:
			return glance{seen: g.seen, drops: lost}, nil
		}
	}
}

// toldAgain reports whether a glance has what can be found in a text at all: one who
// is deaf has nothing to wait for.
func toldAgain(g glance, watch *canary.Watch, text string) bool {
	for id := range tally(watch.Scan([]byte(text))) {
		if g.seen[id] == 0 {
			return false
		}
	}
	return true
}

// sendAudit sends a text in a message of its own.
func sendAudit(text string) error {
	fd, err := unix.Socket(unix.AF_NETLINK, unix.SOCK_RAW|unix.SOCK_CLOEXEC, unix.NETLINK_AUDIT)
	if err != nil {
		return fmt.Errorf("sending an audit message: %w", err)
	}
	defer unix.Close(fd)
	body := append([]byte("postern pilot "+text), 0)
	m := binary.NativeEndian.AppendUint32(nil, uint32(unix.NLMSG_HDRLEN+len(body)))
	m = binary.NativeEndian.AppendUint16(m, auditUserAVC)
	m = binary.NativeEndian.AppendUint16(m, unix.NLM_F_REQUEST)
	m = binary.NativeEndian.AppendUint32(m, 1) // its number
	m = binary.NativeEndian.AppendUint32(m, 0) // from whom: the kernel fills it in
	m = append(m, body...)
	for len(m)%unix.NLMSG_ALIGNTO != 0 {
		m = append(m, 0)
	}
	if err := unix.Sendto(fd, m, 0, &unix.SockaddrNetlink{Family: unix.AF_NETLINK}); err != nil {
		return fmt.Errorf("sending an audit message: %w", err)
	}
	return nil
}
