package level1

import (
	"slices"

	"github.com/cedar-policy/cedar-go/x/exp/ast"

	"postern/mutants/cedar"
	"postern/mutants/cedar/domain"
)

// The bounds of a pursuit.
const (
	rounds   = 10    // of finding a request and what decides there instead
	kindsAt  = 4     // kinds of requests at which one is looked for
	together = 4     // policies that decide instead, taken in at once
	allOf    = 8_192 // combinations that are asked one after the other
)

// pursuit is the work on one mutant that the requests that were made leave
// open. It looks at the changed part alone, and at what must be so around it;
// where another policy decides instead, it takes that one in and looks again.
// So it makes a request for just this mutant, or shows that there is none.
type pursuit struct {
	*comparison
	original *cedar.Tree
	part     cedar.Isolated
	before   func(*point) held
	after    func(*point) held
	flips    bool    // the effect is another
	masks    []int32 // the policies that decide instead
	shown    []settled
	abroad   bool // what is looked for is a request that the schema refuses
}

// pursuit takes a mutant apart.
func (c *comparison) pursuit() *pursuit {
	p := &pursuit{comparison: c, original: c.Policies[c.v.Policy].Tree}
	p.part = c.v.Isolate(p.original)
	p.before, p.after = compile(p.part.Before).ask, func(*point) held { return not }
	if p.part.After != nil {
		p.after = compile(p.part.After).ask
	}
	p.flips = c.v.Tree != nil && c.v.Tree.Effect != p.original.Effect
	return p
}

// pursue reports whether it came to a verdict.
func (c *comparison) pursue() bool {
	p := c.pursuit()
	near := c.near(c.v.Policy)
	still := !slices.ContainsFunc(c.moved, func(n int) bool { return c.points[near[n]].valid })
	var kinds []int
	for kind := range c.domain.Kinds() {
		if (c.domain.Asks(kind, p.original) || c.domain.Asks(kind, c.v.Tree)) && !(still && p.same(kind, false)) {
			kinds = append(kinds, kind)
		}
	}
	if p.strange() && len(kinds) == 0 {
		p.abroad = true // the schema's own requests are all the same
		for kind := range c.domain.Kinds() {
			if c.domain.Asks(kind, p.original) {
				kinds = append(kinds, kind)
			}
		}
	}
	for _, kind := range some(kinds, kindsAt) {
		if p.find(kind) {
			return true
		}
	}
	if p.abroad {
		kinds = nil // of what the schema accepts all is shown, and of the rest there are only examples
	}
	if len(c.at) > 0 || len(c.met) > 0 || slices.ContainsFunc(kinds, func(kind int) bool { return !p.same(kind, true) }) {
		return false
	}
	c.v.Status, c.v.Proof = Equivalent, p.proof()
	return true
}

// some takes n of a list, evenly.
func some(list []int, n int) []int {
	if len(list) <= n {
		return list
	}
	out := make([]int, n)
	for i := range out {
		out[i] = list[i*len(list)/n]
	}
	return out
}

// find looks for a request of a kind at which a decision changes.
func (p *pursuit) find(kind int) bool {
	terms := slices.Clone(p.part.Around)
	permits, needed := p.permits(kind), false
	for round := range rounds {
		scene, ok := p.domain.Scene(kind, trees(p.part.Before, terms), p.part.After)
		if !ok {
			return false
		}
		q, ok := scene.Climb(uint64(p.v.Policy*rounds+round), p.part, terms, p.moves)
		switch {
		case !ok && needed && len(permits) > 0: // with another one, then
			terms[len(terms)-1] = cedar.Term{Tree: permits[0], Holds: true}
			permits = permits[1:]
			continue
		case !ok:
			return false
		}
		at := newPoint(q.Request, p.domain.Get(q), q.Own, true)
		if p.abroad {
			at = p.stranger(at)
		}
		list := p.all(&at)
		if p.decides(&at, list) {
			return true
		}
		masks := p.maskedBy(list)
		if len(masks) == 0 {
			if needed || len(permits) == 0 {
				return false
			}
			scene.Nearest(q, permits)
			terms, permits, needed = append(terms, cedar.Term{Tree: permits[0], Holds: true}), permits[1:], true
			continue
		}
		for _, k := range masks[:min(len(masks), together)] {
			terms = slices.Insert(terms, 0, cedar.Term{Tree: p.Policies[k].Tree})
			if p.Policies[k].Tree.Effect == ast.EffectForbid && !slices.Contains(p.masks, k) {
				p.masks = append(p.masks, k)
			}
		}
	}
	return false
}

