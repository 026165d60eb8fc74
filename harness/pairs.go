package harness

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"postern/gateway"
	"postern/gateway/confine"
	"postern/mutants"
)

// pairs tries every control that is called inert together with each other one
// of its group: nothing may open beyond what the other opens by itself.
func (p Plan) pairs() []Spec {
	var specs []Spec
	all := mutants.Of(p.Tier)
	for _, inert := range all {
		if inert.Inert == "" || inert.Under != "" || inert.Ends != "" || !p.represents(inert, all) {
			continue
		}
		for _, partner := range p.partners(inert.Weakens, all) {
			specs = append(specs, p.pair(inert, partner))
		}
	}
	return specs
}

// represents picks one mutant for a control: the first that is inert. The rows
// of a request are many, and what is compared is the control. One that a single
// mutant shows to be needed is not compared at all.
func (p Plan) represents(m mutants.Mutant, among []mutants.Mutant) bool {
	for _, other := range among {
		if other.Weakens == m.Weakens && len(other.With) == 0 && len(other.OpensIn(p.Tier)) > 0 {
			return false
		}
	}
	for _, other := range among {
		if other.Weakens == m.Weakens && other.Inert != "" && other.Under == "" && other.Unless == (mutants.Unless{}) {
			return other.ID == m.ID
		}
	}
	return false
}

// partners are the first single mutants of the other controls of a group that
// open something.
func (p Plan) partners(c confine.Control, among []mutants.Mutant) []mutants.Mutant {
	var all []mutants.Mutant
	for _, m := range among {
		if m.Weakens == c || group(m.Weakens) != group(c) {
			continue
		}
		single := len(m.With) == 0 && len(m.OpensIn(p.Tier)) > 0 && m.Under == "" && m.Ends == "" && m.Unless == (mutants.Unless{})
		taken := slices.ContainsFunc(all, func(other mutants.Mutant) bool { return other.Weakens == m.Weakens })
		gone := m.RemovesFilter() && p.Tier == confine.TierHardened && strings.HasPrefix(string(c), "profile.deny-")
		if single && !taken && !gone { // where the filter is gone, no group of it is left
			all = append(all, m)
		}
	}
	return all
}

func (p Plan) pair(inert, partner mutants.Mutant) Spec {
	both := partner
	both.Opens = partner.OpensIn(p.Tier)
	both.Hardened = both.Opens
	both.ID = fmt.Sprintf("pair/%s/%s", word(inert.ID), word(partner.ID))
	both.Why = fmt.Sprintf("beside this, %s", partner.Why)
	both.Weakens, both.With = inert.Weakens, []confine.Control{partner.Weakens}
	both.Also = append(slices.Clone(inert.Also), partner.Also...)
	both.Needs = append(slices.Clone(inert.Needs), partner.Needs...)
	both.Alone = inert.Alone || partner.Alone
	both.Linger = max(inert.Linger, partner.Linger)
	both.Removed = inert.Removed || partner.Removed
	both.Apply = func(c *gateway.Config, s mutants.Site) {
		inert.Apply(c, s)
		partner.Apply(c, s)
	}
	s := p.mutation(both)
	s.Baseline, s.Inert = true, inert.Inert
	return s
}

// word is the last part of a mutant's id.
func word(id string) string { return id[strings.LastIndex(id, "/")+1:] }

// group is that of a control.
func group(c confine.Control) string { return groups()[c] }

// groups are made once and never changed.
var groups = sync.OnceValue(func() map[confine.Control]string {
	all := map[confine.Control]string{}
	for _, info := range gateway.Controls() {
		all[info.ID] = info.Group
	}
	return all
})
