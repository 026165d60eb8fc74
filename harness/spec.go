package harness

import (
	"slices"

	"postern/fixtures/channel"
	"postern/fixtures/plan"
	"postern/gateway"
	"postern/gateway/bridge"
	"postern/gateway/confine"
	"postern/harness/oracle"
	"postern/mutants"
)

// Kind says what a trial is there to show.
type Kind string

// The kinds of trial.
const (
	Protected   Kind = "protected"    // all controls in place: nothing may arrive
	Mutation    Kind = "mutant"       // one control removed: its channels must open
	FailureMode Kind = "failure-mode" // something breaks: still nothing may arrive
)

// Spec is one planned trial: the subject's change, and what must come of it.
// It is written into the manifest before the first trial begins.
type Spec struct {
	ID      string // "protected/1", "mutant/profile/network-host", "failure-mode/crash"
	Kind    Kind
	Why     string
	Control confine.Control // the control that a mutant weakens

	Mode     plan.Mode             // what the agent does after its probes
	Upstream string                // what the tool server does: "" is normal
	Apply    func(*gateway.Config) // changes the subject; nil leaves it as it is
	Sever    bool                  // the gateway is closed just before the initial frame
	Deaf     channel.Sink          // the observer that is made deaf, by the self-check alone

	Expect  oracle.Expectation
	Opens   []channel.ID      // channels that must open, for a mutant
	Refused []confine.Control // controls for which admission must refuse
}

// Specs returns every trial of a full campaign in a fixed order.
func Specs() []Spec {
	specs := []Spec{
		protected("protected/1", "all controls in place"),
		protected("protected/2", "all controls in place, in a fresh container"),
	}
	for _, m := range mutants.All() {
		specs = append(specs, mutation(m))
	}
	return append(specs, failureModes()...)
}

// protected is the trial that every other is a change of.
func protected(id, why string) Spec {
	return Spec{
		ID: id, Kind: Protected, Why: why, Mode: plan.ModeNormal,
		Expect: oracle.Expectation{
			Probes:   probes(),
			Sinks:    sinks(),
			Released: 1,
			Outcome:  string(bridge.Completed),
		},
	}
}

func mutation(m mutants.Mutant) Spec {
	s := protected("mutant/"+m.ID, m.Why)
	s.Kind, s.Control, s.Apply = Mutation, m.Weakens, m.Apply
	s.Opens = slices.Sorted(slices.Values(m.Opens))
	s.Refused = m.Refused()
	return s
}

// probes lists the channels that have a canary of their own.
func probes() []channel.ID {
	var ids []channel.ID
	for _, c := range channel.All() {
		if c.Carries == nil {
			ids = append(ids, c.ID)
		}
	}
	return ids
}

// sinks lists every place where an observer listens.
func sinks() []channel.Sink {
	var all []channel.Sink
	for _, c := range channel.All() {
		if !slices.Contains(all, c.Sink) {
			all = append(all, c.Sink)
		}
	}
	return all
}