// moves reports whether the changed part comes to something else at a request.
func (p *pursuit) moves(q domain.Request) bool {
	at := newPoint(q.Request, p.domain.Get(q), q.Own, true)
	if p.abroad {
		return p.compiled[p.v.Policy].ask(&at) == holds
	}
	before := p.before(&at)
	return p.flips && before == holds || before != p.after(&at)
}

// decides takes in what a request shows; it reports whether a decision changes.
func (p *pursuit) decides(at *point, list []comes) bool {
	before, after, old := p.compiled[p.v.Policy].ask(at), p.ask(at), p.count(list)
	d := p.differ(p.v.Policy, p.v.Tree, before, after, old, at.valid)
	if d == none || d != inDecision && len(p.at[d]) > 0 {
		return false
	}
	w := p.nearestOf(at, p.Rule.allows(old, at.valid))
	if d != inDecision {
		p.met[d] = w
		return false
	}
	p.v.Status, p.v.Differs, p.v.Witness = Killed, words[d], w
	if len(p.Cases) > 0 {
		p.v.Status = Survived
	}
	return true
}

// maskedBy lists the policies that decide whatever the mutant's does: what
// forbids, or what permits besides; with Strict, what fails.
func (p *pursuit) maskedBy(list []comes) []int32 {
	var forbid, permit []int32
	for _, c := range list {
		switch {
		case int(c.policy) == p.v.Policy:
		case c.held == fails && p.Rule == Strict, c.held == holds && !bool(p.Policies[c.policy].Tree.Effect):
			forbid = append(forbid, c.policy)
		case c.held == holds:
			permit = append(permit, c.policy)
		}
	}
	if len(forbid) > 0 {
		return forbid
	}
	return permit
}

// stranger is a point with a principal, an action or a resource that the schema
// does not know, where the mutant asks another one.
func (p *pursuit) stranger(at point) point {
	q := at.request
	switch p.v.At[0] {
	case "principal":
		q.Principal = domain.Stranger(q.Principal)
	case "action":
		q.Action = domain.Stranger(q.Action)
	case "resource":
		q.Resource = domain.Stranger(q.Resource)
	}
	return newPoint(q, at.entities, at.own, false)
}

// strange reports whether a mutant of the scope asks something else of whom the
// schema does not know, in a decider that does not ask the schema.
func (p *pursuit) strange() bool {
	if p.Rule == Strict || p.v.Tree == nil || p.v.KeepsScope() || len(p.v.At) == 0 || p.v.At[0] == "id" {
		return false
	}
	at := p.stranger(point{entities: p.domain.Store})
	return p.before(&at) != p.after(&at)
}

// permits are policies that may permit a request of a kind: without any,
// nothing is forbidden.
func (p *pursuit) permits(kind int) []*cedar.Tree {
	var out []*cedar.Tree
	for k, policy := range p.Policies {
		if k != p.v.Policy && policy.Tree.Effect == ast.EffectPermit && p.domain.Asks(kind, policy.Tree) {
			out = append(out, policy.Tree)
		}
	}
	return out
}

func trees(first *cedar.Tree, terms []cedar.Term) []*cedar.Tree {
	out := []*cedar.Tree{first}
	for _, t := range terms {
		out = append(out, t.Tree)
	}
	return out
}
