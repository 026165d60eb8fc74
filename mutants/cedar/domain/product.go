package domain

// everything are all axes.
func everything(int) bool { return true }

// askable gives each place something to be, and reports whether there is
// anybody to ask, and anything to ask about.
func (s *space) askable() bool {
	for i := range s.axes {
		if len(s.axes[i].choices) > 0 {
			continue
		}
		s.axes[i].choices = []choice{{none: true}}
		if len(s.axes[i].path) == 1 {
			return false
		}
	}
	return true
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
