package algebra

import "postern/observers/canary/layer"

// search is one Find.
type search struct {
	*finder
	grade   grade
	b       []byte
	yield   func(layer.Match) bool
	done    bool
	symbols *symbols             // room; nil where the input is too large
	seen    map[layer.Match]bool // nil until something is found
}

const enough = 80 // bits: a part of a dress with as many is reported as a part

// differences passes one table over b[lo:hi].
func (s *search) differences(t *table, lo, hi int) {
	if !s.done && len(t.patterns) > 0 {
		t.pass(s.b, lo, hi, func(p int) { s.candidate(t, p, 1) })
	}
}

// candidate compares the whole of every pattern that has the word at p.
func (s *search) candidate(t *table, p, stride int) {
	if s.done {
		return
	}
	t.Each(t.word(s.b, p, stride), func(number, at int) bool {
		s.verify(t, &t.patterns[number], p, at, stride)
		return !s.done
	})
}

func (s *search) verify(t *table, pat *pattern, p, at, stride int) {
	if pat.counter {
		s.verifyCounter(t, pat, p-at)
		return
	}
	lo, hi := at, at
	for hi < len(pat.bytes) && s.same(t, pat, p+(hi-at)*stride, hi, stride) {
		hi++
	}
	for lo > 0 && s.same(t, pat, p+(lo-1-at)*stride, lo-1, stride) {
		lo--
	}
	switch n := hi - lo; {
	case n == len(pat.bytes):
		s.report(pat.secret, pat.technique, p-at*stride, pat.whole)
	case n*pat.bits >= enough:
		s.report(pat.secret, pat.technique, p+(lo-at)*stride, min((n+pat.lost)*pat.bits, pat.whole-1))
	}
}

// same compares one difference, which may lie outside the input.
func (s *search) same(t *table, pat *pattern, p, i, stride int) bool {
	return p >= 0 && p+t.distance*stride < len(s.b) && t.at(s.b, p, stride) == pat.bytes[i]
}

// verifyCounter tries every start of the counter, in both directions.
func (s *search) verifyCounter(t *table, pat *pattern, p int) {
	if p < 0 || p+len(pat.bytes) >= len(s.b) {
		return
	}
	for _, step := range []byte{1, 255} {
		for start := range 256 {
			if s.counts(t, pat, p, byte(start), step) {
				s.report(pat.secret, pat.technique, p, pat.whole)
				return
			}
		}
	}
}

func (s *search) counts(t *table, pat *pattern, p int, count, step byte) bool {
	for i, c := range pat.bytes {
		if t.at(s.b, p+i, 1) != c^count^(count+step) {
			return false
		}
		count += step
	}
	return true
}

// report yields each finding once, however many ways there are to see it.
func (s *search) report(secret int, technique layer.Technique, offset, bits int) {
	m := layer.Match{Secret: secret, Technique: technique, Offset: max(offset, 0), Bits: bits}
	if s.done || s.seen[m] {
		return
	}
	if s.seen == nil {
		s.seen = map[layer.Match]bool{}
	}
	s.seen[m] = true
	s.done = !s.yield(m)
}
