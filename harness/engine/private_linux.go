package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/docker/docker/client"
)

// How long a daemon may take, where the caller sets no shorter limit. An
// orderly end gives each container its stop time first, 10 s by default.
const (
	startLimit = 30 * time.Second
	stopLimit  = 30 * time.Second
	closeLimit = 30 * time.Second
)

// Private is one private Engine. One goroutine at a time may use it.
type Private struct {
	home       home
	options    Options
	keeper     *keeper
	containerd *daemon // nil where dockerd starts its own
	dockerd    *daemon
}

// Start starts a private Engine in dir, which must be empty or absent. Unix
// sockets limit the path of dir to 72 bytes (unix(7): 107, less what containerd
// appends). It returns once the Engine answers.
func (o Options) Start(ctx context.Context, dir string) (_ *Private, err error) {
	if err := able(); err != nil {
		return nil, err
	}
	// dockerd joins a containerd of the host's when it finds one, and would
	// share the first Engine's namespace there.
	if _, err := os.Lstat(hostContainerd); err == nil {
		o.Separate = true
	}
	h, err := furnish(dir, o)
	if err != nil {
		return nil, err
	}
	e := &Private{home: h, options: o}
	defer func() {
		if err != nil {
			err = errors.Join(err, e.Close(context.WithoutCancel(ctx)))
		}
	}()
	if e.keeper, err = keep(); err != nil {
		return nil, err
	}
	if o.Separate {
		if e.containerd, err = e.keeper.start(h, "containerd", "--config", h.containerdConfig()); err != nil {
			return nil, err
		}
	}
	if err := e.launch(ctx); err != nil {
		return nil, err
	}
	return e, nil
}

// able says what this machine lacks.
func able() error {
	if os.Geteuid() != 0 {
		return &NotApplicable{"it needs root"}
	}
	for _, program := range []string{"dockerd", "containerd", "runc"} {
		if _, err := exec.LookPath(program); err != nil {
			return &NotApplicable{program + " is not on the PATH"}
		}
	}
	return nil
}

// launch starts dockerd and waits until it answers.
func (e *Private) launch(ctx context.Context) (err error) {
	ctx, cancel := context.WithTimeout(ctx, startLimit)
	defer cancel()
	if err := e.forget(ctx); err != nil {
		return fmt.Errorf("starting dockerd: %w", err)
	}
	if e.dockerd, err = e.keeper.start(e.home, "dockerd", "--config-file", e.home.dockerdConfig()); err != nil {
		return err
	}
	api, err := client.NewClientWithOpts(client.WithHost("unix://" + e.home.socket()))
	if err != nil {
		return fmt.Errorf("starting dockerd: %w", err)
	}
	defer api.Close()
	for {
		// Refused until the socket listens; answered once containers are loaded.
		if _, err := api.Ping(ctx); err == nil {
			return nil
		}
		select {
		case <-e.dockerd.gone:
			return fmt.Errorf("starting dockerd: it ended first; its last words: %s", e.home.lastWords())
		case <-ctx.Done():
			return fmt.Errorf("starting dockerd: waiting for its answer: %w", ctx.Err())
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// forget removes the pid files of dead daemons, whose numbers may be others' by
// now. A containerd that dockerd started is killed with it (by the kernel, see
// PR_SET_PDEATHSIG), but not at once, and counts as running for dockerd 20.10
// as long as nobody has reaped it: it would wait in vain for 15 s, and give up.
func (e *Private) forget(ctx context.Context) error {
	pidfile := e.home.at("x/containerd/containerd.pid")
	text, err := os.ReadFile(pidfile)
	if pid, bad := strconv.Atoi(strings.TrimSpace(string(text))); err == nil && bad == nil {
		if err := awaitProcess(ctx, pid, e.home); err != nil {
			return fmt.Errorf("waiting for the end of the last containerd: %w", err)
		}
	}
	return errors.Join(os.RemoveAll(pidfile), os.RemoveAll(e.home.pidfile()))
}

// Socket is the path of the Engine's unix socket.
func (e *Private) Socket() string { return e.home.socket() }

// Root is the directory in which the Engine keeps containers and images.
func (e *Private) Root() string { return e.home.data() }

// PID is dockerd's process id, or 0 where it does not run.
func (e *Private) PID() int {
	if !e.dockerd.alive() {
		return 0
	}
	return e.dockerd.pid()
}

// Stop ends dockerd in an orderly way (SIGTERM), which stops its containers
// unless live restore is on. One that does not run is no error.
func (e *Private) Stop(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, stopLimit)
	defer cancel()
	if err := e.dockerd.stop(ctx); err != nil {
		return fmt.Errorf("stopping dockerd: %w", err)
	}
	return nil
}

// Kill ends dockerd alone at once (SIGKILL) and returns when it is gone. One
// that does not run is no error.
func (e *Private) Kill() error {
	if err := e.dockerd.kill(); err != nil {
		return fmt.Errorf("killing dockerd: %w", err)
	}
	return nil
}

// Pause stops all threads of dockerd (SIGSTOP) and returns when they stand.
func (e *Private) Pause() error {
	if err := e.dockerd.pause(); err != nil {
		return fmt.Errorf("pausing dockerd: %w", err)
	}
	return nil
}

// Resume lets a paused dockerd go on (SIGCONT).
func (e *Private) Resume() error {
	if err := e.dockerd.resume(); err != nil {
		return fmt.Errorf("resuming dockerd: %w", err)
	}
	return nil
}

// Restart stops dockerd where it runs, starts it and returns once it answers.
// A separate containerd stays. A paused dockerd must be resumed or killed first.
func (e *Private) Restart(ctx context.Context) error {
	if err := e.Stop(ctx); err != nil {
		return err
	}
	return e.launch(ctx)
}

// Close ends the daemons and every container at once, whatever state they are
// in, and removes the directory. Closing again is no error.
func (e *Private) Close(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, closeLimit)
	defer cancel()
	errs := []error{e.dockerd.kill(), e.containerd.kill(), clean(ctx, e.home)}
	if e.keeper != nil {
		e.keeper.end()
		e.keeper = nil
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("closing the private Engine: %w", err)
	}
	return nil
}

// lastWords are the ends of the daemons' log.
func (h home) lastWords() string {
	b, err := os.ReadFile(h.log())
	if err != nil {
		return err.Error()
	}
	lines := strings.Split(strings.TrimSpace(string(b)), "\n")
	return strings.Join(lines[max(0, len(lines)-3):], "; ")
}

// home is the directory of one Engine, absolute and free of symbolic links.
type home string

func (h home) at(name string) string { return filepath.Join(string(h), name) }

func (h home) owner() string            { return h.at("owner") }
func (h home) socket() string           { return h.at("s") }
func (h home) pidfile() string          { return h.at("pid") }
func (h home) log() string              { return h.at("log") }
func (h home) data() string             { return h.at("r") }
func (h home) exec() string             { return h.at("x") }
func (h home) dockerdConfig() string    { return h.at("dockerd.json") }
func (h home) containerdConfig() string { return h.at("containerd.toml") }

// containerd is where dockerd puts its own; a separate one is put there too.
func (h home) containerd() string { return h.at("x/containerd/containerd.sock") }

// tasks has a directory for each container whose shim containerd knows.
func (h home) tasks() string {
	return h.at("x/containerd/daemon/io.containerd.runtime.v2.task/moby")
}
