package domain

import (
	"math/rand/v2"
	"slices"
)

// first is for which policy a request was first made, and the how-manieth of
// its own it is.
type first struct{ policy, n int }

// Vary makes a request that asks the same as the n-th own request of a policy
// in all that the policy reads. In the rest it is like another request of the
// domain, or, where that is none or has nothing of the kind, a choice that the
// seed decides. It reports false where it can make none.
func (d *Domain) Vary(policy, n int, like int32, seed uint64) (Request, bool) {
	m := d.maker
	if n >= len(m.origins[policy]) {
		return Request{}, false // what the schema refuses
	}
	o := m.origins[policy][n]
	s := *o.space
	s.axes = slices.Clone(s.axes)
	var other origin
	if like >= 0 && int(like) < len(m.firsts) {
		f := m.firsts[like]
		other = m.origins[f.policy][f.n]
	}
	random := rand.New(rand.NewPCG(seed, Version))
	assigned := slices.Clone(o.assigned)
	for i, a := range s.axes {
		if s.own[i] {
			continue
		}
		assigned[i] = random.IntN(len(a.choices))
		last := len(a.path) - 1
		if a.path[last] != moreStep {
			if c, ok := other.chosen(a.path); ok {
				s.axes[i].choices, assigned[i] = []choice{c}, 0
			}
			continue
		}
		var all parents // whatever groups the other one has
		groups := append(slices.Clone(a.path[:last]), groupsStep)
		for _, path := range [][]string{groups, a.path} {
			if c, ok := other.chosen(path); ok {
				p := c.value.(parents)
				all.at, all.via = append(all.at, p.at...), append(all.via, p.via...)
			}
		}
		if len(all.at)+len(all.via) > 0 {
			own := slices.IndexFunc(s.axes, func(b axis) bool { return slices.Equal(b.path, groups) })
			s.axes[i].choices, assigned[i] = unasked([]choice{{value: all}}, asked(s.axes[own].choices)), 0
		}
	}
	r := m.checked(s.request(s.settled(assigned)))
	return r.Request, r.Valid
}

// chosen is what stands at a place of a request.
func (o origin) chosen(path []string) (choice, bool) {
	if o.space == nil {
		return choice{}, false
	}
	for i, a := range o.space.axes {
		if o.assigned[i] >= 0 && slices.Equal(a.path, path) {
			return a.choices[o.assigned[i]], true
		}
	}
	return choice{}, false
}
