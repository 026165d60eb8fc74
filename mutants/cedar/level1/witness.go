package level1

import (
	"slices"
	"strings"

	cedargo "github.com/cedar-policy/cedar-go"
	"github.com/cedar-policy/cedar-go/types"
)

// Witness is a request at which a mutant differs from its original.
type Witness struct {
	Request  cedargo.Request
	Own      types.EntityMap // the entities that it was asked about, beside the user's
	Allows   bool            // what the original decides
	Valid    bool            // the schema accepts it
	Case     int             // the user's request that it is, or is nearest to, from 1; 0 if there is none
	Distance int             // in how many values it differs from that
}

func (r *run) witness(i int, near *Witness) *Witness {
	p := r.points[i]
	w := &Witness{Request: p.request, Own: p.own, Allows: r.Rule.allows(r.votes(i), p.valid), Valid: p.valid}
	if i < len(r.Cases) {
		w.Case = i + 1
	}
	if near != nil {
		w.Case, w.Distance = near.Case, near.Distance
	}
	return w
}

// looked bounds how many of the requests at which a mutant differs are
// compared with the user's own.
const looked = 500

// nearest is the request that differs least from one of the user's own, and a
// valid one if there is any; without such, the first.
func (r *run) nearest(at []int) *Witness {
	valid := slices.DeleteFunc(slices.Clone(at), func(i int) bool { return !r.points[i].valid })
	if len(valid) > 0 {
		at = valid
	}
	if len(r.Cases) == 0 {
		return r.witness(at[0], nil)
	}
	best, found := Witness{Distance: int(^uint(0) >> 1)}, at[0]
	cases := make([]map[string]string, len(r.Cases))
	for c := range cases {
		cases[c] = features(r.points[c])
	}
	for _, i := range at[:min(len(at), looked)] {
		own := features(r.points[i])
		for c := range cases {
			if d := distance(own, cases[c]); d < best.Distance {
				best, found = Witness{Case: c + 1, Distance: d}, i
			}
		}
	}
	return r.witness(found, &best)
}

// features are the values of a request, by where they stand.
func features(p point) map[string]string {
	out := map[string]string{
		"principal": p.request.Principal.String(), "action": p.request.Action.String(), "resource": p.request.Resource.String(),
	}
	spread(out, "context", p.request.Context)
	for role, uid := range map[string]types.EntityUID{"principal": p.request.Principal, "resource": p.request.Resource} {
		e, ok := p.entities.Get(uid)
		if !ok {
			continue
		}
		spread(out, role, e.Attributes)
		spread(out, role+" tag", e.Tags)
		var above []string
		for g := range e.Parents.All() {
			above = append(above, g.String())
		}
		slices.Sort(above)
		out[role+" in"] = strings.Join(above, ", ")
	}
	return out
}

func spread(out map[string]string, at string, r types.Record) {
	for k, v := range r.All() {
		out[at+"."+string(k)] = v.String()
	}
}

func distance(a, b map[string]string) int {
	n := 0
	for k, v := range a {
		if w, ok := b[k]; !ok || v != w {
			n++
		}
	}
	for k := range b {
		if _, ok := a[k]; !ok {
			n++
		}
	}
	return n
}
