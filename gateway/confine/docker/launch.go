package docker

import (
	"context"
	"errors"
	"fmt"
	"time"

	"postern/gateway/confine"

	cerrdefs "github.com/containerd/errdefs"
	"github.com/docker/docker/api/types"
	"github.com/docker/docker/api/types/container"
)

// ErrRefused means that the Engine answered, and would not create or start the
// container: no such combination, no such image, no such network.
var ErrRefused = errors.New("the Engine refused")

// createBound is far above what a create takes: 13-43 ms measured, 15 s where
// the Engine looks for a log driver that does not exist.
const createBound = time.Minute

// Create makes a container of a profile and does not start it. What the Engine
// understood by it is only known from Inspect. Cancelling ctx does not cut the
// call short: the Engine might make a container that nobody knows the id of.
func (e *Engine) Create(ctx context.Context, image string, p confine.Profile, labels map[string]string) (id string, err error) {
	config, host, networks, err := Render(p, image, labels)
	if err != nil {
		return "", err
	}
	if err := ctx.Err(); err != nil {
		return "", fmt.Errorf("creating a container: %w", err)
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), createBound)
	defer cancel()
	made, err := e.api.ContainerCreate(ctx, config, host, networks, nil, "")
	switch {
	case err == nil:
	case answered(err):
		return "", fmt.Errorf("creating a container: %w: %w", ErrRefused, err)
	default:
		return "", fmt.Errorf("creating a container: %w", err)
	}
	if !hexDigits(made.ID) {
		return "", errors.New("creating a container: the Engine gave no container id")
	}
	return made.ID, nil
}

// answered tells an error status of the Engine's from a call that never got
// through: only the first carries one of these kinds.
func answered(err error) bool {
	for _, is := range []func(error) bool{
		cerrdefs.IsInvalidArgument, cerrdefs.IsNotFound, cerrdefs.IsConflict,
		cerrdefs.IsUnauthorized, cerrdefs.IsPermissionDenied, cerrdefs.IsNotImplemented,
		cerrdefs.IsInternal, cerrdefs.IsUnavailable,
	} {
		if is(err) {
			return true
		}
	}
	return false
}

// Attach joins the streams; before Start, so that nothing is missed. It never
// asks for what was written before: with no log driver, that request hangs.
func (e *Engine) Attach(ctx context.Context, id string) (confine.Attached, error) {
	a, err := e.api.ContainerAttach(ctx, id, container.AttachOptions{
		Stream: true, Stdin: true, Stdout: true, Stderr: true,
	})
	if err != nil {
		return confine.Attached{}, fmt.Errorf("attaching to a container: %w", err)
	}
	return confine.Attached{Stdin: stdin{a}, Output: a.Reader, Close: a.Conn.Close}, nil
}

// stdin closes one direction of the attached connection.
type stdin struct{ attached types.HijackedResponse }

func (s stdin) Write(b []byte) (int, error) { return s.attached.Conn.Write(b) }
func (s stdin) Close() error                { return s.attached.CloseWrite() }

// Start starts a created container.
func (e *Engine) Start(ctx context.Context, id string) error {
	if err := e.api.ContainerStart(ctx, id, container.StartOptions{}); err != nil {
		if answered(err) {
			return fmt.Errorf("starting a container: %w: %w", ErrRefused, err)
		}
		return fmt.Errorf("starting a container: %w", err)
	}
	return nil
}

// Inspect is the Engine's account of a container, byte for byte, for Admit.
func (e *Engine) Inspect(ctx context.Context, id string) ([]byte, error) {
	_, raw, err := e.api.ContainerInspectWithRaw(ctx, id, false)
	if err != nil {
		return nil, fmt.Errorf("inspecting a container: %w", err)
	}
	return raw, nil
}

// IsGone tells the error about a container that the Engine has no more.
func IsGone(err error) bool { return cerrdefs.IsNotFound(err) }

// State is where a container is in its life.
type State struct {
	Status    string // "created", "running", "exited", ...
	Running   bool
	OOMKilled bool
	PID       int // in the host's numbering; 0 when not running
	ExitCode  int
	Restarts  int
}

// State looks at a container's life, for supervision and not for admission.
func (e *Engine) State(ctx context.Context, id string) (State, error) {
	c, err := e.api.ContainerInspect(ctx, id)
	if err != nil {
		return State{}, fmt.Errorf("looking at the state of a container: %w", err)
	}
	if c.ContainerJSONBase == nil || c.State == nil {
		return State{}, errors.New("looking at the state of a container: the Engine gave none")
	}
	return State{
		Status: c.State.Status, Running: c.State.Running, OOMKilled: c.State.OOMKilled,
		PID: c.State.Pid, ExitCode: c.State.ExitCode, Restarts: c.RestartCount,
	}, nil
}

// Running reports whether a container runs or is about to: paused and
// restarting ones do. One that is gone does not.
func (e *Engine) Running(ctx context.Context, id string) (bool, error) {
	s, err := e.State(ctx, id)
	if cerrdefs.IsNotFound(err) {
		return false, nil
	}
	return s.Running, err // so the Engine counts the others, too
}

// Kill ends every process of a container at once. One that does not run any
// more, or is gone, is no error.
func (e *Engine) Kill(ctx context.Context, id string) error {
	if err := e.api.ContainerKill(ctx, id, "KILL"); err != nil && !cerrdefs.IsConflict(err) && !cerrdefs.IsNotFound(err) {
		return fmt.Errorf("killing a container: %w", err)
	}
	return nil
}

const unknownCode = -1

// Wait waits until a started container does not run, and gives its exit code.
// A container that was never started counts as one that does not run, and so
// does one that is gone, of which nobody knows the exit code: it is -1.
func (e *Engine) Wait(ctx context.Context, id string) (int, error) {
	exited, failed := e.api.ContainerWait(ctx, id, container.WaitConditionNotRunning)
	select {
	case r := <-exited:
		if r.Error != nil {
			return 0, errors.New("waiting for a container: the Engine lost it")
		}
		return int(r.StatusCode), nil
	case err := <-failed:
		if cerrdefs.IsNotFound(err) {
			return unknownCode, nil
		}
		return 0, fmt.Errorf("waiting for a container: %w", err)
	case <-ctx.Done():
		return 0, fmt.Errorf("waiting for a container: %w", ctx.Err())
	}
}

// Remove ends a container in any state and takes its anonymous volumes with
// it. One that is gone already is no error; one that the Engine is removing
// is waited for.
func (e *Engine) Remove(ctx context.Context, id string) error {
	err := e.api.ContainerRemove(ctx, id, container.RemoveOptions{Force: true, RemoveVolumes: true})
	if cerrdefs.IsConflict(err) {
		err = e.removed(ctx, id)
	}
	if err != nil && !cerrdefs.IsNotFound(err) {
		return fmt.Errorf("removing a container: %w", err)
	}
	return nil
}

// removed waits until a container is gone.
func (e *Engine) removed(ctx context.Context, id string) error {
	gone, failed := e.api.ContainerWait(ctx, id, container.WaitConditionRemoved)
	select {
	case <-gone:
		return nil
	case err := <-failed:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}
