package level1

import (
	"context"
	"sync"

	"postern/mutants/cedar"
)

// OtherSide is the partner of an operand that the other operand stands in for.
const OtherSide = "its other side"

// In a domain that is not complete, whose silence proves nothing, a partner of
// each part is looked for at so many requests at least, and at more while all
// parts together are asked at no more than partnerAsks: some seconds.
const (
	leastMoved  = 32
	partnerAsks = 8_000_000
)

// part is a mutant that takes a part of a policy away, and what comes of it.
type part struct {
	cedar.Mutant
	ask func(p *point) held
}

// dead looks at every part of a policy whose removal changes no decision, and
// for another part whose removal changes one together with it: of what is not run,
// too. Where there is none, the schema may say what the part says. A part of a
// part that is dead already is not told again.
func (r *run) dead(ctx context.Context) error {
	var all []part
	var idle, verdicts []int
	for i, v := range r.result.Verdicts {
		if !v.Removes || v.refused {
			continue
		}
		if v.Differs != words[inDecision] && v.Status != Inconclusive && v.Status != NotApplicable {
			idle, verdicts = append(idle, len(all)), append(verdicts, i)
		}
		all = append(all, part{v.Mutant, lazily(v.Mutant)})
	}
	most := max(leastMoved, partnerAsks/max(1, len(idle)*len(all)))
	partners, moves, implied := make([]string, len(idle)), make([]bool, len(idle)), make([]*Proof, len(idle))
	err := r.each(ctx, "parts with a partner looked for", len(idle), 1, func(n int) {
		if partners[n], moves[n] = r.partner(all, idle[n], most); partners[n] == "" && !moves[n] {
			implied[n] = r.implied(all[idle[n]].Mutant)
		}
	})
	if err != nil {
		return err
	}
	gone := map[int][]cedar.Mutant{} // parts of a policy without a partner, that hold others
	for n, i := range verdicts {
		v := r.result.Verdicts[i]
		if partners[n] == "" && implied[n] == nil && !r.result.Complete && (moves[n] || !r.covers(v.Mutant)) {
			continue // a request that was not asked may depend on it
		}
		if !within(v.Mutant, gone[v.Policy]) {
			r.result.Dead = append(r.result.Dead, Dead{v.ID, partners[n], implied[n]})
			if partners[n] == "" && (v.Tree == nil || v.Operator == "drop-condition") {
				gone[v.Policy] = append(gone[v.Policy], v.Mutant)
			}
		}
	}
	return nil
}

// lazily compiles a mutant when somebody asks.
func lazily(m cedar.Mutant) func(p *point) held {
	ask := sync.OnceValue(func() func(*point) held { return asker(m) })
	return func(p *point) held { return ask()(p) }
}

// within reports whether a part is within one that is dead.
func within(m cedar.Mutant, gone []cedar.Mutant) bool {
	for _, d := range gone {
		if d.Tree == nil || m.At.Within(d.At) {
			return true
		}
	}
	return false
}

// swing is the votes at a point where a mutant stands for its policy.
func (r *run) swing(v votes, m cedar.Mutant, p int, h held) votes {
	return r.exchange(v, m.Policy, r.origin(m.Policy, p), m.Tree != nil && bool(m.Tree.Effect), h)
}

// exchange is the votes where a policy that comes to something comes to another.
func (r *run) exchange(v votes, k int, before held, permits bool, after held) votes {
	return v.with(bool(r.Policies[k].Tree.Effect), before, -1).with(permits, after, 1)
}

