package scan

import "postern/observers/canary/layer"

// AllParts are the parts that a search has unless it is told.
func AllParts() []Part { return parts() }

// Wrap puts a finder around each that the scanner has.
func (s *Scanner) Wrap(around func(grade, number int, f layer.Finder) layer.Finder) {
	for d := range s.finders {
		var all []layer.Finder
		for i, f := range s.finders[d] {
			all = append(all, around(d, i, f))
		}
		s.finders[d] = all
	}
}
