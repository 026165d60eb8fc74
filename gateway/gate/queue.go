package gate

import (
	"context"
	"slices"
)

// waiting is one place in the queue: a call or an update.
type waiting struct {
	call   *ticket
	update *turn
}

func (w waiting) abandoned() bool { return w.update != nil && w.update.abandoned }

// turn is one update at the gate.
type turn struct {
	start     chan struct{} // closed when its turn comes
	drained   chan struct{} // closed when, after that, no call is inside
	abandoned bool          // its context ended before its turn: it closes admission there
}

// lineUp takes a place for an update. From now on calls queue.
func (g *Gate) lineUp() *turn {
	g.mu.Lock()
	defer g.mu.Unlock()
	t := &turn{start: make(chan struct{}), drained: make(chan struct{})}
	if g.active == nil {
		g.begin(t)
	} else {
		g.queue = append(g.queue, waiting{update: t})
	}
	return t
}

// begin makes it an update's turn. Nothing is admitted until it ends, so that
// the calls inside can only become fewer. g.mu is held.
func (g *Gate) begin(t *turn) {
	g.active = t
	close(t.start)
	if g.inside == 0 {
		close(t.drained)
	}
}

// await waits for an update's turn. If the context ends first the update
// keeps its place, so that calls behind it find admission closed.
func (g *Gate) await(ctx context.Context, t *turn) error {
	select {
	case <-t.start:
		return nil
	case <-ctx.Done():
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.active == t {
		return nil
	}
	t.abandoned = true
	return refuse(Expired, ctx.Err())
}

// advance ends the active update's turn: calls behind it are judged in order,
// up to the next update, whose turn it is then. g.mu is held.
func (g *Gate) advance() {
	g.active = nil
	for len(g.queue) > 0 {
		w := g.queue[0]
		g.queue = slices.Delete(g.queue, 0, 1)
		switch {
		case w.call != nil:
			g.admit(w.call)
		case w.abandoned():
			g.rule = &rule{closed: true, revoked: g.rule.revoked}
		default:
			g.begin(w.update)
			return
		}
	}
}
