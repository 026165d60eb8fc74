package level1

import (
	"postern/mutants/cedar"
	"postern/mutants/cedar/domain"
)

// difference is how two outcomes at a request differ, the gravest way.
type difference uint8

const (
	none difference = iota
	inErrors
	inReasons
	inDecision
)

var words = map[difference]string{none: "", inErrors: "errors", inReasons: "reasons", inDecision: "decision"}

// judge compares one mutant.
func (r *run) judge(i int) {
	v := &r.result.Verdicts[i]
	switch v.Status {
	case NotApplicable:
		return
	case Stillborn:
		free := *v
		r.compare(&free, true)
		v.Unvalidated, v.Differs, v.Witness = free.Status, free.Differs, free.Witness
		return
	}
	r.compare(v, false)
}

// comparison is the work on one mutant.
type comparison struct {
	*run
	v           *Verdict
	unvalidated bool // every request counts as valid
	ask         func(p *point) held
	results     []held                  // at the points of the list that was gone through first
	moved       []int                   // places in that list where the policy comes to something else
	at          map[difference][]int    // points
	met         map[difference]*Witness // of a pursuit
}

// compare goes through the points until a decision changes that kills. The
// user's own requests come first, then those that were made for the policy.
// Where that leaves it open, those that were made for others are asked, and
// then others are looked for.
func (r *run) compare(v *Verdict, unvalidated bool) {
	c := &comparison{run: r, v: v, unvalidated: unvalidated, ask: asker(v.Mutant), at: map[difference][]int{}, met: map[difference]*Witness{}}
	near := r.near(v.Policy)
	if c.over(near, true) {
		return
	}
	whole := r.covers(v.Mutant)
	if !r.result.Complete && len(c.at[inDecision]) == 0 {
		if c.over(r.far(v.Policy), false) || len(c.at[inDecision]) == 0 && !unvalidated && c.pursue() {
			return
		}
	}
	for _, d := range []difference{inDecision, inReasons, inErrors} {
		if w := c.met[d]; w != nil {
			v.Status, v.Differs, v.Witness = KilledByOther, words[d], w
			return
		}
		if len(c.at[d]) == 0 {
			continue
		}
		v.Status = KilledByOther
		if d == inDecision {
			v.Status = Survived
		}
		v.Differs, v.Witness = words[d], r.nearest(c.at[d])
		return
	}
	// A policy that comes to the same at all combinations of what it reads
	// decides nothing otherwise, whatever the other policies read.
	if !r.result.Complete && (len(c.moved) > 0 || !whole) {
		v.Status = Inconclusive
		return
	}
	v.Status = Equivalent
	if !unvalidated {
		v.Proof = &Proof{
			Generator: domain.Version, Requests: len(near), Domain: r.result.Domain,
			Original: r.original, Mutant: r.outcomes(near, v.Policy, v.Tree, c.results),
		}
		if !r.result.Complete {
			v.Proof.Original = r.outcomes(near, -1, nil, nil)
		}
	}
}

// over goes through a list of points, and reports whether one kills.
func (c *comparison) over(list []int, first bool) bool {
	k, effect := c.v.Policy, c.Policies[c.v.Policy].Tree.Effect
	for n, i := range list {
		p := &c.points[i]
		before, after := c.origin(k, i), c.ask(p)
		if first {
			c.results = append(c.results, after)
			if after != before || after == holds && c.v.Tree.Effect != effect {
				c.moved = append(c.moved, n)
			}
		}
		d := c.differs(k, c.v.Tree, i, after, c.unvalidated || p.valid)
		if d == none {
			continue
		}
		if d == inDecision && (i < len(c.Cases) || len(c.Cases) == 0) {
			c.v.Status, c.v.Differs, c.v.Witness = Killed, words[d], c.witness(i, nil)
			return true
		}
		if len(c.at[d]) < looked {
			c.at[d] = append(c.at[d], i)
		}
		if len(c.at[inDecision]) == looked {
			break
		}
	}
	return false
}

// near are the points at which a policy's mutants are compared: all, or the
// user's and those that were made for the policy.
func (r *run) near(k int) []int {
	if r.result.Complete {
		return r.everywhere
	}
	own := r.domain.Own[k]
	out := make([]int, 0, len(r.Cases)+len(own))
	out = append(out, r.everywhere[:len(r.Cases)]...)
	for _, i := range own {
		out = append(out, len(r.Cases)+int(i))
	}
	return out
}

// others bounds how many requests that were made for other policies are asked.
const others = 2_000

// far are some points that were made for other policies.
func (r *run) far(k int) []int {
	n := len(r.points)
	out := make([]int, 0, min(n, others))
	for i := range min(n, others) {
		out = append(out, (k+i*n/min(n, others))%n)
	}
	return out
}

// covers reports whether the domain has all that a mutant can be asked.
func (r *run) covers(m cedar.Mutant) bool {
	if r.result.Complete {
		return true
	}
	if m.Tree == nil || m.KeepsScope() {
		return r.domain.Whole[m.Policy]
	}
	return r.domain.Covers(m.Policy, m.Tree)
}

// differs compares outcomes at a point, where policy k came to something else.
func (r *run) differs(k int, mutant *cedar.Tree, i int, after held, valid bool) difference {
	return r.differ(k, mutant, r.origin(k, i), after, r.votes(i), valid)
}

func (r *run) differ(k int, mutant *cedar.Tree, before, after held, old votes, valid bool) difference {
	permitted, permits := bool(r.Policies[k].Tree.Effect), mutant != nil && bool(mutant.Effect)
	if before == after && (permitted == permits || before != holds) {
		return none
	}
	now := old.with(permitted, before, -1).with(permits, after, 1)
	if r.Rule.allows(old, valid) != r.Rule.allows(now, valid) {
		return inDecision
	}
	was, is := r.Rule.named(old, valid), r.Rule.named(now, valid)
	if was != is || was.names(permitted, before) != is.names(permits, after) {
		return inReasons
	}
	if (before == fails) != (after == fails) && (r.Rule == Cedar || valid) {
		return inErrors
	}
	return none
}
