package gateway

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"postern/gateway/bridge"
	"postern/gateway/confine"
	"postern/gateway/confine/docker"
)

// Docker is the backend of a local Docker Engine.
type Docker struct {
	Engine *docker.Engine

	// WatchdogSocket is where the watchdog reaches the Engine; the Engine's own
	// socket where empty. A test puts an Engine that fails in between.
	WatchdogSocket string
}

// Preflight looks at the host and at the Engine.
func (d Docker) Preflight(ctx context.Context) ([]confine.Refusal, error) {
	facts, err := d.Engine.Facts(ctx)
	if err != nil {
		return nil, err
	}
	return confine.Preflight(facts), nil
}

// Create makes a container, and meanwhile looks at the image, which the
// container's own account does not tell in full.
func (d Docker) Create(ctx context.Context, c Config, labels map[string]string) (Box, error) {
	b := &contained{Docker: d, config: c}
	looked := make(chan struct{})
	go func() {
		defer close(looked)
		b.image, b.imageErr = d.Engine.InspectImage(ctx, c.Image)
	}()
	var err error
	b.id, err = d.Engine.Create(ctx, c.Image, c.Profile, labels)
	<-looked
	if errors.Is(err, docker.ErrRefused) {
		return nil, fmt.Errorf("%w: %w", ErrRefused, err)
	}
	if err != nil {
		return nil, err
	}
	return b, nil
}

// contained is a Box in an Engine.
type contained struct {
	Docker
	config   Config
	id       string
	image    []byte // the Engine's account of the image
	imageErr error
	life     *docker.Life // what the Engine does to the container; nil before it was admitted
}

func (b *contained) ID() string     { return b.id }
func (b *contained) Socket() string { return cmp.Or(b.WatchdogSocket, b.Engine.Socket()) }

// AdmitCreated compares what the Engine made of the profile with what is
// required. From here on it is heard what is done to the container.
func (b *contained) AdmitCreated(ctx context.Context) (weak []confine.Refusal, err error) {
	if b.imageErr != nil {
		return nil, b.imageErr
	}
	if b.life, err = b.Engine.Follow(ctx, b.id); err != nil {
		return nil, err
	}
	weak, err = b.inspect(ctx)
	return append(docker.AdmitImage(b.config.Image, b.image), weak...), err
}

func (b *contained) inspect(ctx context.Context) ([]confine.Refusal, error) {
	raw, err := b.Engine.Inspect(ctx, b.id)
	if err != nil {
		return nil, err
	}
	return append(docker.Admit(confine.Required(b.config.Profile), b.config.Image, raw), docker.AdmitCommand(b.image, raw)...), nil
}

func (b *contained) Attach(ctx context.Context) (bridge.Stream, error) {
	a, err := b.Engine.Attach(ctx, b.id)
	return bridge.Stream{Stdin: a.Stdin, Output: a.Output, Close: a.Close}, err
}

func (b *contained) Start(ctx context.Context) error { return b.Engine.Start(ctx, b.id) }

// AdmitStarted asks the Engine again, and the kernel beside it.
func (b *contained) AdmitStarted(ctx context.Context) (int, []confine.Refusal, error) {
	refusals, err := b.inspect(ctx)
	if err != nil {
		return 0, nil, err
	}
	state, err := b.Engine.State(ctx, b.id)
	if err != nil {
		return 0, nil, err
	}
	process, err := confine.ReadProcess(state.PID, b.id)
	if err != nil {
		return 0, nil, fmt.Errorf("looking at the container's first process: %w", err)
	}
	return state.PID, append(refusals, confine.AdmitProcess(confine.Required(b.config.Profile), process)...), nil
}

func (b *contained) Wait(ctx context.Context) (int, error)     { return b.Engine.Wait(ctx, b.id) }
func (b *contained) Running(ctx context.Context) (bool, error) { return b.Engine.Running(ctx, b.id) }
func (b *contained) Kill(ctx context.Context) error            { return b.Engine.Kill(ctx, b.id) }

// AdmitEnded looks whether the container that has ended is still the one that
// was admitted: memory, processes, restarts and more can be changed under a
// running one, and processes can be started beside the agent.
func (b *contained) AdmitEnded(ctx context.Context) ([]confine.Refusal, error) {
	actions, err := b.life.End(ctx)
	if err != nil {
		return nil, err
	}
	raw, err := b.Engine.Inspect(ctx, b.id)
	switch {
	case docker.IsGone(err):
		return confine.Refuse(confine.StageEnded, []confine.Control{confine.AutoremoveOff}), nil
	case err != nil:
		return nil, err
	}
	return docker.AdmitEnded(confine.Required(b.config.Profile), b.config.Image, raw, actions), nil
}

func (b *contained) Remove(ctx context.Context) error {
	if b.life != nil {
		b.life.Close()
	}
	return b.Engine.Remove(ctx, b.id)
}
