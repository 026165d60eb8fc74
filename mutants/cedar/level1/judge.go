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

// compare goes through the points until a decision changes that kills. The
// user's own requests come first. Where nothing is validated, every request
// counts as valid.
func (r *run) compare(v *Verdict, unvalidated bool) {
	ask := func(int) held { return not }
	if v.Tree != nil {
		ask = r.asker(v.Mutant)
	}
	results := make([]held, len(r.points))
	moved := false // the policy comes to something else somewhere
	at := map[difference][]int{}
	for i := range r.points {
		p := &r.points[i]
		results[i] = ask(i)
		moved = moved || results[i] != r.results[v.Policy][i] || results[i] == holds && v.Tree.Effect != r.Policies[v.Policy].Tree.Effect
		d := r.differs(v.Policy, v.Tree, i, results[i], unvalidated || p.valid)
		if d == none {
			continue
		}
		if d == inDecision && (i < len(r.Cases) || len(r.Cases) == 0) {
			v.Status, v.Differs, v.Witness = Killed, words[d], r.witness(i, nil)
			return
		}
		at[d] = append(at[d], i)
	}
	for _, d := range []difference{inDecision, inReasons, inErrors} {
		if len(at[d]) == 0 {
			continue
		}
		v.Status = KilledByOther
		if d == inDecision {
			v.Status = Survived
		}
		v.Differs, v.Witness = words[d], r.nearest(at[d])
		return
	}
	// A policy that comes to the same at all combinations of what it reads
	// decides nothing otherwise, whatever the other policies read.
	if !r.result.Complete && (moved || !r.whole[v.Policy]) {
		v.Status = Inconclusive
		return
	}
	v.Status = Equivalent
	if !unvalidated {
		v.Proof = &Proof{
			Generator: domain.Version, Requests: len(r.points), Domain: r.result.Domain,
			Original: r.original, Mutant: r.outcomes(v.Policy, v.Tree, results),
		}
	}
}

// differs compares outcomes at a point, where policy k came to something else.
func (r *run) differs(k int, mutant *cedar.Tree, i int, after held, valid bool) difference {
	before := r.results[k][i]
	permitted, permits := bool(r.Policies[k].Tree.Effect), mutant != nil && bool(mutant.Effect)
	if before == after && (permitted == permits || before != holds) {
		return none
	}
	old := r.votes(i)
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
