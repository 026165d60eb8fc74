package level1

import (
	"context"
	"maps"

	"github.com/cedar-policy/cedar-go/types"

	"postern/mutants/cedar"
)

// StoreVerdict is what became of one mutant of the user's entities.
type StoreVerdict struct {
	cedar.StoreMutant
	Status  Status
	Differs string
	Witness *Witness
}

// watched notes which entities are looked up.
type watched struct {
	types.EntityGetter
	seen map[types.EntityUID]bool
}

func (w watched) Get(uid types.EntityUID) (types.Entity, bool) {
	w.seen[uid] = true
	return w.EntityGetter.Get(uid)
}

// patched is entities with one of the store changed. What a request brings
// itself comes first.
type patched struct {
	types.EntityGetter
	own    types.EntityMap
	mutant *cedar.StoreMutant
}

func (p patched) Get(uid types.EntityUID) (types.Entity, bool) {
	if _, own := p.own[uid]; uid == p.mutant.UID && !own {
		return p.mutant.Entity, !p.mutant.Gone
	}
	return p.EntityGetter.Get(uid)
}

// store compares mutants of the user's entities, of those that some policy
// looks up for some request; only these requests can be decided otherwise.
func (r *run) store(ctx context.Context) error {
	policies := make([]alone, len(r.Policies))
	for i, p := range r.Policies {
		policies[i] = alone{cedar.Compile(p.Tree)}
	}
	asking := map[types.EntityUID][]int{}
	for i := range r.points {
		p := r.points[i]
		w := watched{p.entities, map[types.EntityUID]bool{}}
		p.entities = w
		for _, a := range policies {
			a.ask(&p)
		}
		for uid := range maps.Keys(w.seen) {
			if _, stored := r.Entities[uid]; stored {
				asking[uid] = append(asking[uid], i)
			}
		}
	}
	mutants := cedar.StoreMutants(r.Entities, func(uid types.EntityUID) bool { return len(asking[uid]) > 0 })
	r.result.Store = make([]StoreVerdict, len(mutants))
	r.result.Unasked = len(r.Entities) - len(asking)
	return r.each(ctx, len(mutants), func(i int) {
		v := StoreVerdict{StoreMutant: mutants[i]}
		r.compareStore(&v, policies, asking[v.UID])
		r.result.Store[i] = v
	})
}

func (r *run) compareStore(v *StoreVerdict, policies []alone, at []int) {
	if !v.Gone && r.validator.Entity(v.Entity) != nil {
		v.Status = Stillborn
		return
	}
	found := map[difference][]int{}
	for _, i := range at {
		d := r.differsWith(&v.StoreMutant, policies, i)
		if d == inDecision && (i < len(r.Cases) || len(r.Cases) == 0) {
			v.Status, v.Differs, v.Witness = Killed, words[d], r.witness(i, nil)
			return
		}
		found[d] = append(found[d], i)
	}
	for _, d := range []difference{inDecision, inReasons, inErrors} {
		if len(found[d]) == 0 {
			continue
		}
		v.Status = KilledByOther
		if d == inDecision {
			v.Status = Survived
		}
		v.Differs, v.Witness = words[d], r.nearest(found[d])
		return
	}
	v.Status = Equivalent
	if !r.result.Complete {
		v.Status = Inconclusive
	}
}

// differsWith compares outcomes at a point where one entity is another.
func (r *run) differsWith(m *cedar.StoreMutant, policies []alone, i int) difference {
	p := r.points[i]
	p.entities = patched{p.entities, p.own, m}
	old, now := r.votes(i), votes{}
	after := make([]held, len(policies))
	for k, a := range policies {
		after[k] = a.ask(&p)
		now = now.with(bool(r.Policies[k].Tree.Effect), after[k], 1)
	}
	if r.Rule.allows(old, p.valid) != r.Rule.allows(now, p.valid) {
		return inDecision
	}
	was, is := r.Rule.named(old, p.valid), r.Rule.named(now, p.valid)
	gravest := none
	for k := range policies {
		permit := bool(r.Policies[k].Tree.Effect)
		before := r.results[k][i]
		switch {
		case was.names(permit, before) != is.names(permit, after[k]):
			return inReasons
		case (before == fails) != (after[k] == fails):
			gravest = inErrors
		}
	}
	return gravest
}
