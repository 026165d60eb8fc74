package upstream

import (
	"context"
	"errors"
	"fmt"
	"os"

	"postern/gateway/confine/bubblewrap"
	"postern/gateway/guard"
	"postern/gateway/guard/spawn"
)

// attempts are how often a sandbox is made: what is mounted on the host may go
// away in the moment that it takes, and then nothing has run.
const attempts = 3

// decide asks the table about a server that is to run from an image.
func (s Server) decide(ctx context.Context, image *Image, theirs []*os.File) (spawn.Beside, error) {
	g := s.Guard
	r := spawn.Request{
		Wrapped: guard.Wrapped{Server: g.Name, Original: g.Original, Profile: g.Profile, Required: !g.Optional, Command: s.Command()},
		State:   g.State, Table: g.Table, Means: spawn.Means{Places: g.Places, Kernel: g.Kernel}, Image: image.memory, Env: s.Env, Stage: g.Stage,
		Stdin: theirs[0], Stdout: theirs[1], Stderr: theirs[2], Weak: spawn.Weakness{Bubblewrap: g.Weak.Sandbox, Landlock: g.Weak.Landlock},
	}
	if g.State == "" { // what was never enrolled is what it is
		r.Wrapped.Original = guard.OriginalHash(g.Name, s.Command(), true)
	}
	if r.Table == nil {
		r.Table = guard.Reference()
	}
	if g.Places == nil {
		r.Means.Places = bubblewrap.Places
	}
	return spawn.Decide(ctx, r)
}

// confined runs a server in its sandbox.
func (p *process) confined(b spawn.Beside) error {
	running, err := b.Start()
	if err != nil {
		return fmt.Errorf("starting tool server: %w", err)
	}
	p.end = running.Kill
	go func() {
		_, err := running.Wait()
		p.unmade = errors.Is(err, spawn.ErrNotMade)
		close(p.gone)
	}()
	return nil
}

// warn is the notice of a server that is not confined.
func warn(b spawn.Beside) {
	fmt.Fprintf(os.Stderr, "postern: WARNING: a tool server of the gateway runs UNCONFINED: %s\n", b.Notice)
}
