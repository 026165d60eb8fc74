// Package ceilings makes mutants of what the gateway does with sensitivity
// labels (the ceiling of each sink, the order of labels, the label of a session)
// and compares them in memory, over all short sessions.
//
// Where a mutant is a change of the configuration, the gateway's own code
// decides with it; where it is a change of the code, that step alone is
// replaced. A test shows that with no step replaced the rules are the
// gateway's. Killed mutants say in which direction: one that widens must be
// caught as a leak, one that narrows as a permit that is lost.
//
// It says nothing of data: a label says what may be in a session, not what is.
package ceilings

import (
	"maps"

	"postern/gateway/sensitivity"
)

// Rules are what decides whether a call may go to a sink. Every nil step is
// the gateway's own.
type Rules struct {
	Lattice  sensitivity.Lattice
	Ceilings sensitivity.Ceilings

	// Compare reports whether a label's rank may go where a ceiling's is.
	Compare func(rank, ceiling int) bool

	// Join is the label of a session that began at a label and saw others. It
	// is asked about known labels alone.
	Join func(initial sensitivity.Label, seen []sensitivity.Label) sensitivity.Label

	Otherwise sensitivity.Label                                 // the ceiling of a sink without one; "" is none
	Read      func(l sensitivity.Label) sensitivity.Label       // what a label is taken for
	Begin     func(initial sensitivity.Label) sensitivity.Label // the label of a session that has seen nothing
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
	if r.Read != nil {
		t.Initial = r.Read(t.Initial)
		seen := make([]sensitivity.Label, len(t.Seen))
		for i, l := range t.Seen {
			seen[i] = r.Read(l)
		}
		t.Seen = seen
	}
	label, ok := r.label(t)
	return ok && r.admits(t.Sink, label)
}

// label is a session's label at its end.
func (r Rules) label(t Trace) (sensitivity.Label, bool) {
	session, err := sensitivity.NewSession(r.Lattice, t.Initial)
	if err != nil {
		return "", false
	}
	for _, l := range t.Seen {
		if _, err := session.Raise(l); err != nil {
			return "", false
		}
	}
	switch {
	case r.Begin != nil && len(t.Seen) == 0:
		return r.Begin(t.Initial), true
	case r.Join != nil:
		return r.Join(t.Initial, t.Seen), true
	}
	return session.Label(), true
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
	if r.Compare == nil {
		return all.Admits(r.Lattice, sink, label)
	}
	ceiling, there := all[sink]
	return there && r.Compare(r.Lattice.Rank(label), r.Lattice.Rank(ceiling))
}