// partner finds a mutant with which together a decision changes that neither
// changes alone, of a request that the schema accepts: the type of a value that
// it refuses is asked by whatever reads the value. The type of a principal may be
// asked by the scope alone, so for a part of it other requests count as well. It
// reports too whether the policy comes to something else where the schema accepts.
func (r *run) partner(all []part, i, most int) (string, bool) {
	m := all[i]
	near := r.near(m.Policy)
	var moved []int // points where the policy comes to something else
	for _, p := range near {
		if r.points[p].valid && m.ask(&r.points[p]) != r.origin(m.Policy, p) {
			moved = append(moved, p)
		}
	}
	set := cedar.Set{Policies: r.Policies}
	if both, other, ok := set.BothSides(m.Mutant); ok {
		sibling := m.Mutant
		sibling.Tree = other
		if r.changesMore(near, part{sibling, lazily(sibling)}, both, false) {
			return OtherSide, len(moved) > 0
		}
	}
	moves := len(moved) > 0
	if n := len(moved); n > most && !r.result.Complete {
		for k := range most {
			moved[k] = moved[k*n/most]
		}
		moved = moved[:most]
	}
	pivots := r.pivots(m, moved)
	for j, n := range all {
		if n.Policy == m.Policy {
			if j != i && r.togetherWithin(near, m.Mutant, n, false) {
				return n.ID, moves
			}
			continue
		}
		for _, p := range pivots.at(n, r) {
			base := r.votes(p)
			h := n.ask(&r.points[p])
			first, second := r.swing(base, m.Mutant, p, m.ask(&r.points[p])), r.swing(base, n.Mutant, p, h)
			both := r.swing(first, n.Mutant, p, h)
			was := r.Rule.allows(base, true)
			if r.Rule.allows(both, true) != was && r.Rule.allows(first, true) == was && r.Rule.allows(second, true) == was {
				return n.ID, moves
			}
		}
	}
	if m.Operator == "widen-scope" {
		for j, n := range all {
			if j != i && r.togetherWithin(near, m.Mutant, n, true) {
				return n.ID, moves
			}
		}
	}
	return "", moves
}

// pivots are points at which a decision changes together with another policy's:
// for one that holds or fails, by its index, and for one that does neither, by
// whether it permits.
type pivots struct {
	of  map[int][]int
	not map[bool][]int
}

func (v pivots) at(n part, r *run) []int {
	idle := v.not[bool(r.Policies[n.Policy].Tree.Effect)]
	if n.Tree == nil {
		idle = nil // what does not hold is not missed
	}
	if len(v.of[n.Policy]) == 0 {
		return idle
	}
	return append(append([]int(nil), v.of[n.Policy]...), idle...)
}

// pivots looks at each point at which one part's removal moves its policy,
// whether any change of another policy's can change the decision with it.
func (r *run) pivots(m part, moved []int) pivots {
	out := pivots{map[int][]int{}, map[bool][]int{}}
	for _, p := range moved {
		base := r.votes(p)
		was := r.Rule.allows(base, true)
		first := r.swing(base, m.Mutant, p, m.ask(&r.points[p]))
		turns := func(permit bool, before held) bool {
			for _, after := range []held{not, holds, fails} {
				swung := func(v votes) bool { return r.Rule.allows(v.with(permit, before, -1).with(permit, after, 1), true) }
				if after != before && swung(first) != was && swung(base) == was {
					return true
				}
			}
			return false
		}
		for _, c := range r.came[p] {
			if int(c.policy) != m.Policy && turns(bool(r.Policies[c.policy].Tree.Effect), c.held) {
				out.of[int(c.policy)] = append(out.of[int(c.policy)], p)
			}
		}
		for _, permit := range []bool{false, true} {
			if turns(permit, not) {
				out.not[permit] = append(out.not[permit], p)
			}
		}
	}
	return out
}

// togetherWithin does the same for two parts of one policy.
func (r *run) togetherWithin(near []int, m cedar.Mutant, n part, refused bool) bool {
	set := cedar.Set{Policies: r.Policies}
	tree, ok := set.Both(m, n.Mutant)
	return ok && r.changesMore(near, n, tree, refused)
}

// changesMore reports whether a tree changes a decision that a part of the same
// policy does not change: of a request that the schema accepts, or of any.
func (r *run) changesMore(near []int, n part, tree *cedar.Tree, refused bool) bool {
	both := n.Mutant
	both.Tree = tree
	ask := asker(both)
	for _, p := range near {
		if !r.points[p].valid && !refused {
			continue
		}
		base := r.votes(p)
		was := r.Rule.allows(base, r.points[p].valid)
		if r.Rule.allows(r.swing(base, both, p, ask(&r.points[p])), r.points[p].valid) != was &&
			r.Rule.allows(r.swing(base, n.Mutant, p, n.ask(&r.points[p])), r.points[p].valid) == was {
			return true
		}
	}
	return false
}
