package level1

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"postern/mutants/cedar"
	"postern/mutants/cedar/domain"
)

// implied proves that the schema says what a part of a policy says: of whatever
// it accepts and the policy may be about, with the part or without it, the part
// alone holds. It is nil where that was not shown. What can never hold is not
// implied, and neither is what is always so whatever the schema.
func (r *run) implied(m cedar.Mutant) *Proof {
	original := r.Policies[m.Policy].Tree
	asked, left, ok := m.Clause(original)
	if !ok {
		return nil
	}
	before, after := compile(asked).ask, compile(left).ask
	requests, outcomes := sha256.New(), sha256.New()
	out, held := &Proof{Generator: domain.Version}, false
	for kind := range r.domain.Kinds() {
		if !r.domain.Asks(kind, original) && !r.domain.Asks(kind, m.Tree) {
			continue
		}
		scene, ok := r.domain.Scene(kind, []*cedar.Tree{asked}, left)
		if !ok {
			continue // nobody can ask
		}
		whole := scene.Each(allOf, func(q domain.Request) bool {
			at := newPoint(q.Request, r.domain.Get(q), q.Own, true)
			h := before(&at)
			if h != after(&at) {
				return !scene.Valid(q)
			}
			held = held || h == holds
			q.Write(requests)
			fmt.Fprint(outcomes, h, ";")
			out.Requests++
			return true
		})
		if !whole {
			return nil
		}
	}
	if !held {
		return nil
	}
	out.Domain, out.Original = hex.EncodeToString(requests.Sum(nil)), hex.EncodeToString(outcomes.Sum(nil))
	out.Mutant = out.Original
	return out
}
