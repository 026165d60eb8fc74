package gateway

import (
	"context"
	"errors"
	"fmt"

	"postern/gateway/bridge"
	"postern/gateway/confine"
	"postern/gateway/confine/bubblewrap/cell"
)

// Bubblewrap is the backend of bubblewrap, for machines without an Engine. Of a
// profile it takes what bubblewrap has means for, and refuses any other.
type Bubblewrap struct {
	Bwrap string   // the program, an absolute path
	Stage []string // a program that calls cell.Stage, and what makes it do so

	// Root is the agent's root directory on the host. Nobody but root may write
	// to it, and the sessions of one backend must not weaken it at once.
	Root    string
	Command []string // the agent's program there
}

// Preflight looks at what of the host a cell depends on.
func (b Bubblewrap) Preflight(context.Context) ([]confine.Refusal, error) {
	facts, err := confine.HostFacts()
	if err != nil {
		return nil, err
	}
	return confine.PreflightCell(facts), nil
}

// Create makes a cell, in which bwrap waits in place of the agent.
func (b Bubblewrap) Create(ctx context.Context, c Config, _ map[string]string) (Box, error) {
	made, err := cell.Create(ctx, cell.Plan{Bwrap: b.Bwrap, Stage: b.Stage, Root: b.Root, Command: b.Command, Profile: c.Profile})
	if unfit := (*cell.Unfit)(nil); errors.As(err, &unfit) {
		return nil, fmt.Errorf("%w: %w", ErrRefused, err)
	}
	if err != nil {
		return nil, err
	}
	return celled{made}, nil
}

// celled is a Box by bubblewrap.
type celled struct{ *cell.Cell }

// Socket is nobody's: the first process is all that there is to strike.
func (c celled) Socket() string { return "" }

func (c celled) Attach(context.Context) (bridge.Stream, error) {
	a := c.Cell.Attach()
	return bridge.Stream{Stdin: a.Stdin, Output: a.Output, Close: a.Close}, nil
}
