package gate

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
)

// Callers and an operator on real threads, for the race detector. Once a
// revocation is acknowledged no call of the tool is inside, until the update
// that restores it is sent.
func TestNoCallIsInsideAfterItsToolWasRevoked(t *testing.T) {
	g := open(t, Options{})
	ctx, stop := context.WithCancel(t.Context())
	var inside, admitted, refused atomic.Int64
	var callers sync.WaitGroup
	for i := range 8 {
		callers.Go(func() {
			tool := []string{publish, publish, publish, deliver}[i%4]
			for ctx.Err() == nil {
				leave, err := g.Enter(ctx, tool)
				if err != nil {
					refused.Add(1)
					continue
				}
				admitted.Add(1)
				if tool == publish {
					inside.Add(1)
					inside.Add(-1)
				}
				leave()
				leave()
			}
		})
	}
	for revision := uint64(1); revision < 2000 || min(admitted.Load(), refused.Load()) < 1000; revision += 2 {
		update(t, g, revision, publish)
		before := inside.Load()
		leave, err := g.Enter(ctx, deliver)
		if err != nil {
			t.Fatalf("revision %d: %v", revision, err)
		}
		leave()
		if before != 0 || inside.Load() != 0 {
			t.Fatalf("revision %d: a call of a revoked tool is inside", revision)
		}
		update(t, g, revision+1)
	}
	stop()
	callers.Wait()
	if got := g.Status(); got.Inside != 0 || got.Queued != 0 || got.Updating {
		t.Errorf("at rest: %+v", got)
	}
}

// Operators who do not know of each other: of each revision at most one
// update is acknowledged, and admission ends as the last in order left it.
func TestOfEachRevisionOneUpdateIsAcknowledged(t *testing.T) {
	g := open(t, Options{Path: statePath(t), Create: true})
	const revisions = 50
	var acknowledged [revisions + 1]atomic.Int64
	var operators sync.WaitGroup
	for range 4 {
		operators.Go(func() {
			for revision := range uint64(revisions) {
				if g.Update(t.Context(), Update{Revision: revision + 1}) == nil {
					acknowledged[revision+1].Add(1)
				}
				call(g, deliver)
			}
		})
	}
	operators.Wait()
	for revision := range acknowledged {
		if got := acknowledged[revision].Load(); got > 1 {
			t.Errorf("revision %d was acknowledged %d times", revision, got)
		}
	}
	if got := acknowledged[revisions].Load(); got != 1 {
		t.Errorf("the last revision was acknowledged %d times, want 1", got)
	}
}
