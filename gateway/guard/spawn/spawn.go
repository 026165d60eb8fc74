// Package spawn starts tool servers as the guard's table says: confined, as they
// were before but with a loud notice, or not at all.
//
// It promises that each decision is an event in a log before it takes effect,
// and that what cannot be confined as its profile says is not started. An event
// holds numbers and closed words, nothing of the server's command.
package spawn

import (
	"context"
	"errors"
	"os"

	"postern/gateway/guard"
)

// Request is a server that somebody wants to be started.
type Request struct {
	Wrapped guard.Wrapped // the markers, and the command
	State   string        // the guard's directory: store, scratch and events; "" where nothing was ever enrolled
	Table   guard.Table
	Means   Means // what the machine has to confine by

	Image                 *os.File // what is run in the place of the command's program, on Linux alone; nil to look at its path
	Env                   []string
	Stage                 string   // a program that calls Inner, on Linux alone; "" is this one
	Stdin, Stdout, Stderr *os.File // none may be nil

	Weak Weakness // for mutants
}

// StoreDamaged is the reason of a refusal that no table is asked about.
const StoreDamaged guard.Reason = "store-damaged"

// outcome is what becomes of a request.
type outcome struct {
	decision guard.Decision
	says     string // to the user: why, and what to do
	spawn    guard.Spawn
	backend  string // its name, or why there is none: a closed word
	profile  guard.Profile
	sandbox  sandbox // where it is confined
}

// decide asks the table, and makes a confinement ready; program is the absolute
// path of the command's.
func decide(ctx context.Context, r Request, program string) (outcome, error) {
	entries, err := r.stored()
	if damaged := (*guard.Damaged)(nil); errors.As(err, &damaged) {
		return outcome{decision: guard.Decision{Action: guard.Refuse, Reason: StoreDamaged}, says: damaged.Error(), backend: "unasked"}, nil
	} else if err != nil {
		return outcome{}, err
	}
	backend, err := Available(ctx, r.Means)
	lacking := (*Lacking)(nil)
	if err != nil && !errors.As(err, &lacking) {
		return outcome{}, err
	}
	o := outcome{spawn: r.Wrapped.Spawn(entries, err == nil), backend: backend.Name, profile: chosen(entries, r.Wrapped)}
	if lacking != nil {
		o.backend = lacking.Why
	}
	o.decision = r.Table.Decide(o.spawn)
	o.says = o.decision.Reason.Says()
	if o.decision.Reason == guard.BackendMissing && lacking != nil {
		o.says = lacking.Says
	}
	if o.decision.Action != guard.Confine {
		return o, nil
	}
	o.sandbox, err = backend.prepare(ctx, server{
		profile: o.profile, command: append([]string{program}, r.Wrapped.Command[1:]...),
		image: r.Image, env: r.Env, stage: r.Stage, weak: r.Weak, stdin: r.Stdin, stdout: r.Stdout, stderr: r.Stderr,
	})
	if errors.As(err, &lacking) {
		o.decision, o.says = guard.Decision{Action: guard.Refuse, Reason: guard.Reason(lacking.Why)}, lacking.Says
		return o, nil
	}
	return o, err
}

// stored is what was enrolled in the guard's directory; without one, nothing was.
func (r Request) stored() ([]guard.Entry, error) {
	if r.State == "" {
		return nil, nil
	}
	return guard.At(r.State).Load()
}

// chosen is the profile of the marker; where it is gone, one that demands
// confinement before one that does not.
func chosen(entries []guard.Entry, w guard.Wrapped) guard.Profile {
	var best guard.Profile
	for _, e := range entries {
		switch p := e.Profile; {
		case p.Server != w.Server:
		case w.Profile == p.Hash():
			return p
		case best.Server == "" || p.Required && !best.Required:
			best = p
		}
	}
	return best
}
