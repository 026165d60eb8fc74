// Package mutants is the registry of weakened subjects.
//
// A mutant is a clone of the subject with one control removed, and the
// channels that its removal must open. The registry promises nothing by
// itself: the campaign runs each mutant and demands that the shared oracle
// sees exactly the openings written here. README.md beside this file says how
// to add a case.
package mutants

import (
	"slices"
	"strings"

	"postern/fixtures/channel"
	"postern/gateway"
	"postern/gateway/confine"
)

// Mutant weakens one control of the subject.
type Mutant struct {
	ID      string                // permanent, family first: "profile/network-host"
	Why     string                // what is weakened, in one sentence
	Weakens confine.Control       // the control that Apply removes
	Also    []confine.Control     // further controls that admission finds weak because of it
	Under   string                // the scene in which it shows; an ordinary session where empty
	Opens   []channel.ID          // exactly the channels by which canaries must then arrive
	Apply   func(*gateway.Config) // weakens a clone, never the original
	With    []confine.Control     // further controls that Apply removes
	Alone   bool                  // no other trial may run beside it
	Inert   Reason                // why removing it changes nothing here; "" otherwise
}

// Reason is a closed word for why a removal has no effect.
type Reason string

// All returns every mutant in a fixed order.
func All() []Mutant {
	return slices.Concat(profile(), ceilings(), supervision(), gates())
}

// Refused lists the controls for which admission must refuse the mutant,
// sorted: its own where inspection can see it, and no other but those of Also.
func (m Mutant) Refused() []confine.Control {
	if !strings.HasPrefix(string(m.Weakens), "profile.") {
		return nil
	}
	return slices.Sorted(slices.Values(append(slices.Clone(m.Also), m.Weakens)))
}
