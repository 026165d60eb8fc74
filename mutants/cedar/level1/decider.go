package level1

// Decider is a mutant of how a decision is made.
type Decider struct {
	ID      string
	Why     string
	Status  Status
	Witness *Witness
	Partner string // the decider with which together a decision changes that neither changes alone
}

// how is a decider: Strict has both checks.
type how struct{ errors, validation bool }

func (h how) allows(v votes, valid bool) bool {
	if h.validation && !valid || h.errors && v.failures > 0 {
		return false
	}
	return v.permits > 0 && v.forbids == 0
}

// deciders removes the two checks that Cedar's own rule has not.
func (r *run) deciders() []Decider {
	out := []Decider{
		{ID: "decider/errors-ignored", Why: "a policy that fails is skipped, and may be the one that forbids"},
		{ID: "decider/validation-off", Why: "a request that the schema refuses is decided"},
	}
	for i, h := range []how{{validation: true}, {errors: true}} {
		out[i].Status, out[i].Witness = r.decider(h, how{true, true})
		if out[i].Status == Killed {
			continue
		}
		if together, _ := r.decider(how{}, h); together == Killed {
			out[i].Partner = out[1-i].ID
		}
	}
	return out
}

func (r *run) decider(weak, strong how) (Status, *Witness) {
	for i, p := range r.points {
		if weak.allows(r.votes(i), p.valid) != strong.allows(r.votes(i), p.valid) {
			return Killed, r.witness(i, nil)
		}
	}
	if !r.result.Complete {
		return Inconclusive, nil
	}
	return Equivalent, nil
}
