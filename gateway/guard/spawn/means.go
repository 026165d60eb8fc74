package spawn

import (
	"context"
	"errors"

	"postern/gateway/confine/bubblewrap"
	"postern/gateway/confine/landlock"
)

// Means are what this machine has to confine by. The zero Means have nothing,
// but for macOS, where the sandbox has one place.
type Means struct {
	Places []string        // where bwrap is looked for, on Linux
	Kernel landlock.Kernel // what of Landlock is used where bwrap makes no sandbox
}

// Here are the means of this machine.
func Here() Means { return Means{bubblewrap.Places, landlock.Look()} }

// Backend makes sandboxes on this machine, where Available found that it can.
type Backend struct {
	Name    string // "bubblewrap", "landlock" or "seatbelt"
	prepare func(context.Context, server) (sandbox, error)
}

// Found is a backend of this system, and why it confines nothing here.
type Found struct {
	Name string `json:"name"`
	Why  string `json:"why"`  // a closed word; "" where it confines
	Says string `json:"says"` // what it means, and what to do
	made Backend
}

// Available is the first backend of this system that confines. Where none does the
// error is the *Lacking of the first, with what each would need.
func Available(ctx context.Context, m Means) (Backend, error) {
	all, err := Survey(ctx, m)
	if err != nil {
		return Backend{}, err
	}
	return First(all)
}

// First is Available of what was found.
func First(all []Found) (Backend, error) {
	lacking := &Lacking{}
	for _, f := range all {
		if f.Why == "" {
			return f.made, nil
		}
		if lacking.Why == "" {
			lacking.Why, lacking.Says = f.Why, f.Says
		} else {
			lacking.Says += "; or: " + f.Says
		}
	}
	return Backend{}, lacking
}

// tried is what came of trying a backend.
func tried(b Backend, err error) (Found, error) {
	f := Found{Name: b.Name, made: b}
	if l := (*Lacking)(nil); errors.As(err, &l) {
		f.Why, f.Says, err = l.Why, l.Says, nil
	}
	return f, err
}

// Inner is to be called before anything else by each program that starts servers,
// with its arguments. Where these are a backend's it does its part, and tells the
// exit code with which the program is to end.
func Inner(args []string) (code int, ours bool) {
	if code, ours := landlock.Inner(args); ours {
		return code, true
	}
	return bubblewrap.Inner(args)
}
