package gate

import (
	"context"
	"errors"
	"fmt"

	"postern/gateway/confine"
)

// Drill is one observation that a control exists to prevent, on a gate of two
// tools in memory. It takes no time, waits for nothing and starts no goroutine.
type Drill struct {
	Control  confine.Control
	Observes string                       // a closed word
	Weakness Weakness                     // the one that must make the observation
	Run      func(Weakness) (bool, error) // true: observed; an error: the drill proves nothing
}

// Drills has one drill for each control. A strict gate makes none of their
// observations, and each weakness that of its own drill alone.
func Drills() []Drill {
	return []Drill{
		{Drain, "acknowledged-with-a-call-inside", Weakness{NoDrain: true}, drillDrain},
		{Queue, "queued-call-of-a-revoked-tool-admitted", Weakness{QueuedPass: true}, drillQueue},
		{Revision, "older-revision-acknowledged", Weakness{StaleAccepted: true}, drillRevision},
		{CloseOnInvalid, "call-admitted-after-an-invalid-update", Weakness{OpenOnInvalid: true}, drillInvalid},
	}
}

const (
	drillKept    = "kept"
	drillRevoked = "revoked"
)

func drillGate(w Weakness) (*Gate, error) {
	return New([]string{drillKept, drillRevoked}, Options{Weakness: w})
}

// drillDrain updates with a call inside, and no time to wait for its end.
func drillDrain(w Weakness) (bool, error) {
	g, err := drillGate(w)
	if err != nil {
		return false, err
	}
	leave, err := g.Enter(context.Background(), drillRevoked)
	if err != nil {
		return false, fmt.Errorf("drilling the wait for admitted calls: %w", err)
	}
	defer leave()
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	return observed(g.Update(ended, Update{Revision: 1, Revoked: []string{drillRevoked}}), Expired)
}

// drillQueue lines a call up behind the update that revokes its tool.
func drillQueue(w Weakness) (bool, error) {
	g, err := drillGate(w)
	if err != nil {
		return false, err
	}
	turn := g.lineUp()
	call := g.arrive(drillRevoked)
	update := Update{Revision: 1, Revoked: []string{drillRevoked}}
	if err := g.carryOut(context.Background(), turn, update, nil); err != nil {
		return false, fmt.Errorf("drilling the queue: %w", err)
	}
	return observed(call.wait(context.Background()), Revoked)
}

// drillRevision goes back to a revision that revokes nothing.
func drillRevision(w Weakness) (bool, error) {
	g, err := drillGate(w)
	if err != nil {
		return false, err
	}
	ctx := context.Background()
	if err := g.Update(ctx, Update{Revision: 2, Revoked: []string{drillRevoked}}); err != nil {
		return false, fmt.Errorf("drilling revisions: %w", err)
	}
	return observed(g.Update(ctx, Update{Revision: 1}), Stale)
}

// drillInvalid calls after an update that names a strange tool.
func drillInvalid(w Weakness) (bool, error) {
	g, err := drillGate(w)
	if err != nil {
		return false, err
	}
	ctx := context.Background()
	if err := g.Update(ctx, Update{Revision: 1, Revoked: []string{"strange"}}); err == nil {
		return false, errors.New("drilling invalid updates: one was acknowledged")
	}
	_, err = g.Enter(ctx, drillKept)
	return observed(err, Closed)
}

// observed tells success from the refusal that a strict gate gives, and both
// from anything else.
func observed(err error, strict Code) (bool, error) {
	var refusal *Refusal
	if errors.As(err, &refusal) && refusal.Code == strict {
		return false, nil
	}
	return err == nil, err
}
