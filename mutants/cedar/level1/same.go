package level1

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"postern/mutants/cedar"
	"postern/mutants/cedar/domain"
)

// condition is a term that can be asked, and the policy that it is, if it is one.
type condition struct {
	cedar.Term
	ask    func(*point) held
	policy string
}

// settles reports whether, with a condition as it is, it does not matter what
// the changed part comes to. A part that fails does so whatever comes after it.
func (c condition) settles(at *point, before, after held) bool {
	if !c.First && (before == fails || after == fails) {
		return false
	}
	h := c.ask(at)
	return c.Holds && h == not || !c.Holds && h == holds
}

// settled is the conditions that show that nothing differs at a kind.
type settled struct {
	kind int
	used []condition
}

// same reports whether nothing can differ at any request of a kind: wherever
// the changed part comes to something else, something around it is not as it
// must be for that to matter. What is around it is taken in one by one, so that
// little is read. With masks, another policy that forbids is such a thing as
// well, unless something could fail.
func (p *pursuit) same(kind int, masked bool) bool {
	if p.flips {
		return false
	}
	left := p.around(masked)
	var used []condition
	for {
		scene, ok := p.scene(kind, used)
		if !ok {
			return true // nobody can ask
		}
		var open *point
		whole := scene.Each(allOf, func(q domain.Request) bool {
			at := newPoint(q.Request, p.domain.Get(q), q.Own, true)
			before, after := p.before(&at), p.after(&at)
			differs := before != after && !slices.ContainsFunc(used, func(c condition) bool { return c.settles(&at, before, after) })
			if differs && scene.Valid(q) {
				open = &at
			}
			return open == nil
		})
		if open == nil {
			if whole {
				p.shown = append(p.shown, settled{kind, used})
			}
			return whole
		}
		before, after := p.before(open), p.after(open)
		if masked {
			left = append(left, p.masking(open, append(used, left...))...)
		}
		best, fewest := -1, allOf+1
		for i, c := range left {
			if c.settles(open, before, after) {
				if s, ok := p.scene(kind, append(slices.Clone(used), c)); ok && s.Count(allOf) < fewest {
					best, fewest = i, s.Count(allOf)
				}
			}
		}
		if best < 0 {
			return false
		}
		used, left = append(used, left[best]), slices.Delete(left, best, best+1)
	}
}

// scene is what the changed part and some conditions read.
func (p *pursuit) scene(kind int, used []condition) (*domain.Scene, bool) {
	reads := []*cedar.Tree{p.part.Before}
	for _, c := range used {
		reads = append(reads, c.Tree)
	}
	return p.domain.Scene(kind, reads, p.part.After)
}

// around lists what is around the changed part, and what decides instead.
func (p *pursuit) around(masked bool) []condition {
	var out []condition
	fails := p.mayFail()
	for _, t := range p.part.Around {
		if t.First || !fails { // what comes after something that fails is not asked
			out = append(out, condition{Term: t, ask: compile(t.Tree).ask})
		}
	}
	if masked && p.maskable() {
		for _, k := range p.masks {
			out = append(out, p.mask(k)...)
		}
	}
	return out
}

// mayFail reports whether the policy or its mutant can fail at a request that
// the schema accepts.
func (p *pursuit) mayFail() bool {
	return slices.ContainsFunc(trees(p.part.Before, p.part.Around), cedar.MayFail) || p.part.After != nil && cedar.MayFail(p.part.After)
}

// maskable reports whether a policy that forbids leaves nothing of what the
// mutant's comes to: nothing can fail, and what it permits is all it does.
func (p *pursuit) maskable() bool { return bool(p.original.Effect) && !p.mayFail() }

// mask lists what of a policy is enough for it to forbid.
func (p *pursuit) mask(k int32) []condition {
	var out []condition
	for _, t := range cedar.Alternatives(p.Policies[k].Tree) {
		out = append(out, condition{cedar.Term{Tree: t}, compile(t).ask, p.Policies[k].ID})
	}
	return out
}

// masking lists what forbids at a point, beside what is known already.
func (p *pursuit) masking(at *point, known []condition) []condition {
	if !p.maskable() {
		return nil
	}
	var out []condition
	for _, c := range p.all(at) {
		forbids := c.held == holds && !bool(p.Policies[c.policy].Tree.Effect)
		if forbids && !slices.ContainsFunc(known, func(k condition) bool { return k.policy == p.Policies[c.policy].ID }) {
			out = append(out, p.mask(c.policy)...)
		}
	}
	return out
}

// proof goes through all that was shown once more, and writes it down.
func (p *pursuit) proof() *Proof {
	asked, original, mutant := sha256.New(), sha256.New(), sha256.New()
	out := &Proof{Generator: domain.Version}
	for _, s := range p.shown {
		scene, _ := p.scene(s.kind, s.used)
		scene.Each(allOf, func(q domain.Request) bool {
			at := newPoint(q.Request, p.domain.Get(q), q.Own, true)
			before, after := p.before(&at), p.after(&at)
			if before != after { // which something around it settles
				before, after = not, not
			}
			q.Write(asked)
			fmt.Fprint(original, before, ";")
			fmt.Fprint(mutant, after, ";")
			out.Requests++
			return true
		})
		for _, c := range s.used {
			if c.policy != "" && !slices.Contains(out.Beside, c.policy) {
				out.Beside = append(out.Beside, c.policy)
			}
		}
	}
	out.Domain, out.Original, out.Mutant = hex.EncodeToString(asked.Sum(nil)), hex.EncodeToString(original.Sum(nil)), hex.EncodeToString(mutant.Sum(nil))
	return out
}
