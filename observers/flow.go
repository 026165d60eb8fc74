package observers

import (
	"net/netip"
	"slices"
	"sync"

	"postern/fixtures/channel"
	"postern/observers/canary"
)

// maxFlows bounds what an observer remembers of senders; one more is a drop.
const maxFlows = 4096

// flows remembers something of each sender, of as many as it may.
type flows[K comparable, T any] struct {
	mu  sync.Mutex
	all map[K]*T
}

func newFlows[K comparable, T any]() *flows[K, T] { return &flows[K, T]{all: map[K]*T{}} }

// with hands what is remembered of a sender to a function, one at a time. It
// reports whether there was room for that sender.
func (f *flows[K, T]) with(key K, use func(*T)) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	t, known := f.all[key]
	if !known {
		if len(f.all) >= maxFlows {
			return false
		}
		t = new(T)
		f.all[key] = t
	}
	use(t)
	return true
}

// forget makes room.
func (f *flows[K, T]) forget(key K) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.all, key)
}

// sender is the other end of a socket.
type sender struct {
	network string
	at      netip.AddrPort
}

// latest is the end of a row of numbers, as long as a canary.
type latest [canary.Size]byte

// push appends bytes and reports what the row then holds: a canary is seen
// when its last byte comes, and only then.
func (l *latest) push(w *canary.Watch, b ...byte) map[channel.ID]int {
	if len(b) == 0 {
		return nil // what is there was seen when it came
	}
	b = b[max(0, len(b)-len(l)):]
	copy(l[:], l[len(b):])
	copy(l[len(l)-len(b):], b)
	return l.filled(w)
}

// nibble appends four bits.
func (l *latest) nibble(w *canary.Watch, n byte) map[channel.ID]int {
	for i := range l {
		l[i] <<= 4
		if i+1 < len(l) {
			l[i] |= l[i+1] >> 4
		}
	}
	l[len(l)-1] |= n & 15
	return l.filled(w)
}

// filled is whose canary the row is. One that shows in a part of it, as where its
// bits begin within a byte, is whole after the next numbers, or was before.
func (l *latest) filled(w *canary.Watch) map[channel.ID]int {
	return tally(slices.DeleteFunc(w.Scan(l[:]), func(h canary.Hit) bool { return h.Length < len(l) }))
}

// together adds up sightings.
func together(all ...map[channel.ID]int) map[channel.ID]int {
	sum := map[channel.ID]int{}
	for _, seen := range all {
		for id, n := range seen {
			sum[id] += n
		}
	}
	return sum
}
