package gate

import (
	"context"
	"slices"
)

// ticket is one call at the gate.
type ticket struct {
	gate    *Gate
	tool    string
	arrived *rule         // in force when the call came; only QueuedPass looks at it
	ready   chan struct{} // closed with the verdict; nil where there was no wait
	verdict Code          // empty: admitted
	left    bool
}

// Enter admits a call of a tool. The caller does nothing with the call before,
// and calls leave once nothing of it can reach the tool any more; leave may be
// called again. Behind a pending update Enter waits for what becomes of that.
// The error is a *Refusal.
func (g *Gate) Enter(ctx context.Context, tool string) (leave func(), err error) {
	if err := ctx.Err(); err != nil {
		return nil, refuse(Canceled, err)
	}
	t := g.arrive(tool)
	if err := t.wait(ctx); err != nil {
		return nil, err
	}
	return t.leave, nil
}

// arrive judges a call at once, or puts it behind the pending update.
func (g *Gate) arrive(tool string) *ticket {
	g.mu.Lock()
	defer g.mu.Unlock()
	t := &ticket{gate: g, tool: tool, arrived: g.rule}
	switch {
	case !g.tools[tool]:
		t.verdict = UnknownTool
	case g.shut:
		t.verdict = Closed
	case g.active != nil:
		t.ready = make(chan struct{})
		g.queue = append(g.queue, waiting{call: t})
	default:
		g.admit(t)
	}
	return t
}

// admit judges a call whose turn it is. g.mu is held.
func (g *Gate) admit(t *ticket) {
	by := g.rule
	if g.weakness.QueuedPass {
		by = t.arrived
	}
	verdict := by.judge(t.tool)
	if verdict == "" {
		g.inside++
	}
	t.resolve(verdict)
}

// resolve tells a call what became of it. The gate's lock is held.
func (t *ticket) resolve(verdict Code) {
	t.verdict = verdict
	if t.ready != nil {
		close(t.ready)
	}
}

func (t *ticket) wait(ctx context.Context) error {
	if t.ready != nil {
		select {
		case <-t.ready:
		case <-ctx.Done():
			t.withdraw()
			return refuse(Canceled, ctx.Err())
		}
	}
	if t.verdict != "" {
		return refuse(t.verdict, nil)
	}
	return nil
}

// withdraw takes a call out of the queue; one that was admitted meanwhile leaves.
func (t *ticket) withdraw() {
	t.gate.mu.Lock()
	i := slices.IndexFunc(t.gate.queue, func(w waiting) bool { return w.call == t })
	if i >= 0 {
		t.gate.queue = slices.Delete(t.gate.queue, i, i+1)
		t.verdict = Canceled
	}
	admitted := t.verdict == ""
	t.gate.mu.Unlock()
	if admitted {
		t.leave()
	}
}

// leave ends a call. The last one lets the pending update go on.
func (t *ticket) leave() {
	g := t.gate
	g.mu.Lock()
	defer g.mu.Unlock()
	if t.left {
		return
	}
	t.left = true
	g.inside--
	if g.inside == 0 && g.active != nil {
		close(g.active.drained)
	}
}
