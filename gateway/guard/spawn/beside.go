//go:build !darwin

package spawn

import (
	"context"
	"fmt"
	"syscall"
	"time"

	"postern/gateway/confine/tree"
	"postern/gateway/guard"
)

// Beside is a server that may be started beside this process, which stays what
// it is.
type Beside struct {
	Notice string // why it is not confined; "" where it is
	start  func() (Process, error)
}

// Decide decides about a server that is to run beside this process. One that is
// not to run is a *Refused; one that is not confined is the caller's to start,
// with a loud notice.
func Decide(ctx context.Context, r Request) (Beside, error) {
	o, err := decide(ctx, r, r.Wrapped.Command[0])
	if err != nil {
		return Beside{}, err
	}
	if r.State != "" {
		if err := record(r.State, r.Wrapped.Server, o, time.Now()); err != nil {
			return Beside{}, err
		}
	}
	switch o.decision.Action {
	case guard.Confine:
		made, ok := o.sandbox.(interface{ beside() (Process, error) })
		if !ok {
			return Beside{}, fmt.Errorf("confining a tool server beside this process: %w", ErrNotMade)
		}
		return Beside{start: made.beside}, nil
	case guard.Unconfined:
		return Beside{Notice: o.says}, nil
	}
	return Beside{}, &Refused{o.decision.Reason, o.says}
}

// Confined reports whether the server is confined; only then it can be started.
func (b Beside) Confined() bool { return b.start != nil }

// Start runs the server in its sandbox.
func (b Beside) Start() (Process, error) { return b.start() }

// Process is a server that runs in its sandbox, beside this process, with which it
// dies.
type Process interface {
	Signal(syscall.Signal) error // to the server itself
	Kill()                       // ends it at once
	Wait() (int, error)          // the exit code, or 128 and the signal's number; once
}

// ErrNotMade is the error of a sandbox that could not be made, in which nothing ran.
var ErrNotMade = tree.ErrNotMade
