package level1

import (
	"context"

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

// asked is where an entity is looked up: a point, and the policies that do.
type asked struct {
	point    int
	policies []int32
}

// store compares mutants of the user's entities, of those that some policy
// looks up for some request; only these policies can come to something else
// there.
func (r *run) store(ctx context.Context) error {
	looks := make([]map[types.EntityUID][]int32, len(r.points))
	err := r.each(ctx, "requests looked at for your entities", len(r.points), 64, func(i int) { looks[i] = r.looks(r.points[i]) })
	if err != nil {
		return err
	}
	asking := map[types.EntityUID][]asked{}
	for i, m := range looks {
		for uid, policies := range m {
			asking[uid] = append(asking[uid], asked{i, policies})
		}
	}
	mutants := cedar.StoreMutants(r.Entities, func(uid types.EntityUID) bool { return len(asking[uid]) > 0 })
	r.result.Store = make([]StoreVerdict, len(mutants))
	r.result.Unasked = len(r.Entities) - len(asking)
	return r.each(ctx, "compared mutants of your entities", len(mutants), 1, func(i int) {
		v := StoreVerdict{StoreMutant: mutants[i]}
		r.compareStore(&v, asking[v.UID])
		r.result.Store[i] = v
	})
}

// looks lists which of the user's entities are looked up at a point, and by
// which policies.
func (r *run) looks(p point) map[types.EntityUID][]int32 {
	out := map[types.EntityUID][]int32{}
	own := p.entities
	for _, k := range r.actions[actionKey(p.action)] {
		w := watched{own, map[types.EntityUID]bool{}}
		p.entities = w
		p.authorize(r.compiled[k])
		for uid := range w.seen {
			if _, stored := r.Entities[uid]; stored {
				out[uid] = append(out[uid], k)
			}
		}
	}
	return out
}

func (r *run) compareStore(v *StoreVerdict, at []asked) {
	if !v.Gone && r.validator.Entity(v.Entity) != nil {
		v.Status = Stillborn
		return
	}
	found := map[difference][]int{}
	for _, a := range at {
		i := a.point
		d := r.differsWith(&v.StoreMutant, a)
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
func (r *run) differsWith(m *cedar.StoreMutant, a asked) difference {
	p := r.points[a.point]
	p.entities = patched{p.entities, p.own, m}
	old := r.votes(a.point)
	now, after := old, make([]held, len(a.policies))
	for n, k := range a.policies {
		effect := bool(r.Policies[k].Tree.Effect)
		after[n] = p.authorize(r.compiled[k])
		now = r.exchange(now, int(k), r.origin(int(k), a.point), effect, after[n])
	}
	if r.Rule.allows(old, p.valid) != r.Rule.allows(now, p.valid) {
		return inDecision
	}
	was, is := r.Rule.named(old, p.valid), r.Rule.named(now, p.valid)
	if was != is {
		return inReasons
	}
	gravest := none
	for n, k := range a.policies {
		permit, before := bool(r.Policies[k].Tree.Effect), r.origin(int(k), a.point)
		switch {
		case was.names(permit, before) != is.names(permit, after[n]):
			return inReasons
		case (before == fails) != (after[n] == fails):
			gravest = inErrors
		}
	}
	return gravest
}
