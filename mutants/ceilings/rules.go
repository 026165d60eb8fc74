// Package ceilings makes mutants of what the gateway does with sensitivity
// labels (the ceiling of each sink, the order of labels, the label of a session)
// and compares them in memory, over all short sessions.
//
// Where a mutant is a change of the configuration, the gateway's own code
// decides with it; where it is a change of the code, the gateway's code decides
// with that weakness. Killed mutants say in which direction: one that widens must be
// caught as a leak, one that narrows as a permit that is lost.
//
// It says nothing of data: a label says what may be in a session, not what is.
package ceilings

import (
	"maps"

	"postern/gateway/sensitivity"
)

// Rules are what decides whether a call may go to a sink.
type Rules struct {
	Lattice   sensitivity.Lattice
	Ceilings  sensitivity.Ceilings
	Otherwise sensitivity.Label    // the ceiling of a sink without one; "" is none
	Weak      sensitivity.Weakness // of the code
}

// Trace is a session and a call at its end.
type Trace struct {
	Initial sensitivity.Label
	Seen    []sensitivity.Label
	Sink    string
}

// Admits decides the call at the end of a trace. What the gateway would not
// begin, or would end, admits nothing.
func (r Rules) Admits(t Trace) bool {
	label, ok := r.Label(t)
	return ok && r.admits(t.Sink, label)
}

// Label is a session's label at its end; false where it comes to none.
func (r Rules) Label(t Trace) (sensitivity.Label, bool) {
	session, err := r.begin(t.Initial)
	if err != nil {
		return "", false
	}
	for _, l := range t.Seen {
		if _, err := session.Raise(l); err != nil {
			return "", false
		}
	}
	return session.Label(), true
}

func (r Rules) begin(initial sensitivity.Label) (*sensitivity.Session, error) {
	if r.Weak == (sensitivity.Weakness{}) {
		return sensitivity.NewSession(r.Lattice, initial)
	}
	return sensitivity.NewWeakSession(r.Lattice, initial, r.Weak)
}

func (r Rules) admits(sink string, label sensitivity.Label) bool {
	all := r.Ceilings
	if _, there := all[sink]; !there && r.Otherwise != "" {
		all = maps.Clone(all)
		if all == nil {
			all = sensitivity.Ceilings{}
		}
		all[sink] = r.Otherwise
	}
	if r.Weak == (sensitivity.Weakness{}) {
		return all.Admits(r.Lattice, sink, label)
	}
	return r.Weak.Admits(all, r.Lattice, sink, label)
}
