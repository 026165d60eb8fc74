package domain

import (
	"context"
	"math/rand/v2"
	"slices"
	"sync/atomic"

	cedargo "github.com/cedar-policy/cedar-go"
	"github.com/cedar-policy/cedar-go/types"
	"golang.org/x/sync/errgroup"

	"postern/mutants/cedar"
)

// The bounds of what a policy gets.
const (
	repeats     = 16 // of all its combinations, each time beside another choice of the rest
	strangers   = 4  // kinds of requests that a mutant asks and its policy does not
	leastOfKind = 4  // requests of a kind: of too many kinds some are left out
	climbs      = 3  // requests at which the policy holds, to be asked around
	someStored  = 16 // of the user's entities of a type
)

// portion is what one policy got.
type portion struct {
	valid, hostile []checked
	whole          bool
}

// focused makes requests for each policy. The policies are worked on at once,
// and their requests put together in their order.
func (m *maker) focused(ctx context.Context) error {
	rest := make([]*space, len(m.every))
	err := m.together(ctx, len(rest), nil, func(i int) {
		var homes []*reads
		for _, p := range m.policies {
			if m.reaches(p.original, m.every[i]) {
				homes = append(homes, p.reads)
			}
		}
		if s := m.space(m.every[i], merged(homes), 4*someStored); s.askable() {
			rest[i] = s
		}
	})
	if err != nil {
		return err
	}
	portions := make([]portion, len(m.policies))
	if err := m.together(ctx, len(portions), m.options.Tell, func(k int) { portions[k] = m.portion(k, rest) }); err != nil {
		return err
	}
	m.Own = make([][]int32, len(portions))
	for k, p := range portions {
		m.Whole[k] = p.whole
		for _, c := range p.valid {
			m.Own[k] = append(m.Own[k], m.add(c, false))
		}
	}
	m.Valid = len(m.Requests)
	for k, p := range portions {
		for _, c := range p.hostile {
			m.Own[k] = append(m.Own[k], m.add(c, true))
		}
	}
	return nil
}

// together does n things, several at once, until the context ends.
func (m *maker) together(ctx context.Context, n int, tell func(done, total int), do func(i int)) error {
	var group errgroup.Group
	group.SetLimit(max(m.options.Workers, 1))
	var done atomic.Int64
	for i := range n {
		if ctx.Err() != nil {
			break
		}
		group.Go(func() error {
			if ctx.Err() == nil {
				do(i)
			}
			if now := done.Add(1); tell != nil {
				tell(int(now), n)
			}
			return nil
		})
	}
	group.Wait()
	return ctx.Err()
}

// focus is the work on one policy.
type focus struct {
	portion
	maker    *maker
	subject  *subject
	compiled *cedargo.Policy
	random   *rand.Rand // the same every time
	seen     map[[32]byte]bool
}

// portion makes the requests for one policy: of the kinds that it asks, and of
// some that only a mutant asks.
func (m *maker) portion(k int, rest []*space) portion {
	p := m.policies[k]
	f := &focus{
		maker: m, subject: p, compiled: cedar.Compile(p.original),
		random: rand.New(rand.NewPCG(uint64(k), Version)), seen: map[[32]byte]bool{},
	}
	var home, foreign []int
	for i, kind := range m.every {
		switch {
		case rest[i] == nil:
		case m.reaches(p.original, kind):
			home = append(home, i)
		case slices.ContainsFunc(p.scopes, func(t *cedar.Tree) bool { return m.reaches(t, kind) }):
			foreign = append(foreign, i)
		}
	}
	share := max(m.options.Limit/len(m.policies), 1)
	away := 0
	if len(foreign) > 0 {
		away = share / 4
	}
	asked := spread(home, max((share-away)/leastOfKind, 1))
	f.kinds(asked, share-away, rest)
	whole := f.whole && len(asked) == len(home)
	f.kinds(spread(foreign, min(strangers, away)), away, rest)
	f.whole = whole
	if !slices.Contains(m.options.Without, Hostile) {
		f.refused(max(hostileLimit/len(m.policies), hostileEach))
	}
	return f.portion
}

// spread takes n of a list, evenly.
func spread(list []int, n int) []int {
	if len(list) <= n {
		return list
	}
	out := make([]int, n)
	for i := range out {
		out[i] = list[i*len(list)/n]
	}
	return out
}

