package upstream

import (
	"context"
	"fmt"
	"slices"
	"time"

	"postern/gateway/confine/bubblewrap"
	"postern/gateway/confine/landlock"
	"postern/gateway/guard"
)

// Guard is what the table of spawn decisions is asked about a server: what was
// enrolled, and what holds it to that. The zero Guard has the server refused,
// since nothing was enrolled and nobody said that it may run unconfined.
type Guard struct {
	Optional bool        // where it cannot be confined, it runs unconfined, with a notice
	Name     string      // as it was enrolled
	State    string      // the guard's directory; "" where nothing was enrolled
	Original string      // guard.OriginalHash of what was enrolled
	Profile  string      // hash of the profile that was
	Table    guard.Table // nil is the reference
	Quiet    bool        // whoever starts it gives the notice
	Places   []string    // where bwrap is looked for; nil is where it belongs

	// Kernel is what of Landlock is used where bwrap makes no sandbox; the zero
	// value is none. A server that talks over local sockets does not run so.
	Kernel landlock.Kernel

	// Stage is a program that calls spawn.Inner, and is started for each
	// sandbox; "" is this one. A program that is large takes its time to start.
	Stage string

	Weak GuardWeakness
}

// GuardWeakness takes parts of a confinement away, for mutants. The zero value is
// strict.
type GuardWeakness struct {
	Sandbox  bubblewrap.Weakness
	Landlock landlock.Weakness
	Unmasked []string      // secret places, as a path below home, that are not masked
	Granted  []string      // trees, as a path below home, that may be written
	Network  guard.Network // "" is the profile's own
}

// Clone copies a guard deeply.
func (g Guard) Clone() Guard {
	g.Table, g.Places = g.Table.Clone(), slices.Clone(g.Places)
	g.Weak.Unmasked, g.Weak.Granted = slices.Clone(g.Weak.Unmasked), slices.Clone(g.Weak.Granted)
	return g
}

// Command is the program and its arguments, as they are enrolled.
func (s Server) Command() []string { return append([]string{s.Path}, s.Args...) }

// Enrolment is by what a server is enrolled.
type Enrolment struct {
	Name     string
	Tier     guard.Tier
	Required bool // not to be run otherwise
	Machine  guard.Machine
	Reach    []string // trees beside its own that it may write, by an absolute path
	Read     []string // trees that a strict profile may read besides
	Ports    []int    // of this machine, that a strict profile leaves open
	Hide     []string // secret places beside the usual
}

// Enrol derives a profile for the server and stores it, and ties the server to it.
func (s *Server) Enrol(ctx context.Context, e Enrolment) error {
	p, err := guard.Derive(guard.Request{Server: e.Name, Command: s.Command(), Tier: e.Tier, Required: e.Required, Read: e.Read, Ports: e.Ports}, e.Machine, time.Now())
	if err != nil {
		return fmt.Errorf("enrolling a tool server: %w", err)
	}
	p.Write = slices.Compact(slices.Sorted(slices.Values(append(p.Write, e.Reach...))))
	p.Mask = slices.Compact(slices.Sorted(slices.Values(append(p.Mask, e.Hide...))))
	p = s.Guard.Weak.of(p, e.Machine.Home)
	err = guard.At(e.Machine.State).Update(ctx, func(stored []guard.Entry) ([]guard.Entry, error) {
		others := slices.DeleteFunc(stored, func(o guard.Entry) bool { return o.Profile.Server == e.Name })
		return append(others, guard.Entry{Client: "gateway", Profile: p}), nil
	})
	if err != nil {
		return fmt.Errorf("enrolling a tool server: %w", err)
	}
	g := &s.Guard
	g.Optional, g.Name, g.State, g.Profile = !e.Required, e.Name, e.Machine.State, p.Hash()
	g.Original = guard.OriginalHash(e.Name, s.Command(), true)
	return nil
}

func (w GuardWeakness) of(p guard.Profile, home string) guard.Profile {
	p.Mask = slices.DeleteFunc(p.Mask, func(place string) bool {
		return slices.ContainsFunc(w.Unmasked, func(at string) bool { return place == home+"/"+at })
	})
	for _, at := range w.Granted {
		p.Write = append(p.Write, home+"/"+at)
	}
	slices.Sort(p.Write)
	if w.Network != "" {
		p.Network = w.Network
	}
	return p
}
