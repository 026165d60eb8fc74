package observers

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	"postern/observers/canary"
)

const (
	doorBytes   = 256 << 20 // searched by one observer in one trial; what goes beyond is a drop
	doorGuests  = 512       // connections open at once; the rest wait in the kernel's queue
	acceptPause = 10 * time.Millisecond
)

// door is a listener all of whose connections are searched from the first
// byte to the last, whoever reads them: closing one reads what is left.
type door struct {
	net.Listener
	watch *canary.Watch
	book  *ledger
	seats chan struct{}

	mu     sync.Mutex
	left   int64 // of doorBytes
	open   map[*tap]struct{}
	passed map[string]bool // remote addresses accepted since the fence went up; nil before
	news   chan struct{}   // closed and replaced when open or passed changes
}

func newDoor(l net.Listener, watch *canary.Watch, book *ledger) *door {
	return &door{Listener: l, watch: watch, book: book, left: doorBytes,
		seats: make(chan struct{}, doorGuests), open: map[*tap]struct{}{}, news: make(chan struct{})}
}

// Accept returns the next connection. It goes on after any failure but the
// end of the listener; a failure may have cost a connection.
func (d *door) Accept() (net.Conn, error) {
	d.seats <- struct{}{}
	for {
		c, err := d.Listener.Accept()
		if err == nil {
			return d.admit(c), nil
		}
		if errors.Is(err, net.ErrClosed) {
			<-d.seats
			return nil, err
		}
		d.book.lost(1)
		time.Sleep(acceptPause) // as net/http does: the usual cause is a lack of descriptors
	}
}

func (d *door) admit(c net.Conn) *tap {
	t := &tap{Conn: c, door: d, stream: d.watch.Stream()}
	d.change(func() {
		d.open[t] = struct{}{}
		if d.passed != nil {
			d.passed[c.RemoteAddr().String()] = true
		}
	})
	return t
}

func (d *door) change(f func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	f()
	close(d.news)
	d.news = make(chan struct{})
}

// spend takes n bytes of the observer's total and reports whether they fit.
func (d *door) spend(n int) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.left -= int64(n)
	return d.left >= 0
}

func (d *door) until(ctx context.Context, done func() bool) error {
	for {
		d.mu.Lock()
		ok, news := done(), d.news
		d.mu.Unlock()
		if ok {
			return nil
		}
		select {
		case <-news:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// settle accepts what the kernel still holds, closes the listener, and waits
// for every connection to end. What does not end in time is cut and is a drop.
// dial opens the fence: connections are accepted in order, so that once it is
// accepted all that came before are too.
func (d *door) settle(ctx context.Context, dial func(context.Context) (net.Conn, error)) error {
	ctx, cancel := context.WithTimeout(ctx, collectPatience)
	defer cancel()
	d.change(func() { d.passed = map[string]bool{} })
	fence, err := dial(ctx)
	if err != nil {
		return fmt.Errorf("closing a listener: reaching it a last time: %w", err)
	}
	defer fence.Close()
	own := fence.LocalAddr().String()
	if d.until(ctx, func() bool { return d.passed[own] }) == nil {
		d.book.count(-1, 0) // the fence is no unit
	} else {
		d.book.lost(1) // at least one connection was never accepted
	}
	fence.Close()
	d.Listener.Close()
	if d.until(ctx, func() bool { return len(d.open) == 0 }) != nil {
		d.cut()
	}
	return nil
}

// cut ends the connections that are still open.
func (d *door) cut() {
	d.mu.Lock()
	var rest []*tap
	for t := range d.open {
		rest = append(rest, t)
	}
	d.mu.Unlock()
	for _, t := range rest {
		t.finish()
	}
}
