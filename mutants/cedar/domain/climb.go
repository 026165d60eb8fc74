package domain

import (
	"slices"

	"github.com/cedar-policy/cedar-go/types"
	xast "github.com/cedar-policy/cedar-go/x/exp/ast"
	"github.com/cedar-policy/cedar-go/x/exp/eval"

	"postern/mutants/cedar"
)

// around adds requests at which the policy holds and those next to them: in
// these one part of a condition decides, which is where a mutant of it shows.
// What is left of the budget is chosen at random.
func (f *focus) around(s *space, budget int) {
	before := len(f.valid)
	full := func() bool { return len(f.valid)-before >= budget }
	for range climbs {
		if full() {
			return
		}
		assigned := f.climb(s)
		f.take(s, assigned)
		for i, a := range s.axes {
			if !s.own[i] {
				continue
			}
			next := slices.Clone(assigned)
			for c := range a.choices {
				if next[i] = c; !full() {
					f.any(s, next, false)
					f.take(s, next)
				}
			}
		}
	}
	assigned := make([]int, len(s.axes))
	for range budget {
		if full() {
			return
		}
		f.any(s, assigned, true)
		f.any(s, assigned, false)
		f.take(s, assigned)
	}
}

// sweeps bounds how often all places are tried again.
const sweeps = 4

// climb looks for a request at which the policy holds: from a random one it
// takes, place by place, the value with which most of the policy holds.
func (f *focus) climb(s *space) []int {
	assigned := make([]int, len(s.axes))
	f.any(s, assigned, true)
	f.any(s, assigned, false)
	goal := eval.PolicyToNode(f.subject.original).AsIsNode()
	best := f.near(s, goal, assigned)
	for range sweeps {
		before := best
		for _, i := range f.random.Perm(len(s.axes)) {
			if !s.own[i] || best == 1 {
				continue
			}
			kept := assigned[i]
			for c := range s.axes[i].choices {
				assigned[i] = c
				if n := f.near(s, goal, assigned); n > best {
					best, kept = n, c
				}
			}
			assigned[i] = kept
		}
		if best == 1 || best == before {
			break
		}
	}
	return assigned
}

// near is how much of a condition holds: 1 is all.
func (f *focus) near(s *space, goal cedar.Node, assigned []int) float64 {
	r := s.request(s.settled(assigned))
	return holds(goal, true, eval.Env{
		Principal: r.Principal, Action: r.Action, Resource: r.Resource, Context: r.Context, Entities: f.maker.Get(r),
	})
}

func holds(n cedar.Node, wanted bool, env eval.Env) float64 {
	switch n := n.(type) {
	case xast.NodeTypeAnd:
		return joined(flat(n), wanted, wanted, env)
	case xast.NodeTypeOr:
		return joined(flat(n), !wanted, wanted, env)
	case xast.NodeTypeNot:
		return holds(n.Arg, !wanted, env)
	case xast.NodeTypeIfThenElse:
		return max((holds(n.If, true, env)+holds(n.Then, wanted, env))/2, (holds(n.If, false, env)+holds(n.Else, wanted, env))/2)
	}
	v, err := eval.Eval(n, env)
	if b, ok := v.(types.Boolean); err == nil && ok && bool(b) == wanted {
		return 1
	}
	return 0
}

// joined is the mean of several where all are needed, and else the most.
func joined(list []cedar.Node, all, wanted bool, env eval.Env) float64 {
	sum, most := 0.0, 0.0
	for _, n := range list {
		h := holds(n, wanted, env)
		sum, most = sum+h, max(most, h)
	}
	if all {
		return sum / float64(len(list))
	}
	return most
}

// flat lists the operands of an && in an &&, or of an || in an ||.
func flat(n cedar.Node) []cedar.Node {
	var out []cedar.Node
	for _, side := range cedar.Children(n) {
		if cedar.Kind(side.Node) == cedar.Kind(n) {
			out = append(out, flat(side.Node)...)
		} else {
			out = append(out, side.Node)
		}
	}
	return out
}
