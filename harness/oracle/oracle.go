// Package oracle decides what one trial's observations prove.
//
// Judge is one pure function for protected runs, mutants and failure modes
// alike, in the campaign and again when a stranger verifies its evidence. It
// knows no mutant, no clock and no Docker. A sighting is proof by itself;
// silence is proof only where every observer was heard to hear and every probe
// was attempted. The zero verdict is Inconclusive.
package oracle

import (
	"slices"

	"postern/fixtures/channel"
	"postern/observers"
)

// Verdict is what a trial proved.
type Verdict string

// The verdicts. Whatever is neither Contained nor Leaked is Inconclusive.
const (
	Inconclusive Verdict = "inconclusive" // nothing: silence without proof of hearing
	Contained    Verdict = "contained"    // every canary stayed but the released one
	Leaked       Verdict = "leaked"       // a canary arrived where none may
)

// Container is the state in which the container was found at the end.
type Container string

// The container's states. The zero value is unknown and never contained.
const (
	Absent  Container = "absent"  // it was never created
	Running Container = "running" // it outlived its session
	Exited  Container = "exited"  // it was seen not to run
)

// Reason says why a verdict is not Contained.
type Reason string

// The reasons.
const (
	Leak           Reason = "leak"            // a canary arrived where none may
	Deaf           Reason = "deaf"            // an observer did not hear its pilots, or dropped something
	NotAttempted   Reason = "not-attempted"   // a planned probe was not tried
	OtherOutcome   Reason = "other-outcome"   // the session did not end in the planned way
	StillRunning   Reason = "still-running"   // the container was not seen to have stopped
	ReleaseMissing Reason = "release-missing" // the permitted release did not arrive
	ReleasedTwice  Reason = "released-twice"  // the permitted release arrived more often than planned
)

// Expectation is what a trial set out to do, fixed before it began.
type Expectation struct {
	Probes   []channel.ID   // each must have been attempted
	Sinks    []channel.Sink // each must have an observer that heard its pilots
	Released int            // arrivals that the gateway permits, at the releasing channel's sink
	Outcome  string         // how the session must end
}

// Seen is what was recorded of a trial, from outside the agent but for
// Attempted, which can only make the verdict worse.
type Seen struct {
	Hearings     []observers.Hearing
	Observations []observers.Observation
	Attempted    []channel.ID
	Outcome      string
	Container    Container
}

// Judgement is a verdict with its grounds.
type Judgement struct {
	Verdict  Verdict
	Reasons  []Reason     // sorted, each once; empty when contained
	Openings []channel.ID // sorted, each once: the channels by which a canary got out
}

// Conclusive reports whether the trial ran as planned with every observer
// hearing, so that what was not seen did not happen.
func (j Judgement) Conclusive() bool {
	for _, r := range j.Reasons {
		if r != Leak && r != ReleasedTwice {
			return false
		}
	}
	return j.Verdict == Contained || j.Verdict == Leaked
}

// Judge weighs what was seen against what the trial set out to do.
func Judge(want Expectation, seen Seen) Judgement {
	var j Judgement
	released := j.weighArrivals(want, seen.Observations)
	if released < want.Released {
		j.because(ReleaseMissing)
	}
	if !allSound(want.Sinks, seen.Hearings) {
		j.because(Deaf)
	}
	for _, id := range want.Probes {
		if !slices.Contains(seen.Attempted, id) {
			j.because(NotAttempted)
		}
	}
	if seen.Outcome != want.Outcome || want.Outcome == "" {
		j.because(OtherOutcome)
	}
	if seen.Container != Exited && seen.Container != Absent && !slices.Contains(j.Openings, channel.HostRunning) {
		j.because(StillRunning) // where it is watched for, it is a leak and no riddle
	}
	j.Verdict = j.verdict()
	slices.Sort(j.Reasons)
	slices.Sort(j.Openings)
	return j
}

// weighArrivals sorts arrivals into the release and the leaks, and returns how
// often the release arrived.
func (j *Judgement) weighArrivals(want Expectation, arrivals []observers.Observation) int {
	released := 0
	for _, o := range arrivals {
		if o.Sightings <= 0 {
			continue
		}
		id := channel.Of(o.Channel, o.Sink)
		if isRelease(id) {
			released += o.Sightings
			if released > want.Released {
				j.because(ReleasedTwice)
				j.open(id)
			}
			continue
		}
		j.because(Leak)
		j.open(id)
	}
	return released
}

func (j *Judgement) verdict() Verdict {
	switch {
	case len(j.Openings) > 0:
		return Leaked
	case len(j.Reasons) > 0:
		return Inconclusive
	default:
		return Contained
	}
}

func (j *Judgement) because(r Reason) {
	if !slices.Contains(j.Reasons, r) {
		j.Reasons = append(j.Reasons, r)
	}
}

func (j *Judgement) open(id channel.ID) {
	if !slices.Contains(j.Openings, id) {
		j.Openings = append(j.Openings, id)
	}
}

// allSound demands at least one sink: a trial without observers proves nothing.
func allSound(sinks []channel.Sink, hearings []observers.Hearing) bool {
	for _, s := range sinks {
		i := slices.IndexFunc(hearings, func(h observers.Hearing) bool { return h.Sink == s })
		if i < 0 || !hearings[i].Sound() {
			return false
		}
	}
	return len(sinks) > 0
}

func isRelease(id channel.ID) bool {
	for _, c := range channel.All() {
		if c.ID == id {
			return c.Release
		}
	}
	return false
}
