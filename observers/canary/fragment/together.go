package fragment

import (
	"cmp"
	"maps"
	"slices"
)

// part is a piece by the digits of the secret that it has, whatever its form.
type part struct {
	lo, hi  int // digits
	at, end int // in the input
	raw     bool
}

// together judges the pieces of each secret.
func (s *search) together() {
	if s.done || len(s.pieces) == 0 {
		return
	}
	parts, totals := map[int][]part{}, map[int]int{}
	for _, p := range s.pieces {
		st := &s.strands[p.strand]
		lo, hi := st.inOrder(p.lo, p.hi)
		one := part{lo, hi, p.at, p.at + p.hi - p.lo, st.family == rawBytes}
		if one.raw {
			one.lo, one.hi = 2*lo, 2*hi
		}
		parts[st.secret] = append(parts[st.secret], one)
		totals[st.secret] = st.whole / 4
	}
	places := s.digitPlaces()
	for _, secret := range slices.Sorted(maps.Keys(parts)) {
		s.sum(secret, parts[secret], totals[secret], places)
		s.split(secret, parts[secret], totals[secret])
	}
}

// digitPlaces counts the places that could be a piece of six digits or more.
func (s *search) digitPlaces() int {
	places, run := 0, 0
	for _, c := range s.b {
		if run++; !isDigit(c) {
			run = 0
		}
		if run >= shortSum {
			places++
		}
	}
	return places
}

func isDigit(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f'
}

// sum adds the score of the pieces up, the longest first.
func (s *search) sum(secret int, parts []part, digits, places int) {
	parts = slices.Clone(parts)
	slices.SortStableFunc(parts, func(a, b part) int { return cmp.Compare(b.hi-b.lo, a.hi-a.lo) })
	covered, score, first, count := make([]bool, digits), 0.0, len(s.b), 0
	for _, p := range parts {
		if p.hi-p.lo < shortSum {
			break
		}
		worth := 4*float64(uncovered(covered, p)) - p.cost(digits, places, len(s.b))
		if count > 0 {
			worth -= lengthChoice
		}
		if worth > 0 {
			score += worth
			count++
			first = min(first, p.at)
			cover(covered, p)
		}
	}
	if n := known(covered); score >= Threshold && (count > 1 || n < leastDigits) {
		s.report(secret, Sum, first, 4*n)
	}
}

// cost of a piece of raw bytes is by all places, of digits by those that have
// digits.
func (p part) cost(digits, places, bytes int) float64 {
	if p.raw {
		return cost(bytes, digits/2, (p.hi-p.lo)/2)
	}
	return cost(places, digits, p.hi-p.lo)
}

func uncovered(covered []bool, p part) int {
	n := 0
	for _, c := range covered[p.lo:p.hi] {
		if !c {
			n++
		}
	}
	return n
}

func cover(covered []bool, p part) {
	for i := p.lo; i < p.hi; i++ {
		covered[i] = true
	}
}

func known(covered []bool) int {
	return len(covered) - uncovered(covered, part{hi: len(covered)})
}

// split looks for pieces that are all of the secret and near each other.
func (s *search) split(secret int, parts []part, digits int) {
	slices.SortStableFunc(parts, func(a, b part) int { return cmp.Compare(a.at, b.at) })
	have, missing := make([]int, digits), digits
	oldest := 0
	for i, p := range parts {
		missing -= change(have, p, 1)
		for ; oldest < i && p.end-parts[oldest].at > spread; oldest++ {
			missing += change(have, parts[oldest], -1)
		}
		if missing == 0 && i > oldest {
			s.report(secret, Split, parts[oldest].at, 4*digits)
			return
		}
	}
}

// change counts a part in or out, and returns for how many digits it was the
// only one.
func change(have []int, p part, by int) int {
	n := 0
	for i := p.lo; i < p.hi; i++ {
		if max(have[i], have[i]+by) == 1 {
			n++
		}
		have[i] += by
	}
	return n
}
