package level1

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"iter"

	cedargo "github.com/cedar-policy/cedar-go"
	"github.com/cedar-policy/cedar-go/types"

	"postern/mutants/cedar"
	"postern/mutants/cedar/domain"
)

// held is what a policy comes to at a request.
type held uint8

const (
	not   held = iota // its scope or a condition does not hold
	holds             // it holds
	fails             // it could not be evaluated
)

// point is a request with the entities that it is asked about.
type point struct {
	request  cedargo.Request
	entities types.EntityGetter
	own      types.EntityMap
	valid    bool
}

// ask lists the user's requests and then the domain's.
func (r *run) ask(d *domain.Domain) []point {
	var out []point
	for _, c := range r.Cases {
		valid := r.validator.Request(c.Request) == nil && r.validator.Entities(c.Own) == nil
		out = append(out, point{c.Request, d.Get(domain.Request{Own: c.Own}), c.Own, valid})
	}
	for _, q := range d.Requests {
		out = append(out, point{q.Request, d.Get(q), q.Own, q.Valid})
	}
	return out
}

// alone is a set of one policy.
type alone struct{ policy *cedargo.Policy }

func (a alone) All() iter.Seq2[cedargo.PolicyID, *cedargo.Policy] {
	return func(yield func(cedargo.PolicyID, *cedargo.Policy) bool) { yield("", a.policy) }
}

// ask evaluates one policy at one request.
func (a alone) ask(p *point) held {
	_, diagnostic := cedargo.Authorize(a, p.entities, p.request)
	switch {
	case len(diagnostic.Errors) > 0:
		return fails
	case len(diagnostic.Reasons) > 0:
		return holds
	}
	return not
}

// everywhere evaluates a mutant at all points; a policy that is gone holds
// nowhere.
func (r *run) everywhere(m cedar.Mutant) []held {
	out := make([]held, len(r.points))
	if m.Tree == nil {
		return out
	}
	at := r.asker(m)
	for i := range r.points {
		out[i] = at(i)
	}
	return out
}

// asker evaluates a mutant at a point. Where its scope is its policy's and does
// not hold, nothing needs to be evaluated: that is most of a large domain.
func (r *run) asker(m cedar.Mutant) func(i int) held {
	a := alone{cedar.Compile(m.Tree)}
	if !m.KeepsScope() {
		return func(i int) held { return a.ask(&r.points[i]) }
	}
	return func(i int) held {
		if !r.inScope[m.Policy][i] {
			return not
		}
		return a.ask(&r.points[i])
	}
}

// originals evaluates the original policies.
func (r *run) originals(ctx context.Context) error {
	r.results, r.inScope = make([][]held, len(r.Policies)), make([][]bool, len(r.Policies))
	err := r.each(ctx, len(r.Policies), func(k int) {
		scope := *r.Policies[k].Tree
		scope.Conditions = nil
		whole, bare := alone{cedar.Compile(r.Policies[k].Tree)}, alone{cedar.Compile(&scope)}
		r.results[k], r.inScope[k] = make([]held, len(r.points)), make([]bool, len(r.points))
		for i := range r.points {
			r.inScope[k][i] = bare.ask(&r.points[i]) != not
			r.results[k][i] = whole.ask(&r.points[i])
		}
	})
	if err != nil {
		return err
	}
	n := len(r.points)
	r.permits, r.forbids, r.failures = make([]int32, n), make([]int32, n), make([]int32, n)
	for k, results := range r.results {
		for i, h := range results {
			switch {
			case h == fails:
				r.failures[i]++
			case h == holds && bool(r.Policies[k].Tree.Effect):
				r.permits[i]++
			case h == holds:
				r.forbids[i]++
			}
		}
	}
	r.original = r.outcomes(-1, nil, nil)
	return nil
}

// votes are how many policies permit, forbid and fail.
type votes struct{ permits, forbids, failures int32 }

func (r *run) votes(i int) votes { return votes{r.permits[i], r.forbids[i], r.failures[i]} }

// with is the votes with one policy's more, or less with by -1.
func (v votes) with(permit bool, h held, by int32) votes {
	switch {
	case h == fails:
		v.failures += by
	case h == holds && permit:
		v.permits += by
	case h == holds:
		v.forbids += by
	}
	return v
}

// allows is the decision that votes come to.
func (rule Rule) allows(v votes, valid bool) bool {
	if rule == Strict && (!valid || v.failures > 0) {
		return false
	}
	return v.permits > 0 && v.forbids == 0
}

// named says which policies a decision names: those that forbid, those that
// permit, or none. With Strict, a request that is refused names none.
func (rule Rule) named(v votes, valid bool) named {
	switch {
	case rule == Strict && !valid:
		return nobody
	case rule == Strict && v.failures > 0:
		return failing
	case v.forbids > 0:
		return forbidding
	case v.permits > 0:
		return permitting
	}
	return nobody
}

type named uint8

const (
	nobody named = iota
	permitting
	forbidding
	failing
)

// names reports whether a decision names a policy.
func (n named) names(permit bool, h held) bool {
	switch n {
	case permitting:
		return h == holds && permit
	case forbidding:
		return h == holds && !permit
	case failing:
		return h == fails
	}
	return false
}

// outcomes is the SHA-256 of what the policies come to at each point: the
// decision, which policies made it, and which failed. Policy k is taken for
// what it comes to as mutant, unless k is -1.
func (r *run) outcomes(k int, mutant *cedar.Tree, results []held) string {
	h := sha256.New()
	var line []byte
	for i, p := range r.points {
		v := r.votes(i)
		if k >= 0 {
			v = v.with(bool(r.Policies[k].Tree.Effect), r.results[k][i], -1).with(mutant != nil && bool(mutant.Effect), results[i], 1)
		}
		n := r.Rule.named(v, p.valid)
		line = append(line[:0], 0, byte(n))
		if r.Rule.allows(v, p.valid) {
			line[0] = 1
		}
		for j := range r.Policies {
			permit, held := bool(r.Policies[j].Tree.Effect), r.results[j][i]
			if j == k {
				permit, held = mutant != nil && bool(mutant.Effect), results[i]
			}
			if n.names(permit, held) {
				line = binary.BigEndian.AppendUint32(line, uint32(j)<<1)
			}
			if held == fails && (r.Rule == Cedar || p.valid) {
				line = binary.BigEndian.AppendUint32(line, uint32(j)<<1|1)
			}
		}
		h.Write(binary.BigEndian.AppendUint32(nil, uint32(len(line))))
		h.Write(line)
	}
	return hex.EncodeToString(h.Sum(nil))
}
