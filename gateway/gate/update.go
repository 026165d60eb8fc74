package gate

import (
	"context"
	"errors"
	"maps"
	"math"
	"slices"
)

// MaxRevision is the newest revision that there can be: no update could follow
// the largest number.
const MaxRevision = math.MaxUint64 - 1

// Update names every tool that is revoked from now on; all others of the
// original set are restored. The zero value is invalid.
type Update struct {
	Revision uint64   // above every one before; the first may be 1
	Revoked  []string // in any order, none twice; empty restores every tool
}

// Update replaces the list of revoked tools. A nil error acknowledges it: no
// call admitted before is inside, the revision is durable if the gate is
// persistent, and calls see the new list.
//
// Any error leaves admission closed, and is a *Refusal or holds one. The
// context bounds the wait for earlier updates and for admitted calls, not that
// for the disk. An update that was valid at its turn has used up its revision,
// acknowledged or not. An invalid one, or one whose context ended before its
// turn, has not. Each change is written before it counts; after NotDurable a
// restart may find the state from before the failure or the one after it.
func (g *Gate) Update(ctx context.Context, u Update) error {
	return g.update(ctx, u, nil)
}

// UpdateJSON is Update of what ParseUpdate reads. A text that it refuses
// closes admission like any other invalid update.
func (g *Gate) UpdateJSON(ctx context.Context, text []byte) error {
	u, err := ParseUpdate(text)
	return g.update(ctx, u, err)
}

func (g *Gate) update(ctx context.Context, u Update, invalid error) error {
	t := g.lineUp()
	if err := g.await(ctx, t); err != nil {
		return err
	}
	return g.carryOut(ctx, t, u, invalid)
}

// carryOut does an update whose turn it is.
func (g *Gate) carryOut(ctx context.Context, t *turn, u Update, invalid error) error {
	if err := g.take(u, invalid); err != nil {
		next := &rule{closed: true, revoked: g.rule.revoked}
		if g.weakness.OpenOnInvalid {
			next = g.rule
		}
		return g.finish(next, err)
	}
	next := &rule{closed: true, revoked: set(u.Revoked)}
	// Written before the wait, as closed: a crash from here on neither brings
	// the older revision back nor opens for what was not acknowledged.
	if err := g.save(g.record(next)); err != nil {
		return g.finish(next, err)
	}
	if err := g.drain(ctx, t); err != nil {
		return g.finish(next, err)
	}
	return g.finish(&rule{revoked: next.revoked}, nil)
}

// take uses up the revision of a valid update. Only the update whose turn it
// is writes g.known and g.rule, and so may read them without the lock.
func (g *Gate) take(u Update, invalid error) error {
	if invalid == nil {
		if code := g.judge(u); code != "" {
			invalid = refuse(code, nil)
		}
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	switch {
	case g.shut:
		return refuse(Closed, nil)
	case invalid != nil:
		return invalid
	}
	g.known = u.Revision
	return nil
}

func (g *Gate) judge(u Update) Code {
	switch {
	case u.Revision > MaxRevision:
		return Overflow
	case g.weakness.StaleAccepted:
	case u.Revision == 0 || u.Revision < g.known:
		return Stale
	case u.Revision == g.known:
		return Repeated
	}
	seen := make(map[string]bool)
	for _, tool := range u.Revoked {
		switch {
		case !g.tools[tool]:
			return UnknownTool
		case seen[tool]:
			return DuplicateTool
		}
		seen[tool] = true
	}
	return ""
}

// drain waits until no call is inside. Where that is so already the context
// does not count.
func (g *Gate) drain(ctx context.Context, t *turn) error {
	if g.weakness.NoDrain {
		return nil
	}
	select {
	case <-t.drained:
		return nil
	default:
	}
	select {
	case <-t.drained:
		return nil
	case <-ctx.Done():
		return refuse(Expired, ctx.Err())
	}
}

// finish puts the next rule in force once the state file has it, and ends the
// turn. An update that was abandoned during the write may close the state
// after all, hence the loop.
func (g *Gate) finish(next *rule, failed error) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	for {
		want := g.record(next)
		want.Closed = want.Closed || slices.ContainsFunc(g.queue, waiting.abandoned)
		if g.saved(want) {
			break
		}
		g.mu.Unlock()
		err := g.save(want)
		g.mu.Lock()
		if err != nil {
			next, failed = &rule{closed: true, revoked: next.revoked}, both(failed, err)
			break
		}
	}
	g.rule = next
	g.advance()
	return failed
}

func both(first, second error) error {
	if first == nil {
		return second
	}
	return errors.Join(first, second)
}

// record is what the state file says of a rule at the known revision.
func (g *Gate) record(r *rule) record {
	return record{Revision: g.known, Closed: r.closed, Revoked: slices.Sorted(maps.Keys(r.revoked))}
}

func (g *Gate) saved(r record) bool { return g.store == nil || g.store.holds(r) }

func (g *Gate) save(r record) error {
	if g.store == nil {
		return nil
	}
	if err := g.store.write(r); err != nil {
		return refuse(NotDurable, err)
	}
	return nil
}
