package harness

import (
	"slices"

	"postern/reports"
)

// AsRequired reports whether every trial that ran came out as it must, and at
// least one ran; what is only measured has nothing to come out as. It is weaker than the gate: it does not ask for the trials
// that were left out.
func AsRequired(e reports.Evidence) bool {
	if e.Run.Planned == e.Run.Selected {
		return e.Summary.Accepted
	}
	applied := func(t reports.Trial) bool { return !inapplicable(t) }
	missed := func(t reports.Trial) bool { return applied(t) && !asRequired(t) }
	if lostRules(e) {
		return false
	}
	some := len(e.Rules.Mutants) > 0 || slices.ContainsFunc(e.Trials, applied) || len(e.Trials) == 0 && len(e.Residuals) > 0
	return some && !slices.ContainsFunc(e.Trials, missed)
}

// inapplicable reports whether this machine cannot run a mutant, and says why.
// Of the trials that weaken nothing none may be left out that way.
func inapplicable(t reports.Trial) bool {
	return t.Status == reports.NotApplicable && t.Reason != ""
}

// Required reports whether one trial came out as it must. One that this machine
// cannot run did not.
func Required(t reports.Trial) bool { return asRequired(t) }

// asRequired asks of a mutant that opens nothing more than its partners do
// that it was seen to open nothing more.
func asRequired(t reports.Trial) bool {
	switch {
	case t.Kind != reports.Mutant:
		return t.Verdict == reports.Contained
	case t.Baseline || len(t.Expected.Opens) == 0:
		return t.Status == reports.Equivalent
	default:
		return t.Status == reports.Killed
	}
}
