package observers

import (
	"context"
	"encoding/hex"
	"errors"
	"io"
	"net"
	"sync"

	"postern/fixtures/channel"
	"postern/observers/canary"
)

const (
	maxShred   = 1    // bytes of a connection that is part of a row
	maxWaiting = 4096 // shreds that came before the one whose turn it is
)

// NewShreds listens for connections of one byte and puts those bytes in the
// order in which the connections were made.
func NewShreds(watch *canary.Watch, pilots Pilots) (*Protocol, error) {
	o := &Protocol{sink: channel.SinkShreds, book: newLedger(), say: shred}
	s := &shreds{watch: watch, book: o.book, waiting: map[int][]byte{}}
	o.hear = func(n int, c net.Conn) { s.put(n, s.read(c)) }
	return o.listen(watch, pilots)
}

// shreds is the row of bytes.
type shreds struct {
	watch *canary.Watch
	book  *ledger

	mu      sync.Mutex
	next    int            // the connection whose turn it is
	waiting map[int][]byte // of those after it that have ended
	row     latest
}

// read returns the byte of a connection, or nothing where it has more.
func (s *shreds) read(c net.Conn) []byte {
	var buf [maxShred + 1]byte
	n, _ := io.ReadFull(c, buf[:])
	if n > maxShred {
		return nil // the door searches it whole
	}
	return buf[:n]
}

func (s *shreds) put(n int, b []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.waiting) >= maxWaiting {
		s.book.lost(1) // one that never ends holds up the rest
		return
	}
	s.waiting[n] = b
	for {
		b, ok := s.waiting[s.next]
		if !ok {
			return
		}
		delete(s.waiting, s.next)
		s.next++
		s.book.found(s.row.push(s.watch, b...))
	}
}

// shred says a text, one byte a connection.
func shred(ctx context.Context, address, text string) error {
	raw, err := hex.DecodeString(text)
	if err != nil {
		return errors.New("it is no row of bytes")
	}
	for _, b := range raw {
		if err := sendTo(ctx, "tcp4", address, []byte{b}); err != nil {
			return err
		}
	}
	return nil
}
