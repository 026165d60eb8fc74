package level1

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"iter"
	"slices"

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

	principal, action, resource []types.EntityUID // each with all that it is in
}

func newPoint(request cedargo.Request, entities types.EntityGetter, own types.EntityMap, valid bool) point {
	return point{
		request, entities, own, valid,
		above(entities, request.Principal), above(entities, request.Action), above(entities, request.Resource),
	}
}

// ask lists the user's requests and then the domain's.
func (r *run) ask(d *domain.Domain) []point {
	var out []point
	for _, c := range r.Cases {
		valid := r.validator.Request(c.Request) == nil && r.validator.Entities(c.Own) == nil
		out = append(out, newPoint(c.Request, d.Get(domain.Request{Own: c.Own}), c.Own, valid))
	}
	for _, q := range d.Requests {
		out = append(out, newPoint(q.Request, d.Get(q), q.Own, q.Valid))
	}
	return out
}

// alone is a set of one policy.
type alone struct {
	tree   *cedar.Tree
	policy *cedargo.Policy
}

func compile(t *cedar.Tree) alone { return alone{t, cedar.Compile(t)} }

func (a alone) All() iter.Seq2[cedargo.PolicyID, *cedargo.Policy] {
	return func(yield func(cedargo.PolicyID, *cedargo.Policy) bool) { yield("", a.policy) }
}

// ask evaluates one policy at one request.
func (a alone) ask(p *point) held {
	if !p.inScope(a.tree) {
		return not
	}
	return p.authorize(a)
}

// authorize is what cedar-go says of one policy.
func (p *point) authorize(a alone) held {
	_, diagnostic := cedargo.Authorize(a, p.entities, p.request)
	switch {
	case len(diagnostic.Errors) > 0:
		return fails
	case len(diagnostic.Reasons) > 0:
		return holds
	}
	return not
}

// asker evaluates a mutant at a point; a policy that is gone holds nowhere.
func asker(m cedar.Mutant) func(p *point) held {
	if m.Tree == nil {
		return func(*point) held { return not }
	}
	return compile(m.Tree).ask
}

// comes is what a policy comes to that holds or fails.
type comes struct {
	policy int32
	held   held
}

// all evaluates all original policies at a point, in their order.
func (r *run) all(p *point) []comes {
	var out []comes
	for _, k := range r.actions[actionKey(p.action)] {
		if h := r.compiled[k].ask(p); h != not {
			out = append(out, comes{k, h})
		}
	}
	return out
}

// origin is what an original policy comes to at a point.
func (r *run) origin(k, i int) held {
	n, found := slices.BinarySearchFunc(r.came[i], int32(k), func(c comes, k int32) int { return int(c.policy - k) })
	if !found {
		return not
	}
	return r.came[i][n].held
}

// count is what several policies come to together.
func (r *run) count(list []comes) votes {
	var v votes
	for _, c := range list {
		v = v.with(bool(r.Policies[c.policy].Tree.Effect), c.held, 1)
	}
	return v
}

// originals evaluates the original policies.
func (r *run) originals(ctx context.Context) error {
	for _, p := range r.Policies {
		r.compiled = append(r.compiled, compile(p.Tree))
	}
	r.actions = r.index(r.points)
	r.came, r.tallies = make([][]comes, len(r.points)), make([]votes, len(r.points))
	err := r.each(ctx, "evaluated requests", len(r.points), 64, func(i int) {
		r.came[i] = r.all(&r.points[i])
		r.tallies[i] = r.count(r.came[i])
	})
	if err != nil {
		return err
	}
	r.original = r.outcomes(r.everywhere, -1, nil, nil)
	return nil
}

// votes are how many policies permit, forbid and fail.
type votes struct{ permits, forbids, failures int32 }

func (r *run) votes(i int) votes { return r.tallies[i] }

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

// outcomes is the SHA-256 of what the policies come to at some points: the
// decision, which policies made it, and which failed. Policy k is taken for
// what it comes to as mutant, in results by place in the list, unless k is -1.
func (r *run) outcomes(list []int, k int, mutant *cedar.Tree, results []held) string {
	h := sha256.New()
	var line []byte
	for n, i := range list {
		now, mine := r.came[i], not
		if k >= 0 {
			now, mine = exchanged(now, int32(k), results[n]), results[n]
		}
		valid := r.points[i].valid
		v := r.votes(i)
		if k >= 0 {
			v = v.with(bool(r.Policies[k].Tree.Effect), r.origin(k, i), -1).with(mutant != nil && bool(mutant.Effect), mine, 1)
		}
		who := r.Rule.named(v, valid)
		line = append(line[:0], 0, byte(who))
		if r.Rule.allows(v, valid) {
			line[0] = 1
		}
		for _, c := range now {
			permit := bool(r.Policies[c.policy].Tree.Effect)
			if int(c.policy) == k {
				permit = mutant != nil && bool(mutant.Effect)
			}
			if who.names(permit, c.held) {
				line = binary.BigEndian.AppendUint32(line, uint32(c.policy)<<1)
			}
			if c.held == fails && (r.Rule == Cedar || valid) {
				line = binary.BigEndian.AppendUint32(line, uint32(c.policy)<<1|1)
			}
		}
		h.Write(binary.BigEndian.AppendUint32(nil, uint32(len(line))))
		h.Write(line)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// exchanged is a list with what one policy comes to instead.
func exchanged(list []comes, k int32, h held) []comes {
	n, found := slices.BinarySearchFunc(list, k, func(c comes, k int32) int { return int(c.policy - k) })
	switch {
	case found && list[n].held == h || !found && h == not:
		return list
	case !found:
		return slices.Insert(slices.Clone(list), n, comes{k, h})
	case h == not:
		return slices.Delete(slices.Clone(list), n, n+1)
	}
	out := slices.Clone(list)
	out[n].held = h
	return out
}
