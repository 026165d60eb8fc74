package harness

import (
	"slices"

	"postern/fixtures/channel"
	"postern/gateway/bridge"
	"postern/harness/oracle"
	"postern/observers"
	"postern/reports"
)

// reasonOtherRefusals is why a failure mode that the comparison at the end must
// find proved nothing: it was found for other controls.
const reasonOtherRefusals = "other-refusals"

// judge fills in what follows from a trial's observations: verdict, reasons,
// openings and, for a mutant, its status. The campaign calls it on a trial that
// was just observed, and verify on one that it read from a bundle, so the two
// cannot differ.
func judge(t reports.Trial) reports.Trial {
	j := oracle.Judge(expectation(t.Expected), seen(t))
	t.Verdict = reports.Verdict(j.Verdict)
	t.Reasons = words(j.Reasons)
	t.Openings = words(j.Openings)
	if t.Kind == reports.FailureMode && !slices.Equal(refusedControls(t), t.Expected.Refused) && len(t.Expected.Refused) > 0 {
		t.Reasons = append(t.Reasons, reasonOtherRefusals)
		if t.Verdict == reports.Contained {
			t.Verdict = reports.Inconclusive
		}
	}
	t.Status = ""
	if t.Kind == reports.Mutant {
		t.Status = status(t, j)
	}
	return t
}

// status says what became of a mutant. A kill counts only when admission
// refused the mutant for exactly its own controls, every observer heard, and
// exactly the channels opened that were written down beforehand, at least one.
// A mutant that was to open none, or none but its partners' own, and kept to
// that under the same conditions is equivalent to what it was compared with.
func status(t reports.Trial, j oracle.Judgement) reports.Status {
	switch {
	case t.Dropped:
		return reports.Stillborn
	case t.Outcome == outcomeError:
		return reports.Failed
	case t.Outcome == outcomeTimeout:
		return reports.TimedOut
	case t.Outcome == outcomeNotApplicable:
		return reports.NotApplicable
	case t.Outcome == string(bridge.EngineRefused):
		return reports.Stillborn
	case !slices.Equal(refusedControls(t), t.Expected.Refused):
		return reports.Survived
	case !j.Conclusive():
		return reports.InconclusiveKill
	case !containsAll(t.Openings, t.Expected.Opens):
		return reports.Survived
	case len(t.Openings) > len(t.Expected.Opens):
		return reports.KilledByOther
	case t.Baseline || len(t.Openings) == 0:
		return reports.Equivalent
	default:
		return reports.Killed
	}
}

// refusedControls lists each control for which admission refused, sorted.
func refusedControls(t reports.Trial) []string {
	ids := []string{}
	for _, r := range t.Refused {
		ids = append(ids, r.Control)
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

func containsAll(have, want []string) bool {
	for _, w := range want {
		if !slices.Contains(have, w) {
			return false
		}
	}
	return true
}

// expectation reads the manifest's words back into the oracle's.
func expectation(e reports.Expected) oracle.Expectation {
	return oracle.Expectation{
		Probes:   as[channel.ID](e.Probes),
		Sinks:    as[channel.Sink](e.Sinks),
		Released: e.Released,
		Outcome:  e.Outcome,
	}
}

// seen reads a trial's record back into the oracle's words.
func seen(t reports.Trial) oracle.Seen {
	s := oracle.Seen{Outcome: t.Outcome, Container: oracle.Container(t.Container)}
	for _, h := range t.Hearings {
		s.Hearings = append(s.Hearings, observers.Hearing{
			Sink: channel.Sink(h.Sink), PilotsSent: h.PilotsSent, PilotsHeard: h.PilotsHeard,
			Units: h.Units, Bytes: h.Bytes, Drops: h.Drops,
		})
	}
	for _, o := range t.Observations {
		s.Observations = append(s.Observations, observers.Observation{
			Channel: channel.ID(o.Channel), Sink: channel.Sink(o.Sink), Sightings: o.Sightings,
		})
	}
	for _, a := range t.Attempts {
		s.Attempted = append(s.Attempted, channel.ID(a.Channel))
	}
	return s
}

// words and as change between the closed words of the packages and of the
// evidence, which imports none of them. A list is never nil, so that it is []
// in JSON.
func words[W ~string](in []W) []string { return as[string](in) }

func as[To, From ~string](in []From) []To {
	out := make([]To, 0, len(in))
	for _, w := range in {
		out = append(out, To(w))
	}
	return out
}
