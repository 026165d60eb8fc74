package harness

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/docker/docker/client"

	"postern/fixtures"
	"postern/gateway/confine/docker"
	"postern/harness/engine"
	"postern/observers"
)

// ownEngine starts a private Engine for the trial, with the agent's image in
// it, and turns gateway and host observer towards it.
func (t *trial) ownEngine(ctx context.Context) error {
	if err := t.engineOf(ctx, engine.Options{Separate: true}); err != nil {
		return err
	}
	t.posts.attached = []observers.Attached{observers.NewHost(t.api)}
	return nil
}

// engineOf starts a private Engine and turns the trial towards it.
func (t *trial) engineOf(ctx context.Context, o engine.Options) (err error) {
	if t.private, err = o.Start(ctx, filepath.Join(t.dir, engineDirectory)); err != nil {
		return err
	}
	if err := t.reach(ctx, t.private.Socket()); err != nil {
		return errors.Join(err, t.leaveEngine())
	}
	return nil
}

func (t *trial) reach(ctx context.Context, socket string) (err error) {
	if t.engine, err = docker.Connect(ctx, socket); err != nil {
		return err
	}
	if t.api, err = client.NewClientWithOpts(client.WithHost("unix://"+socket), client.WithAPIVersionNegotiation()); err != nil {
		return err
	}
	image, err := fixtures.BuildImage(ctx, t.api, t.binaries.Agent)
	if err != nil {
		return err
	}
	if image != t.image {
		return errors.New("the private Engine gave the agent's image another id")
	}
	return nil
}

// leaveEngine ends the private Engine and all that it left behind, even when
// the trial was cancelled.
func (t *trial) leaveEngine() error {
	ctx, cancel := context.WithTimeout(context.Background(), trialBound)
	defer cancel()
	if err := t.private.Close(ctx); err != nil {
		return fmt.Errorf("ending the private Engine: %w", err)
	}
	return nil
}
