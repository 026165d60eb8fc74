package observers

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"sync"
	"time"

	"postern/fixtures/channel"
	"postern/observers/canary"
)

const (
	maxDatagram = 65535
	mailboxSize = 16 << 20 // bytes of kernel buffer asked for
	oobSize     = 128      // room for three numbers
	fenceAgain  = 50 * time.Millisecond
)

// mailbox is a UDP socket whose datagrams are searched as they are read,
// before anyone else sees them, and whose losses are counted.
type mailbox struct {
	*net.UDPConn
	watch *canary.Watch
	book  *ledger
	more  func(l letter) map[channel.ID]int // sightings beyond those in the body itself; may be nil
	reach func() (*net.UDPConn, error)      // connects to it a last time
	oob   [oobSize]byte                     // for the one goroutine that reads

	mu     sync.Mutex
	drops  uint32                           // the kernel's count so far
	fences map[netip.AddrPort]chan struct{} // closed when an empty datagram from there was read
}

// letter is one datagram. It is valid until the next is read.
type letter struct {
	from netip.AddrPort
	oob  []byte // control data of the kernel's
	body []byte
}

// newMailbox binds an address of this machine's.
func newMailbox(network, address string, watch *canary.Watch, book *ledger, more func(letter) map[channel.ID]int) (*mailbox, error) {
	at, err := net.ResolveUDPAddr(network, address)
	if err != nil {
		return nil, err
	}
	c, err := net.ListenUDP(network, at)
	if err != nil {
		return nil, err
	}
	m, err := mailboxOf(c, watch, book)
	if err != nil {
		return nil, err
	}
	m.more = more
	return m, nil
}

// mailboxOf makes one of a socket, which it closes when it fails.
func mailboxOf(c *net.UDPConn, watch *canary.Watch, book *ledger) (*mailbox, error) {
	if err := countDrops(c, mailboxSize); err != nil {
		c.Close()
		return nil, fmt.Errorf("counting lost datagrams: %w", err)
	}
	m := &mailbox{UDPConn: c, watch: watch, book: book, fences: map[netip.AddrPort]chan struct{}{}}
	m.reach = func() (*net.UDPConn, error) { return net.DialUDP("udp", nil, c.LocalAddr().(*net.UDPAddr)) }
	return m, nil
}

// ReadFrom reads one datagram and searches it. A full buffer is a datagram
// cut short: a drop.
func (m *mailbox) ReadFrom(p []byte) (int, net.Addr, error) {
	n, oobn, _, from, err := m.ReadMsgUDPAddrPort(p, m.oob[:])
	if err != nil {
		return n, nil, err
	}
	if total, ok := dropCount(m.oob[:oobn]); ok {
		m.dropped(total)
	}
	if n == 0 && m.fenced(from) {
		return 0, net.UDPAddrFromAddrPort(from), nil
	}
	seen := tally(m.watch.Scan(p[:n]))
	m.book.read(int64(n), seen)
	if m.more != nil {
		m.book.found(beyond(m.more(letter{from, m.oob[:oobn], p[:n]}), seen))
	}
	if n == len(p) {
		m.book.lost(1)
	}
	return n, net.UDPAddrFromAddrPort(from), nil
}

// dropped takes the kernel's running count of lost datagrams, which comes with
// the next one that is not lost.
func (m *mailbox) dropped(total uint32) {
	m.mu.Lock()
	lost := total - m.drops // wraps as the counter does
	m.drops = total
	m.mu.Unlock()
	m.book.lost(int(lost))
}

func (m *mailbox) fenced(from netip.AddrPort) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	up, ok := m.fences[netip.AddrPortFrom(from.Addr().Unmap(), from.Port())]
	if ok {
		close(up)
		delete(m.fences, netip.AddrPortFrom(from.Addr().Unmap(), from.Port()))
	}
	return ok
}

// settle waits until everything that was sent so far has been read: the
// queue is in order, so it sends an empty datagram and waits for that. It
// also brings the count of losses.
func (m *mailbox) settle(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, collectPatience)
	defer cancel()
	c, err := m.reach()
	if err != nil {
		return fmt.Errorf("closing a datagram socket: reaching it a last time: %w", err)
	}
	defer c.Close()
	own := c.LocalAddr().(*net.UDPAddr).AddrPort()
	up := make(chan struct{})
	m.mu.Lock()
	m.fences[netip.AddrPortFrom(own.Addr().Unmap(), own.Port())] = up
	m.mu.Unlock()
	for {
		if _, err := c.Write(nil); err != nil {
			return fmt.Errorf("closing a datagram socket: reaching it a last time: %w", err)
		}
		select {
		case <-up:
			return nil
		case <-time.After(fenceAgain): // it may have been dropped itself
		case <-ctx.Done():
			m.book.lost(1) // at least one datagram was never read
			return nil
		}
	}
}
