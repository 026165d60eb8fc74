package domain

import "math/rand/v2"

// fill adds the requests of a space: all combinations if they are no more than
// the limit.
func (m *maker) fill(s *space, limit int) {
	for i := range s.axes {
		if len(s.axes[i].choices) == 0 {
			s.axes[i].choices = []choice{{none: true}}
			if len(s.axes[i].path) == 1 {
				return // nobody can ask
			}
		}
	}
	all := func(int) bool { return true }
	if n := s.count(all, limit); n <= limit {
		s.each(all, make([]int, len(s.axes)), func(assigned []int) bool {
			m.add(s.request(assigned), false)
			return true
		})
		return
	}
	m.Complete = false
	for policy := range m.policies {
		m.focus(s, policy, max(limit/m.policies, 32))
	}
}

// focus adds all combinations of what one policy and its mutants read, or a
// choice of them, beside a choice of everything else.
func (m *maker) focus(s *space, policy, budget int) {
	random := rand.New(rand.NewPCG(uint64(policy), Version)) // the same every time
	own := func(i int) bool { return s.axes[i].policies[policy] }
	assigned := make([]int, len(s.axes))
	others := func() {
		for i, a := range s.axes {
			if !own(i) {
				assigned[i] = random.IntN(len(a.choices))
			}
		}
	}
	if n := s.count(own, budget/2); n <= budget/2 {
		for range budget / max(n, 1) {
			s.each(own, assigned, func(chosen []int) bool {
				others()
				m.add(s.request(s.settled(chosen)), false)
				return true
			})
		}
		return
	}
	m.Whole[policy] = false
	for range budget {
		others()
		for i, a := range s.axes {
			if own(i) {
				assigned[i] = random.IntN(len(a.choices))
			}
		}
		m.add(s.request(s.settled(assigned)), false)
	}
}

// settled is an assignment without what does not count.
func (s *space) settled(assigned []int) []int {
	out := append([]int(nil), assigned...)
	for i := range s.axes {
		if !s.counts(out, i) {
			out[i] = -1
		}
	}
	return out
}

// counts reports whether an axis matters, with what is chosen before it.
func (s *space) counts(assigned []int, i int) bool {
	p := s.axes[i].parent
	return p < 0 || assigned[p] >= 0 && s.axes[p].choices[assigned[p]].open
}

// each visits all combinations of some axes. The others keep what they have.
func (s *space) each(some func(i int) bool, assigned []int, visit func([]int) bool) bool {
	var at func(i int) bool
	at = func(i int) bool {
		switch {
		case i == len(s.axes):
			return visit(assigned)
		case !some(i):
			return at(i + 1)
		case !s.counts(assigned, i):
			assigned[i] = -1
			return at(i + 1)
		}
		for c := range s.axes[i].choices {
			assigned[i] = c
			if !at(i + 1) {
				return false
			}
		}
		return true
	}
	return at(0)
}

// count counts combinations, up to one more than a limit.
func (s *space) count(some func(i int) bool, limit int) int {
	n := 0
	s.each(some, make([]int, len(s.axes)), func([]int) bool {
		n++
		return n <= limit
	})
	return n
}
