// Package gateway is the trusted side: the one way out of the sandbox, and
// the session that puts an agent behind it.
//
// Every call takes one path: alias, catalogue, gate, arguments, policy, ceiling,
// audit, tool server, ceiling of the answer, audit, reply. It promises that
// nothing is released, neither to a tool nor to the agent, before the decision
// is durable in the audit log; that a call which fails a step reaches no step
// behind it; and that whatever cannot be decided is denied. Replies are fixed
// words, except for the text of a tool that was called; spans and lines of the log
// are without that exception. It does not judge whether a tool does what its
// definition says.
package gateway

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"postern/gateway/audit"
	"postern/gateway/gate"
	"postern/gateway/policy"
	"postern/gateway/sensitivity"
	"postern/gateway/telemetry"
	"postern/gateway/upstream"
)

// Gateway serves one session. Safe for concurrent use.
type Gateway struct {
	config   Config // a clone
	id       string // of the session, in audit rows
	tools    map[string]Tool
	policies *policy.Engine
	held     *sensitivity.Session // what the agent may hold
	gate     *gate.Gate
	log      *audit.Log
	ownLog   bool           // it is closed with the session
	trail    *audit.Session // this session's part of it
	server   *upstream.Client
	lent     bool // the server was there before the gateway, and stays
	weak     Weakness
	exhaust  *telemetry.Telemetry

	mu      sync.Mutex
	closed  bool
	last    int64 // number of the last call
	tallies map[string]Tally
	calls   sync.WaitGroup // those under way
}

// Tally counts decisions on calls of one tool. A call that was allowed and
// whose answer was withheld counts as allowed: the tool was reached.
type Tally struct {
	Allowed, Denied int
}

// Open readies a gateway: policies compiled, audit log open, the measured
// tool server running and its definitions as pinned.
func Open(ctx context.Context, c Config) (*Gateway, error) { return open(ctx, c, loan{}) }

// loan is what a gateway gets from whoever opens it, beside its configuration.
type loan struct {
	log    *audit.Log           // of several sessions; nil for one of its own
	server *upstream.Client     // that runs already, and outlives the gateway; nil to start one
	held   *sensitivity.Session // of an agent that other gateways serve too; nil for one of its own
	weak   Weakness
}

func open(ctx context.Context, c Config, l loan) (*Gateway, error) {
	g := &Gateway{
		config: c.Clone(), id: rand.Text(), tools: map[string]Tool{}, tallies: map[string]Tally{},
		log: l.log, held: l.held, server: l.server, lent: l.server != nil, weak: l.weak,
	}
	if err := g.open(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("opening gateway: %w", err), g.release())
	}
	return g, nil
}

func (g *Gateway) open(ctx context.Context) (err error) {
	if err := g.config.validate(g.weak); err != nil {
		return refusedAt(StepConfig, err)
	}
	if g.log == nil && g.config.Audit == "" {
		return errors.New("there is no audit log")
	}
	var names []string
	for _, tool := range g.config.Catalogue {
		g.tools[tool.Name] = tool
		names = append(names, tool.Name)
	}
	if g.weak.ToolsTwice {
		names = slices.Sorted(maps.Keys(g.tools)) // the gate would refuse them, too
	}
	if g.gate, err = gate.New(names, g.config.Gate); err != nil {
		return err
	}
	if g.policies, err = g.compile(); err != nil {
		return refusedAt(StepPolicies, err)
	}
	if g.held == nil {
		if g.held, err = g.beginLabel(); err != nil {
			return refusedAt(StepLabels, err)
		}
	}
	if err := g.openAudit(ctx); err != nil {
		return err
	}
	if g.exhaust, err = g.openTelemetry(ctx); err != nil {
		return err
	}
	if g.server == nil {
		if g.server, err = g.start(ctx); errors.Is(err, upstream.ErrVersion) {
			return refusedAt(StepServer, err)
		} else if err != nil {
			return err
		}
	}
	return g.checkPins(ctx)
}

func (g *Gateway) checkPins(ctx context.Context) error {
	listed, err := g.list(ctx)
	if errors.Is(err, upstream.ErrUnavailable) || errors.Is(err, upstream.ErrFailed) {
		return err // nothing was listed
	}
	if err != nil {
		return refusedAt(StepCatalogue, err)
	}
	pins := make(map[string]string)
	for _, tool := range g.config.Catalogue {
		pins[tool.Name] = tool.Definition
	}
	if err := g.pinned(listed, pins); err != nil {
		return refusedAt(StepCatalogue, err)
	}
	return nil
}

// Close ends the tool server unless it was lent, which fails the calls under way, waits for
// those, and closes the audit log. Safe to call twice.
func (g *Gateway) Close() error {
	g.mu.Lock()
	first := !g.closed
	g.closed = true
	g.mu.Unlock()
	if !first {
		return nil
	}
	return g.release()
}

func (g *Gateway) release() error {
	var errs []error
	if g.gate != nil {
		errs = append(errs, g.gate.Close()) // first, so that no call waits there
	}
	if g.server != nil && !g.lent {
		errs = append(errs, g.server.Close())
	}
	g.calls.Wait()
	errs = append(errs, g.closeAudit())
	if g.exhaust != nil {
		errs = append(errs, g.exhaust.Close())
	}
	return errors.Join(errs...)
}

// Decisions counts the decisions so far by catalogue name. Calls of unknown
// operations name no tool and are only in the audit log.
func (g *Gateway) Decisions() map[string]Tally {
	g.mu.Lock()
	defer g.mu.Unlock()
	return maps.Clone(g.tallies)
}

// Update revokes and restores tools of the catalogue while the session runs. It
// is for a trusted operator alone: no frame of the agent's reaches it. See
// package gate for what an acknowledgement means, and what any error does.
func (g *Gateway) Update(ctx context.Context, u gate.Update) error { return g.gate.Update(ctx, u) }

// Overlay is a look at the operator's overlay.
func (g *Gateway) Overlay() gate.Status { return g.gate.Status() }

// RevisionsPersist reports whether a restart keeps the overlay's revision. Where
// Config.Gate names no file it does not: every tool is open again.
func (g *Gateway) RevisionsPersist() bool { return g.gate.Persistent() }
