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
	"sync"
	"time"

	"postern/fixtures/channel"
	"postern/gateway"
	"postern/gateway/confine"
)

// Mutant weakens one control of the subject, or a declared set of them.
type Mutant struct {
	ID      string                      // permanent, family first: "profile/network-host"
	Why     string                      // what is weakened, in one sentence
	Weakens confine.Control             // the control that Apply removes
	With    []confine.Control           // further controls that Apply removes: none of them shuts the channels alone
	Also    []confine.Control           // further controls that admission finds weak because of it
	Under   string                      // the scene in which it shows; an ordinary session where empty
	Needs   []Need                      // what must stand beside the subject on the host
	Alone   bool                        // it changes the state of the whole host: no other trial may run
	Linger  time.Duration               // how long the agent lives on before the last look, for what the Engine does in its own time
	Unless  Unless                      // who may keep the change from arriving, on some machines
	Removed bool                        // the Engine takes the container away at its end: nobody can look into it then
	Inert   Reason                      // why removing this control alone or with others changes nothing
	Ends    string                      // how the session must end where it comes to none: no plan is received and nothing is released
	Tier    confine.Tier                // the one profile that it is a mutant of; every one where empty
	Opens   []channel.ID                // exactly the channels by which canaries must then arrive; none for one that is redundant or inert
	Apply   func(*gateway.Config, Site) // weakens a clone, never the original

	// Hardened is what opens instead under the hardened profile, where that
	// differs: its own controls shut some of the channels. Nil is the same, but
	// for what goes with the profile's filter.
	Hardened []channel.ID

	Replaced Reason // why it changes nothing under the hardened profile, where it does under the reference
}

// OpensIn lists the channels that the mutant opens under a tier.
func (m Mutant) OpensIn(t confine.Tier) []channel.ID {
	switch {
	case t != confine.TierHardened || m.Tier != "":
		return m.Opens
	case m.Hardened != nil:
		return m.Hardened
	default:
		return m.underHardened()
	}
}

// InertIn says why the mutant changes nothing under a tier, if so.
func (m Mutant) InertIn(t confine.Tier) Reason {
	switch {
	case len(m.OpensIn(t)) > 0:
		return ""
	case t == confine.TierHardened && m.Replaced != "":
		return m.Replaced
	default:
		return m.Inert
	}
}

// Of returns the mutants of a tier in a fixed order.
func Of(t confine.Tier) []Mutant {
	return slices.DeleteFunc(All(), func(m Mutant) bool { return m.Tier != "" && m.Tier != t })
}

// Reason is a closed word for why a removal has no effect.
type Reason string

// All returns every mutant in a fixed order.
func All() []Mutant { return slices.Clone(registry()) }

// registry is made once and never changed: plans go through it again and again.
var registry = sync.OnceValue(func() []Mutant {
	all := slices.Concat(
		network(), names(), files(), processes(), kernel(), logs(), resources(), request(),
		rules(), supervision(), gates(), guarded(),
		hardened(),
	)
	return slices.Concat(all, dressed(all), unfilteredToo(all))
})

// Controls lists every control that the mutant removes, sorted.
func (m Mutant) Controls() []confine.Control {
	return slices.Sorted(slices.Values(append(slices.Clone(m.With), m.Weakens)))
}

// Refused lists the controls for which admission must refuse the mutant,
// sorted: its own where inspection can see them, and no other but those of Also.
func (m Mutant) Refused() []confine.Control {
	refused := slices.Clone(m.Also)
	for _, c := range m.Controls() {
		if strings.HasPrefix(string(c), "profile.") || strings.HasPrefix(string(c), "host.") {
			refused = append(refused, c)
		}
	}
	return slices.Compact(slices.Sorted(slices.Values(refused)))
}
