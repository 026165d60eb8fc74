package forms

import (
	"cmp"
	"slices"
)

// Places tells places apart: forms of one secret that overlap are one place,
// however the bytes were divided. It is for one search.
type Places struct{ reach []int64 } // per secret, the end of what was found

// Places begins with nothing found.
func (m *Matcher) Places() *Places { return &Places{make([]int64, m.secrets)} }

// Next sorts hits by where they end, and keeps the first of each place. No
// later call may bring a hit that ends before.
func (p *Places) Next(hits []Hit) []Hit {
	slices.SortFunc(hits, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(a.End(), b.End()), cmp.Compare(a.Offset, b.Offset), cmp.Compare(a.Secret, b.Secret), cmp.Compare(a.Technique, b.Technique))
	})
	kept := hits[:0]
	for _, h := range hits {
		if h.Offset >= p.reach[h.Secret] {
			kept = append(kept, h)
		}
		p.reach[h.Secret] = max(p.reach[h.Secret], h.End())
	}
	return kept
}
