package gateway

import (
	"context"
	"errors"

	"postern/gateway/bridge"
	"postern/gateway/confine"
)

// Backend confines an agent in one way: with a Docker Engine, or by bubblewrap.
type Backend interface {
	// Preflight looks at the host on which a profile is to mean what it says.
	Preflight(ctx context.Context) ([]confine.Refusal, error)

	// Create makes what the agent will run in, and runs nothing of the agent's.
	// One that the backend would not make is an ErrRefused.
	Create(ctx context.Context, c Config, labels map[string]string) (Box, error)
}

// ErrRefused means that a backend would not make what it was asked for.
var ErrRefused = errors.New("the backend refused")

// Box is what one agent runs in, from its creation to its removal. The methods
// that admit compare it, as closed as the backend can look, with the profile that
// it was created of, and say for which controls it is weaker.
type Box interface {
	ID() string // 64 hexadecimal digits

	// Socket is where a watchdog can have it stopped by others; empty where it
	// has nothing but the first process to strike.
	Socket() string

	AdmitCreated(ctx context.Context) ([]confine.Refusal, error)
	Attach(ctx context.Context) (bridge.Stream, error) // its standard streams, before Start
	Start(ctx context.Context) error

	// AdmitStarted tells the first process too, in the host's numbering.
	AdmitStarted(ctx context.Context) (pid int, weak []confine.Refusal, err error)

	Wait(ctx context.Context) (exitCode int, err error) // until it does not run
	Running(ctx context.Context) (bool, error)
	Kill(ctx context.Context) error // every process; one that does not run is no error

	// AdmitEnded counts what was done to it while it ran, too.
	AdmitEnded(ctx context.Context) ([]confine.Refusal, error)

	Remove(ctx context.Context) error // in any state, with all that it holds
}
