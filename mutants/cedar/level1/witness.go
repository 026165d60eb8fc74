package level1

import (
	"math"
	"slices"
	"strings"
	"sync/atomic"

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

// The bounds of looking for a near request: how many of those at which a mutant
// differs are compared, and how often one is compared with one of the user's.
const (
	looked   = 500
	compared = 50_000
)

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
	best, found := Witness{Distance: math.MaxInt}, at[0]
	n := min(len(at), looked, max(compared/len(r.Cases), 16))
	for k := range n {
		i := at[k*len(at)/n]
		own := r.featuresAt(i)
		for c := range r.Cases {
			if d := distance(own, r.featuresAt(c), best.Distance); d < best.Distance {
				best, found = Witness{Case: c + 1, Distance: d}, i
			}
		}
	}
	return r.witness(found, &best)
}

// nearestOf is a request that is no point, and which of the user's own differs
// least from it.
func (r *run) nearestOf(p *point, allows bool) *Witness {
	w := &Witness{Request: p.request, Own: p.own, Allows: allows, Valid: p.valid, Distance: math.MaxInt}
	own := features(*p)
	for c := range r.Cases {
		if d := distance(own, r.featuresAt(c), w.Distance); d < w.Distance {
			w.Case, w.Distance = c+1, d
		}
	}
	if w.Case == 0 {
		w.Distance = 0
	}
	return w
}

// featured keeps the features of points once somebody asked for them.
type featured struct{ of []atomic.Pointer[[]string] }

func (r *run) featuresAt(i int) []string {
	if kept := r.features.of[i].Load(); kept != nil {
		return *kept
	}
	f := features(r.points[i])
	r.features.of[i].Store(&f)
	return f
}

// features are the values of a request, each after the place where it stands
// and a line's end, sorted.
func features(p point) []string {
	out := []string{
		"principal\n" + p.request.Principal.String(), "action\n" + p.request.Action.String(), "resource\n" + p.request.Resource.String(),
	}
	out = spread(out, "context", p.request.Context)
	for _, role := range []string{"principal", "resource"} {
		uid := p.request.Principal
		if role == "resource" {
			uid = p.request.Resource
		}
		e, ok := p.entities.Get(uid)
		if !ok {
			continue
		}
		out = spread(out, role, e.Attributes)
		out = spread(out, role+" tag", e.Tags)
		var above []string
		for g := range e.Parents.All() {
			above = append(above, g.String())
		}
		slices.Sort(above)
		out = append(out, role+" in\n"+strings.Join(above, ", "))
	}
	slices.Sort(out)
	return out
}

func spread(out []string, at string, r types.Record) []string {
	for k, v := range r.All() {
		out = append(out, at+"."+string(k)+"\n"+v.String())
	}
	return out
}

// distance is in how many places two requests differ, or some number that is
// not below a limit.
func distance(a, b []string, limit int) int {
	n := 0
	for len(a) > 0 && len(b) > 0 && n < limit {
		if a[0] == b[0] {
			a, b = a[1:], b[1:]
			continue
		}
		first, _, _ := strings.Cut(a[0], "\n")
		second, _, _ := strings.Cut(b[0], "\n")
		n++
		switch c := strings.Compare(first, second); {
		case c == 0:
			a, b = a[1:], b[1:]
		case c < 0:
			a = a[1:]
		default:
			b = b[1:]
		}
	}
	return n + len(a) + len(b)
}
