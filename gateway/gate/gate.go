// Package gate is a trusted operator's overlay around dispatch: it revokes
// and restores tools of the original set while sessions run.
//
// It promises that an update is acknowledged only once every call admitted
// before it has ended and, where there is a state file, its revision is
// durable; that calls and updates are served in the order in which they came,
// so that a call queued behind an update sees the new restriction and a
// stream of calls cannot starve an update; that revisions only rise; and that
// an update which is refused, or which is not acknowledged, closes admission
// until a newer valid one.
//
// It knows neither sensitivity nor ceilings, so it can widen neither, and it
// takes updates from Go callers alone: no frame of an agent reaches it. It
// does not stop a call that was admitted, and it does not see that an older
// state file was put back between two runs unless it is told the revision to
// expect. A call must not Enter again before it has left: with an update
// waiting between the two, it would wait for itself until that update's
// context ends.
package gate

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"unicode/utf8"
)

// Bounds of the original set.
const (
	MaxTools = 1024 // tools
	MaxName  = 256  // bytes of a tool's name
)

// Options say where revisions are kept. The zero value keeps them in memory
// alone and is strict. It is cloned by assignment.
type Options struct {
	Path     string   // of the state file; empty forgets the revision at a restart
	Create   bool     // makes the state file if there is none; else a missing one is refused
	Known    uint64   // a revision known from elsewhere: a state file below it is refused
	Weakness Weakness // for mutants
}

// Gate admits calls. It is safe for concurrent use.
type Gate struct {
	tools    map[string]bool
	weakness Weakness
	store    *store // nil without a state file

	mu     sync.Mutex
	rule   *rule
	known  uint64    // the newest revision that was valid at its turn
	inside int       // calls that were admitted and have not left
	active *turn     // the update whose turn it is; while there is one, calls queue
	queue  []waiting // in order of arrival; empty unless there is an active update
	shut   bool
}

// rule is what calls are judged by. It is replaced, never altered.
type rule struct {
	closed  bool
	revoked map[string]bool
}

func (r *rule) judge(tool string) Code {
	switch {
	case r.closed:
		return Closed
	case r.revoked[tool]:
		return Revoked
	}
	return ""
}

// New makes a gate over the original set of tools. Without a state file it
// starts open at revision 0 with nothing revoked; with one, as the file says,
// which may be closed. A state file that cannot be trusted is an error that
// holds a *Refusal. The file belongs to one gate at a time, until Close.
func New(tools []string, o Options) (*Gate, error) {
	g := &Gate{tools: set(tools), weakness: o.Weakness, rule: &rule{}}
	if len(tools) > MaxTools || len(g.tools) != len(tools) {
		return nil, errors.New("making a policy gate: too many tools, or one twice")
	}
	for tool := range g.tools {
		if tool == "" || len(tool) > MaxName || !utf8.ValidString(tool) {
			return nil, errors.New("making a policy gate: a tool has a malformed name")
		}
	}
	if o.Path == "" {
		if o.Known > 0 {
			return nil, fmt.Errorf("making a policy gate: %w", refuse(StateMissing, nil))
		}
		return g, nil
	}
	s, last, err := openStore(o, g.tools)
	if err != nil {
		return nil, fmt.Errorf("opening the state of the policy gate: %w", err)
	}
	g.store, g.known = s, last.Revision
	g.rule = &rule{closed: last.Closed, revoked: set(last.Revoked)}
	return g, nil
}

// Persistent reports whether a restart keeps the revision. Where it does not,
// a restart is open at revision 0, whatever was revoked before.
func (g *Gate) Persistent() bool { return g.store != nil }

// Status is a look at a gate.
type Status struct {
	Revision uint64   // the newest that was valid at its turn, acknowledged or not
	Closed   bool     // whether the rule in force admits nothing
	Revoked  []string // by the rule in force, sorted
	Updating bool     // an update waits for admitted calls or for the disk
	Inside   int      // calls admitted and not yet ended
	Queued   int      // calls and updates waiting for their turn
}

// Status looks at the gate.
func (g *Gate) Status() Status {
	g.mu.Lock()
	defer g.mu.Unlock()
	return Status{
		Revision: g.known,
		Closed:   g.rule.closed || g.shut,
		Revoked:  slices.Sorted(maps.Keys(g.rule.revoked)),
		Updating: g.active != nil,
		Inside:   g.inside,
		Queued:   len(g.queue),
	}
}

// Close refuses every call from now on, those that wait included, and gives
// the state file up. Calls inside may still leave; an update that is under way
// is acknowledged only if nothing was left to write. It is safe to call twice.
func (g *Gate) Close() error {
	g.mu.Lock()
	g.shut = true
	g.queue = slices.DeleteFunc(g.queue, func(w waiting) bool {
		if w.call != nil {
			w.call.resolve(Closed)
		}
		return w.call != nil
	})
	g.mu.Unlock()
	if g.store == nil {
		return nil
	}
	return g.store.close()
}

func set(names []string) map[string]bool {
	out := make(map[string]bool, len(names))
	for _, name := range names {
		out[name] = true
	}
	return out
}
