package gate

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// outcome is what became of something that waits.
type outcome struct {
	code  Code
	after time.Duration
	done  bool
}

// started is something that waits.
type started struct{ ended atomic.Pointer[outcome] }

// start runs f in the bubble as far as it goes by itself.
func start(f func() error) *started {
	s, began := &started{}, time.Now()
	go func() { s.ended.Store(&outcome{code: codeOf(f()), after: time.Since(began), done: true}) }()
	synctest.Wait()
	return s
}

// now is what became of it by now.
func (s *started) now() outcome {
	synctest.Wait()
	if o := s.ended.Load(); o != nil {
		return *o
	}
	return outcome{}
}

func (s *started) want(t *testing.T, what string, want outcome) {
	t.Helper()
	if got := s.now(); got != want {
		t.Errorf("%s: %+v, want %+v", what, got, want)
	}
}

func startUpdate(ctx context.Context, g *Gate, revision uint64, revoked ...string) *started {
	return start(func() error { return g.Update(ctx, Update{revision, revoked}) })
}

func startCall(ctx context.Context, g *Gate, tool string, stay time.Duration) *started {
	return start(func() error {
		leave, err := g.Enter(ctx, tool)
		if err == nil {
			time.Sleep(stay)
			leave()
		}
		return err
	})
}

func within(ctx context.Context, t *testing.T, d time.Duration) context.Context {
	ctx, cancel := context.WithTimeout(ctx, d)
	t.Cleanup(cancel)
	return ctx
}

func TestCutOverWaitsForTheCallInsideAndBlocksTheQueuedOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, ctx := open(t, Options{}), t.Context()
		inside := startCall(ctx, g, publish, time.Minute)
		revoking := startUpdate(ctx, g, 1, publish)
		queued, other := startCall(ctx, g, publish, 0), startCall(ctx, g, deliver, 0)
		time.Sleep(time.Minute - 1)
		for _, o := range []*started{inside, revoking, queued, other} {
			o.want(t, "before the call inside ended", outcome{})
		}
		time.Sleep(1)
		inside.want(t, "call inside", outcome{"", time.Minute, true})
		revoking.want(t, "update", outcome{"", time.Minute, true})
		queued.want(t, "queued call", outcome{Revoked, time.Minute, true})
		other.want(t, "queued call of another tool", outcome{"", time.Minute, true})
	})
}

func TestAnUpdateThatExpiresLeavesAdmissionClosed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, ctx := open(t, Options{}), t.Context()
		leave, err := g.Enter(ctx, deliver) // and never ends by itself
		if err != nil {
			t.Fatal(err)
		}
		first := startUpdate(within(ctx, t, 5*time.Second), g, 1, publish)
		queued := startCall(ctx, g, deliver, 0)
		time.Sleep(5 * time.Second)
		first.want(t, "update", outcome{Expired, 5 * time.Second, true})
		queued.want(t, "queued call", outcome{Closed, 5 * time.Second, true})
		wantCall(t, g, deliver, Closed)
		startUpdate(ctx, g, 1, publish).want(t, "the same revision", outcome{Repeated, 0, true})
		second := startUpdate(ctx, g, 2, publish)
		second.want(t, "newer update, with the call still inside", outcome{})
		leave()
		second.want(t, "newer update", outcome{"", 0, true})
		wantCall(t, g, deliver, "")
		wantCall(t, g, publish, Revoked)
	})
}

func TestAStreamOfCallsCannotStarveAnUpdate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := open(t, Options{})
		ctx, cancel := context.WithCancel(t.Context())
		for i := range 10 { // ten callers, so that some call is inside at any time
			go func() {
				time.Sleep(time.Duration(i) * 100 * time.Millisecond)
				for ctx.Err() == nil {
					if leave, err := g.Enter(ctx, deliver); err == nil {
						time.Sleep(time.Second)
						leave()
					}
				}
			}()
		}
		time.Sleep(10*time.Second + 50*time.Millisecond)
		for revision := range uint64(20) {
			o := startUpdate(ctx, g, revision+1)
			time.Sleep(time.Second)
			if got := o.now(); !got.done || got.code != "" {
				t.Errorf("update %d: %+v after the longest call there was", revision+1, got)
			}
		}
		cancel()
		time.Sleep(time.Second) // the callers end
	})
}

