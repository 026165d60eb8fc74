package level1

import (
	"context"

	"postern/mutants/cedar"
)

// OtherSide is the partner of an operand that the other operand stands in for.
const OtherSide = "its other side"

// dead looks at every part of a policy whose removal changes no decision, and
// for another part whose removal changes one together with it. A part of a
// part that is dead already is not told again.
func (r *run) dead(ctx context.Context) error {
	var idle, others []int
	for i, v := range r.result.Verdicts {
		if !v.Removes || v.Status == Stillborn || v.Status == NotApplicable {
			continue
		}
		others = append(others, i)
		if v.Differs != words[inDecision] && v.Status != Inconclusive {
			idle = append(idle, i)
		}
	}
	if len(idle) == 0 {
		return nil
	}
	results := make([][]held, len(r.result.Verdicts))
	err := r.each(ctx, len(others), func(n int) { results[others[n]] = r.everywhere(r.result.Verdicts[others[n]].Mutant) })
	if err != nil {
		return err
	}
	partners := make([]string, len(idle))
	err = r.each(ctx, len(idle), func(n int) { partners[n] = r.partner(idle[n], others, results) })
	if err != nil {
		return err
	}
	for n, i := range idle {
		if partners[n] == "" && !r.result.Complete && r.result.Verdicts[i].Status != Equivalent {
			continue // a request that was not asked may depend on it
		}
		if !r.told(r.result.Verdicts[i].Mutant) {
			r.result.Dead = append(r.result.Dead, Dead{Mutant: r.result.Verdicts[i].ID, Partner: partners[n]})
		}
	}
	return nil
}

// told reports whether the part is within one that is dead.
func (r *run) told(m cedar.Mutant) bool {
	for _, d := range r.result.Dead {
		if d.Partner != "" {
			continue
		}
		for _, v := range r.result.Verdicts {
			if v.ID == d.Mutant && v.Policy == m.Policy && (v.Tree == nil || v.Operator == "drop-condition" && m.At.Within(v.At)) {
				return true
			}
		}
	}
	return false
}

// partner finds a mutant with which together a decision changes that neither
// changes alone, of a request that the schema accepts: the type of a value that
// it refuses is asked by whatever reads the value.
func (r *run) partner(i int, others []int, results [][]held) string {
	m := r.result.Verdicts[i].Mutant
	var moved []int // where the policy comes to something else
	for p, h := range results[i] {
		if h != r.results[m.Policy][p] && r.points[p].valid {
			moved = append(moved, p)
		}
	}
	set := cedar.Set{Policies: r.Policies}
	if both, ok := set.BothSides(m); ok && r.changesMore(m, both, results[i]) {
		return OtherSide
	}
	for _, j := range others {
		n := r.result.Verdicts[j].Mutant
		if n.Policy == m.Policy {
			if j != i && r.togetherWithin(m, n, results[j]) {
				return n.ID
			}
			continue
		}
		for _, p := range moved {
			base := r.votes(p)
			first, second := r.swing(base, m, p, results[i][p]), r.swing(base, n, p, results[j][p])
			both := r.swing(first, n, p, results[j][p])
			was := r.Rule.allows(base, true)
			if r.Rule.allows(both, true) != was && r.Rule.allows(first, true) == was && r.Rule.allows(second, true) == was {
				return n.ID
			}
		}
	}
	return ""
}

// swing is the votes where a mutant stands for its policy.
func (r *run) swing(v votes, m cedar.Mutant, p int, h held) votes {
	return v.with(bool(r.Policies[m.Policy].Tree.Effect), r.results[m.Policy][p], -1).with(m.Tree != nil && bool(m.Tree.Effect), h, 1)
}

// togetherWithin does the same for two parts of one policy.
func (r *run) togetherWithin(m, n cedar.Mutant, alone []held) bool {
	set := cedar.Set{Policies: r.Policies}
	tree, ok := set.Both(m, n)
	return ok && r.changesMore(n, tree, alone)
}

// changesMore reports whether a tree changes a decision that a mutant of the
// same policy, which comes to alone, does not change.
func (r *run) changesMore(n cedar.Mutant, tree *cedar.Tree, alone []held) bool {
	both := n
	both.Tree, both.Operator, both.At = tree, "both", nil // nothing is known of its scope
	for p, h := range r.everywhere(both) {
		if !r.points[p].valid {
			continue
		}
		base := r.votes(p)
		was := r.Rule.allows(base, true)
		if r.Rule.allows(r.swing(base, both, p, h), true) != was && r.Rule.allows(r.swing(base, n, p, alone[p]), true) == was {
			return true
		}
	}
	return false
}
