package level1

import (
	"postern/mutants/cedar/domain"
)

// The bounds of a search for a request at which a decision changes.
const (
	searchedAt = 6  // requests at which the policy comes to something else
	searches   = 6  // at each
	likes      = 64 // requests that are allowed, of each kind
)

// search looks for a request at which a mutant changes a decision, where its
// policy comes to something else but the other policies decide: it keeps what
// the policy reads, and takes the rest from a request that is allowed, for a
// forbid to show, or at random.
func (c *comparison) search() bool {
	k, tree := c.v.Policy, c.v.Tree
	first := len(c.Cases)
	var at []int
	for _, n := range c.moved {
		if n >= first {
			at = append(at, n-first)
		}
	}
	for a := range min(len(at), searchedAt) {
		n := at[a*len(at)/min(len(at), searchedAt)]
		own := c.domain.Own[k]
		allowed := c.allowed[kindOf(&c.points[first+int(own[n])])]
		for t := range searches {
			seed, like := uint64(n*searches+t), int32(-1)
			if t%2 == 0 && len(allowed) > 0 {
				like = allowed[(n+t/2*len(allowed)/(searches/2))%len(allowed)]
			}
			q, ok := c.domain.Vary(k, n, like, seed)
			if !ok {
				continue
			}
			p := newPoint(q.Request, c.domain.Get(q), q.Own, true)
			before, after := c.compiled[k].ask(&p), c.ask(&p)
			old := c.count(c.all(&p))
			if c.differ(k, tree, before, after, old, true) != inDecision {
				continue
			}
			c.v.Status, c.v.Differs = Killed, words[inDecision]
			if len(c.Cases) > 0 {
				c.v.Status = Survived
			}
			c.v.Witness = c.nearestOf(&p, c.Rule.allows(old, true))
			return true
		}
	}
	return false
}

// kindOf is of what kind a request is.
func kindOf(p *point) string {
	return string(p.request.Principal.Type) + "\n" + p.request.Action.String() + "\n" + string(p.request.Resource.Type)
}

// allow lists requests of the domain that are allowed, by their kind.
func (r *run) allow(d *domain.Domain) {
	r.allowed = map[string][]int32{}
	if d.Complete {
		return
	}
	for i := range d.Valid {
		if at := len(r.Cases) + i; r.Rule.allows(r.votes(at), true) {
			k := kindOf(&r.points[at])
			r.allowed[k] = append(r.allowed[k], int32(i))
		}
	}
	for k, list := range r.allowed {
		if n := len(list); n > likes {
			some := make([]int32, likes)
			for i := range some {
				some[i] = list[i*n/likes]
			}
			r.allowed[k] = some
		}
	}
}
