package observers

import (
	"errors"
	"io"
	"net"
	"sync"
	"syscall"
	"time"

	"postern/observers/canary"
)

var errBudget = errors.New("the observer has read all that it may")

// tap is a connection that is searched as it is read.
type tap struct {
	net.Conn
	door *door

	mu     sync.Mutex
	stream *canary.Stream
	whole  bool // the peer's end was reached
	over   bool // finished: counted and closed
}

// Read searches what it returns.
func (t *tap) Read(p []byte) (int, error) {
	n, err := t.Conn.Read(p)
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.over {
		return 0, net.ErrClosed
	}
	t.stream.Write(p[:n])
	if n > 0 && !t.door.spend(n) {
		return n, errBudget
	}
	if t.ended(err) {
		t.whole = true
		return n, io.EOF
	}
	return n, err
}

// ended reports whether all that the peer sent was read. A unix socket says
// "reset" when the peer did not read our answer; it loses nothing of its own.
func (t *tap) ended(err error) bool {
	_, unix := t.Conn.(*net.UnixConn)
	return errors.Is(err, io.EOF) || unix && errors.Is(err, syscall.ECONNRESET)
}

// Close reads the connection to its end, then counts and closes it. It waits
// for the peer, until the door cuts it short.
func (t *tap) Close() error {
	t.Conn.SetReadDeadline(time.Time{})
	buf := make([]byte, 32<<10)
	for {
		if _, err := t.Read(buf); err != nil {
			return t.finish()
		}
	}
}

// finish counts the connection once: a drop, if its end was not reached.
func (t *tap) finish() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.over {
		return nil
	}
	t.over = true
	err := t.Conn.Close()
	if !t.whole {
		t.door.book.lost(1)
	}
	t.door.book.read(t.stream.Bytes(), t.stream.Sightings())
	t.door.change(func() { delete(t.door.open, t) })
	<-t.door.seats
	return err
}
