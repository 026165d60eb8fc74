package harness

import (
	"fmt"
	"slices"
	"strings"

	"postern/gateway/bridge"
	"postern/reports"
)

// Explain says in what a trial differs from what was foretold of it, in ids and
// closed words, for whoever has to mend it. Nothing is said of a trial that
// came out as required.
func Explain(t reports.Trial) []string {
	if asRequired(t) || inapplicable(t) {
		return nil
	}
	if t.Dropped {
		return []string{"the Engine dropped the change: the container was the reference's"}
	}
	if t.Outcome == string(bridge.EngineRefused) && t.Outcome != t.Expected.Outcome {
		return []string{"the Engine refused to make the container"} // and so all else
	}
	refused := refusedControls(t)
	says := list("admission did not refuse it for", missing(t.Expected.Refused, refused))
	says = append(says, list("admission refused it for", missing(refused, t.Expected.Refused))...)
	if t.Outcome == string(bridge.AdmissionRefused) {
		return append(says, "so the agent was not run; a mutant names its control in Weakens, and further ones in Also")
	}
	for _, l := range []struct {
		text string
		ids  []string
	}{
		{"stayed shut:", missing(t.Expected.Opens, t.Openings)},
		{unforetold(t), missing(t.Openings, t.Expected.Opens)},
		{"not attempted:", missing(t.Expected.Probes, attempted(t))},
		{"these observers did not hear their pilots, or dropped something:", deaf(t)},
	} {
		says = append(says, list(l.text, l.ids)...)
	}
	if t.Outcome != t.Expected.Outcome {
		says = append(says, ended(t.Outcome, t.Expected.Outcome))
	}
	if slices.Contains(t.Reasons, "release-missing") {
		says = append(says, "the permitted call did not arrive")
	}
	if slices.Contains(t.Reasons, "still-running") {
		says = append(says, "the agent's sandbox was not seen to stop")
	}
	return says
}

// unforetold says what it means that more opened.
func unforetold(t reports.Trial) string {
	if t.Baseline {
		return t.Control + " is not inert, for with " + strings.Join(t.With, " ") + " removed as well there opened:"
	}
	return "opened, and nobody foretold it:"
}

// list is one line about ids, or none.
func list(text string, ids []string) []string {
	if len(ids) == 0 {
		return nil
	}
	return []string{text + " " + strings.Join(ids, " ")}
}

// ended says how a session ended instead. What follows from that is not told
// again by whoever reads on.
func ended(got, want string) string {
	switch got {
	case outcomeError, outcomeTimeout, outcomeNotApplicable:
		return "the trial could not be run: " + got
	}
	return fmt.Sprintf("the session ended as %s, not as %s", got, want)
}

func missing(want, have []string) []string {
	return slices.DeleteFunc(slices.Clone(want), func(id string) bool { return slices.Contains(have, id) })
}

func attempted(t reports.Trial) []string {
	var ids []string
	for _, a := range t.Attempts {
		ids = append(ids, a.Channel)
	}
	return ids
}

// Deaf lists the sinks at which silence would mean nothing.
func Deaf(t reports.Trial) []string {
	sound := map[string]bool{}
	for _, h := range seen(t).Hearings {
		sound[string(h.Sink)] = h.Sound()
	}
	return slices.DeleteFunc(slices.Clone(t.Expected.Sinks), func(s string) bool { return sound[s] })
}

// deaf lists them with what was heard there.
func deaf(t reports.Trial) []string {
	all := Deaf(t)
	for i, sink := range all {
		for _, h := range t.Hearings {
			if h.Sink == sink {
				all[i] = fmt.Sprintf("%s (%d of %d pilots, %d drops)", sink, h.PilotsHeard, h.PilotsSent, h.Drops)
			}
		}
	}
	return all
}
