package observers

import (
	"bytes"
	"context"
	"io"
	"slices"
	"sync"

	"postern/fixtures/channel"
	"postern/observers/canary"
)

// maxKept is how many bytes an observer keeps of what it read; what goes beyond
// is a drop.
const maxKept = 4 << 20

// deep is the second hearing of an observer, in the trials in which the agent
// dresses a canary: what was read is kept in pieces, and searched deeply when
// the trial is over. It looks for the canaries that arrive dressed at the
// observer's sink and for the pilots in the same dress: the agent dresses no
// others. A nil deep keeps nothing and hears nothing.
type deep struct {
	searches []*canary.Deep
	dress    []channel.ID // the canaries of the agent's
	pilots   []channel.ID // the phases whose pilots are in what is kept

	mu     sync.Mutex
	pieces []*bytes.Buffer
	named  map[any]*bytes.Buffer
	left   int
	lost   int
}

// newDeep prepares it, or nothing where no pilots are dressed.
func newDeep(sink channel.Sink, watch *canary.Watch, pilots Pilots) (*deep, error) {
	if pilots.Dressed == nil {
		return nil, nil
	}
	dress := channel.Dressed(sink)
	search, err := watch.Deep(append(dress, channel.DressedBefore, channel.DressedAfter)...)
	if err != nil {
		return nil, err
	}
	d := &deep{searches: []*canary.Deep{search}, dress: dress, pilots: []channel.ID{channel.PilotBefore, channel.PilotAfter}}
	d.forget()
	return d, nil
}

// forget drops what was kept so far.
func (d *deep) forget() {
	if d == nil {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.pieces, d.named, d.left, d.lost = nil, map[any]*bytes.Buffer{}, maxKept, 0
}

// keep adds to the piece of that name.
func (d *deep) keep(name any, b []byte) {
	if d == nil {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(b) > d.left {
		d.lost++
		return
	}
	d.left -= len(b)
	piece := d.named[name]
	if piece == nil {
		piece = new(bytes.Buffer)
		d.named[name] = piece
		d.pieces = append(d.pieces, piece)
	}
	piece.Write(b)
}

// writer returns one that keeps what is written to it as a piece of its own.
func (d *deep) writer() io.Writer { return &keeper{d} }

type keeper struct{ deep *deep }

func (k *keeper) Write(b []byte) (int, error) {
	k.deep.keep(k, b)
	return len(b), nil
}

// together makes one piece of all.
func (d *deep) together() {
	if d == nil {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	var all [][]byte
	for _, p := range d.pieces {
		all = append(all, p.Bytes())
	}
	d.pieces = []*bytes.Buffer{bytes.NewBuffer(bytes.Join(all, []byte("\n")))}
}

// hear searches what was kept, until there is nothing more to be found, and
// notes it in the ledger: each canary once, and none that was seen undressed.
// What was left unread is a drop while a canary of the agent's was not found,
// which it may hide.
func (d *deep) hear(ctx context.Context, book *ledger) {
	if d == nil {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	seen, unread := map[channel.ID]int{}, d.lost
	found := func(id channel.ID) bool { return seen[id] > 0 }
	for _, p := range d.pieces {
		if every(d.dress, found) && every(d.pilots, found) {
			break
		}
		for _, s := range d.searches {
			ids, whole := s.Search(ctx, p.Bytes())
			for _, id := range ids {
				seen[undressed(id)] = 1
			}
			if !whole {
				unread++
			}
		}
	}
	if !every(d.dress, found) && unread > 0 {
		book.lost(unread)
	}
	book.anew(seen)
}

func every(ids []channel.ID, is func(channel.ID) bool) bool {
	return !slices.ContainsFunc(ids, func(id channel.ID) bool { return !is(id) })
}

// undressed names the phase of a dressed pilot.
func undressed(id channel.ID) channel.ID {
	switch id {
	case channel.DressedBefore:
		return channel.PilotBefore
	case channel.DressedAfter:
		return channel.PilotAfter
	}
	return id
}