// kinds divides a number of requests among kinds: what one does not need goes
// to the next.
func (f *focus) kinds(which []int, budget int, rest []*space) {
	f.whole = true
	for n, i := range which {
		own := f.maker.space(f.maker.every[i], f.subject.reads, someStored)
		if own.askable() {
			before := len(f.valid)
			f.fill(mix(own, rest[i]), max(budget/(len(which)-n), 1))
			budget -= len(f.valid) - before
		}
	}
}

// mix is what one policy reads of a kind, beside what the others read.
func mix(own, rest *space) *space {
	s := *own
	s.axes = nil
	there, of := map[string]int{}, map[string]axis{}
	for _, a := range rest.axes {
		of[key(a.path)] = a
	}
	add := func(a axis, own bool) {
		there[key(a.path)] = len(s.axes)
		s.axes, s.own = append(s.axes, a), append(s.own, own)
	}
	for _, a := range own.axes {
		// A policy that asks nothing of who it is takes anybody that others name.
		var open []choice
		if len(a.path) == 1 && len(a.choices) == 1 {
			open = slices.DeleteFunc(slices.Clone(of[key(a.path)].choices), func(c choice) bool { return !c.open })
		}
		if len(open) > 0 {
			a.choices = open
		}
		add(a, len(open) == 0)
	}
	for _, a := range rest.axes {
		if _, has := there[key(a.path)]; has {
			if i := there[key(a.path)]; a.path[len(a.path)-1] == groupsStep {
				more := a.choices
				a.path = append(slices.Clone(a.path[:len(a.path)-1]), moreStep)
				a.choices, a.parent = unasked(more, asked(s.axes[i].choices)), s.axes[i].parent
				add(a, false)
			}
			continue
		}
		if a.parent >= 0 {
			a.parent = there[key(rest.axes[a.parent].path)]
		}
		add(a, false)
	}
	return &s
}

// asked are the groups that some choice has.
func asked(choices []choice) []types.EntityUID {
	var out []types.EntityUID
	for _, c := range choices {
		p := c.value.(parents)
		out = append(append(out, p.at...), p.via...)
	}
	return out
}

// unasked are choices of groups without those that a policy asks for: whether
// an entity is in the others is nothing to the policy.
func unasked(choices []choice, asked []types.EntityUID) []choice {
	drop := func(list []types.EntityUID) []types.EntityUID {
		return slices.DeleteFunc(slices.Clone(list), func(g types.EntityUID) bool { return slices.Contains(asked, g) })
	}
	out := make([]choice, len(choices))
	for i, c := range choices {
		p := c.value.(parents)
		out[i] = choice{value: parents{at: drop(p.at), via: drop(p.via)}}
	}
	return out
}

// fill adds all combinations of what the policy reads, or some, beside a choice
// of everything else.
func (f *focus) fill(s *space, budget int) {
	own := func(i int) bool { return s.own[i] }
	n := s.count(own, budget)
	if n > budget {
		f.whole = false
		f.around(s, budget)
		return
	}
	f.whole = f.whole && !s.cut
	assigned := make([]int, len(s.axes))
	for range min(budget/max(n, 1), repeats) {
		s.each(own, assigned, func(chosen []int) bool {
			f.any(s, chosen, false)
			f.take(s, chosen)
			return true
		})
	}
}

// any chooses what others read, or what the policy reads, at random.
func (f *focus) any(s *space, assigned []int, own bool) {
	for i, a := range s.axes {
		if s.own[i] == own {
			assigned[i] = f.random.IntN(len(a.choices))
		}
	}
}

// take keeps a request, unless it is there or the schema refuses it.
func (f *focus) take(s *space, assigned []int) {
	assigned = s.settled(assigned)
	c := f.maker.checked(s.request(assigned))
	if !c.Valid || f.seen[c.sum] {
		return
	}
	f.seen[c.sum] = true
	f.valid = append(f.valid, c)
}

// refused adds changes, which the schema refuses, of a request at which the
// policy holds, and of the first.
func (f *focus) refused(budget int) {
	if len(f.valid) == 0 {
		return
	}
	at := slices.IndexFunc(f.valid, func(c checked) bool { return f.maker.comes(f.compiled, c.Request) == 1 })
	for _, base := range []int{max(at, 0), 0} {
		for _, h := range f.maker.changes(f.valid[base].Request) {
			c := f.maker.checked(h)
			if !c.Valid && !f.seen[c.sum] && len(f.hostile) < budget {
				f.seen[c.sum] = true
				f.hostile = append(f.hostile, c)
			}
		}
	}
}