func TestUpdatesAndCallsAreServedInTheOrderOfArrival(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, ctx := open(t, Options{}), t.Context()
		leave, err := g.Enter(ctx, deliver)
		if err != nil {
			t.Fatal(err)
		}
		one := startUpdate(ctx, g, 1, publish)
		between := startCall(ctx, g, deliver, time.Second)
		barred := startCall(ctx, g, publish, 0)
		two := startUpdate(ctx, g, 2, deliver)
		last := startCall(ctx, g, publish, 0)
		invalid := startUpdate(ctx, g, 2)
		closed := startCall(ctx, g, publish, 0)
		leave()
		one.want(t, "first update", outcome{"", 0, true})
		barred.want(t, "call behind the first update", outcome{Revoked, 0, true})
		two.want(t, "second update, with a call of its own inside", outcome{})
		time.Sleep(time.Second)
		between.want(t, "call between", outcome{"", time.Second, true})
		two.want(t, "second update", outcome{"", time.Second, true})
		last.want(t, "call behind the second update", outcome{"", time.Second, true})
		invalid.want(t, "repeated update", outcome{Repeated, time.Second, true})
		closed.want(t, "call behind the repeated update", outcome{Closed, time.Second, true})
	})
}

func TestAnUpdateThatExpiresInTheQueueClosesAdmissionAtItsPlace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, ctx := open(t, Options{}), t.Context()
		leave, err := g.Enter(ctx, deliver)
		if err != nil {
			t.Fatal(err)
		}
		one := startUpdate(ctx, g, 1)
		before := startCall(ctx, g, deliver, 0)
		two := startUpdate(within(ctx, t, time.Second), g, 2)
		time.Sleep(time.Second)
		two.want(t, "update in the queue", outcome{Expired, time.Second, true})
		after := startCall(ctx, g, deliver, 0)
		leave()
		one.want(t, "update at its turn", outcome{"", time.Second, true})
		before.want(t, "call in front", outcome{"", time.Second, true})
		after.want(t, "call behind", outcome{Closed, 0, true})
		update(t, g, 2) // never had its turn, so the revision is still free
		wantCall(t, g, deliver, "")
	})
}

func TestACallMayGiveUpInTheQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, ctx := open(t, Options{}), t.Context()
		leave, err := g.Enter(ctx, deliver)
		if err != nil {
			t.Fatal(err)
		}
		pending := startUpdate(ctx, g, 1)
		impatient := startCall(within(ctx, t, time.Second), g, deliver, 0)
		time.Sleep(time.Second)
		impatient.want(t, "call", outcome{Canceled, time.Second, true})
		if got := g.Status(); got.Queued != 0 || got.Inside != 1 {
			t.Errorf("queued %d, inside %d, want 0 and 1", got.Queued, got.Inside)
		}
		leave()
		pending.want(t, "update", outcome{"", time.Second, true})
	})
}

// Entering again while inside is a mistake of the caller's. The update's
// context is what ends it.
func TestACallThatEntersAgainIsEndedByTheUpdatesContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, ctx := open(t, Options{}), t.Context()
		leave, err := g.Enter(ctx, deliver)
		if err != nil {
			t.Fatal(err)
		}
		pending := startUpdate(within(ctx, t, time.Second), g, 1)
		nested := startCall(ctx, g, deliver, 0)
		time.Sleep(time.Second)
		pending.want(t, "update", outcome{Expired, time.Second, true})
		nested.want(t, "nested call", outcome{Closed, time.Second, true})
		leave()
	})
}

func TestClosingEndsWhatWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, ctx := open(t, Options{Path: t.TempDir() + "/state", Create: true}), t.Context()
		leave, err := g.Enter(ctx, deliver)
		if err != nil {
			t.Fatal(err)
		}
		pending := startUpdate(ctx, g, 1)
		queued := startCall(ctx, g, deliver, 0)
		second := startUpdate(ctx, g, 2)
		if err := g.Close(); err != nil {
			t.Fatal(err)
		}
		queued.want(t, "queued call", outcome{Closed, 0, true})
		leave()
		pending.want(t, "update that had yet to be written", outcome{NotDurable, 0, true})
		second.want(t, "update behind it", outcome{Closed, 0, true})
		wantCall(t, g, deliver, Closed)
	})
}
