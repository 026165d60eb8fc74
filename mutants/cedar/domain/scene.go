package domain

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"github.com/cedar-policy/cedar-go/types"
	xast "github.com/cedar-policy/cedar-go/x/exp/ast"
	"github.com/cedar-policy/cedar-go/x/exp/eval"

	"postern/mutants/cedar"
)

// Scene is what a few policies read of one kind of request: small where the
// whole domain is not.
type Scene struct {
	Cut   bool // some of the user's entities were left out: it is not all combinations
	space *space
	maker *maker
}

// Kinds is how many kinds of requests the schema knows.
func (d *Domain) Kinds() int { return len(d.maker.every) }

// Asks reports whether the scope of a policy can hold for a kind.
func (d *Domain) Asks(kind int, t *cedar.Tree) bool {
	return t != nil && d.maker.reaches(t, d.maker.every[kind])
}

// Scene is what policies, and a mutant, read of a kind. It reports false where
// nobody can be asked.
func (d *Domain) Scene(kind int, originals []*cedar.Tree, mutant *cedar.Tree) (*Scene, bool) {
	m := d.maker
	var sources []Source
	for _, t := range originals {
		sources = append(sources, Source{Tree: t})
	}
	sources = append(sources, Source{Tree: mutant, Mutant: true})
	s := m.space(m.every[kind], gather(sources, m.tags), someStored)
	return &Scene{s.cut, s, m}, s.askable()
}

// Count is how many combinations there are, up to one more than a limit.
func (s *Scene) Count(limit int) int { return s.space.count(everything, limit) }

// Each visits all combinations, unless there are more than a limit or visit
// ends it; it reports whether all were visited.
func (s *Scene) Each(limit int, visit func(Request) bool) bool {
	if s.Cut || s.Count(limit) > limit {
		return false
	}
	return s.space.each(everything, make([]int, len(s.space.axes)), func(assigned []int) bool {
		return visit(s.space.request(assigned))
	})
}

// Valid reports whether the schema accepts a request.
func (s *Scene) Valid(r Request) bool {
	return s.maker.validator.Request(r.Request) == nil && s.maker.validator.Entities(r.Own) == nil
}

// Climb looks for a request at which all terms are as wanted and a changed part
// comes to something else: from a random one it takes, place by place, the value
// with which most is so.
func (s *Scene) Climb(seed uint64, part cedar.Isolated, terms []cedar.Term, moves func(Request) bool) (Request, bool) {
	random := rand.New(rand.NewPCG(seed, Version))
	goals := make([]cedar.Node, len(terms))
	for i, t := range terms {
		goals[i] = node(t.Tree)
	}
	before, after := node(part.Before), node(part.After)
	whole := float64(len(terms) + 1)
	score := func(assigned []int) float64 {
		r := s.space.request(s.space.settled(assigned))
		env := s.env(r)
		sum := 0.0
		for i, t := range terms {
			sum += holds(goals[i], t.Holds, env)
		}
		if moves(r) {
			return sum + 1
		}
		return sum + nearly*max(holds(before, true, env)+holds(after, false, env), holds(before, false, env)+holds(after, true, env))/2
	}
	for range starts {
		assigned := make([]int, len(s.space.axes))
		for i, a := range s.space.axes {
			assigned[i] = random.IntN(len(a.choices))
		}
		if s.climb(random, assigned, whole, score) {
			if r := s.space.request(s.space.settled(assigned)); s.Valid(r) {
				return r, true
			}
		}
	}
	return Request{}, false
}

// Nearest sorts policies by how much of each holds at a request, the most first.
func (s *Scene) Nearest(r Request, policies []*cedar.Tree) {
	env := s.env(r)
	much := make(map[*cedar.Tree]float64, len(policies))
	for _, t := range policies {
		much[t] = holds(node(t), true, env)
	}
	slices.SortStableFunc(policies, func(a, b *cedar.Tree) int { return cmp.Compare(much[b], much[a]) })
}

func (s *Scene) env(r Request) eval.Env {
	return eval.Env{Principal: r.Principal, Action: r.Action, Resource: r.Resource, Context: r.Context, Entities: s.maker.Get(r)}
}

// The bounds of a climb.
const (
	starts   = 3
	passes   = 6   // over all places
	nearly   = 0.9 // of what counts for a part that comes to something else, where it does not
	sideways = 2   // one in so many values that are no better is taken too
)

// climb reports whether it has reached the whole score.
func (s *Scene) climb(random *rand.Rand, assigned []int, whole float64, score func([]int) float64) bool {
	best := score(assigned)
	for range passes {
		for _, i := range random.Perm(len(assigned)) {
			kept := assigned[i]
			for c := range s.space.axes[i].choices {
				if best == whole {
					break
				}
				if c == kept {
					continue
				}
				assigned[i] = c
				if n := score(assigned); n > best || n == best && random.IntN(sideways) == 0 {
					best, kept = n, c
				}
			}
			assigned[i] = kept
		}
		if best == whole {
			return true
		}
	}
	return false
}

// node is a policy as one truth value; one that is gone is false.
func node(t *cedar.Tree) cedar.Node {
	if t == nil {
		return xast.NodeValue{Value: types.False}
	}
	return eval.PolicyToNode(t).AsIsNode()
}
