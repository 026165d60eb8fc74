package harness

import (
	"slices"

	"postern/reports"
)

// AsRequired reports whether every trial that ran came out as it must, and at
// least one ran. It is weaker than the gate: it does not ask for the trials
// that were left out.
func AsRequired(e reports.Evidence) bool {
	if e.Run.Planned == e.Run.Selected {
		return e.Summary.Accepted
	}
	return len(e.Trials) > 0 && !slices.ContainsFunc(e.Trials, func(t reports.Trial) bool { return !asRequired(t) })
}

func asRequired(t reports.Trial) bool {
	if t.Kind == reports.Mutant {
		return t.Status == reports.Killed
	}
	return t.Verdict == reports.Contained
}
