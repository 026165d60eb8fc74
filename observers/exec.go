package observers

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"

	"github.com/docker/docker/api/types/container"
	"github.com/docker/docker/client"

	"postern/fixtures"
	"postern/fixtures/channel"
	"postern/observers/canary"
)

const (
	shownFile = "residual" // what the agent's program prints from /dev/shm
	maxShown  = 1 << 20    // bytes read of one process
)

// Exec is a user of the Engine who has a process run in the container, beside
// the agent, and takes what it prints. It is no bystander: it changes what it
// looks at, and belongs in no trial but those about that.
//
// Its pilots are what such a process prints of a file that the host itself puts
// where the agent puts its own: at first alone, at last in the agent's place.
type Exec struct {
	api    *client.Client
	watch  *canary.Watch
	pilots Pilots
	book   *ledger
	id     string
	pid    int
}

var _ Living = (*Exec)(nil)

// NewExec prepares the observer; Enter names its container.
func NewExec(api *client.Client, watch *canary.Watch, pilots Pilots) *Exec {
	return &Exec{api: api, watch: watch, pilots: pilots, book: newLedger()}
}

// Enter implements Living.
func (o *Exec) Enter(container string, pid int) { o.id, o.pid = container, pid }

// Sink implements Observer.
func (o *Exec) Sink() channel.Sink { return channel.SinkExec }

// Pilot implements Observer.
func (o *Exec) Pilot(ctx context.Context, phase channel.ID) error {
	text, err := o.pilots.text(phase)
	if err != nil {
		return err
	}
	o.book.pilot(phase, 1)
	if err := o.put(text); err != nil {
		return fmt.Errorf("putting a pilot where the agent puts its file: %w", withoutPath(err))
	}
	if err := o.Look(ctx); err != nil || phase == channel.PilotAfter {
		return err
	}
	return o.takeAway()
}

// memory is the container's /dev/shm; nothing below leads out of it.
func (o *Exec) memory() (*os.Root, error) {
	if o.pid <= 0 {
		return nil, errUnattached
	}
	return os.OpenRoot(filepath.Join("/proc", strconv.Itoa(o.pid), "root", "dev", "shm"))
}

// put writes the file for everybody to read. One that is there is written over:
// in such a directory not even root may make one that another owns.
func (o *Exec) put(text string) error {
	dir, err := o.memory()
	if err != nil {
		return err
	}
	defer dir.Close()
	f, err := dir.OpenFile(shownFile, os.O_WRONLY|os.O_TRUNC, 0)
	if errors.Is(err, os.ErrNotExist) {
		f, err = dir.OpenFile(shownFile, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o444)
	}
	if err != nil {
		return err
	}
	_, err = io.WriteString(f, text)
	return errors.Join(err, f.Close())
}

func (o *Exec) takeAway() error {
	dir, err := o.memory()
	if err != nil {
		return withoutPath(err)
	}
	defer dir.Close()
	return withoutPath(dir.Remove(shownFile))
}

// Look implements Living: one process, from its beginning to its end.
func (o *Exec) Look(ctx context.Context) error {
	if !fullID.MatchString(o.id) {
		return errUnattached
	}
	made, err := o.api.ContainerExecCreate(ctx, o.id, container.ExecOptions{
		Cmd: []string{fixtures.AgentPath, "print"}, AttachStdout: true, AttachStderr: true,
	})
	if err != nil {
		return fmt.Errorf("asking for a process beside the agent: %w", err)
	}
	attached, err := o.api.ContainerExecAttach(ctx, made.ID, container.ExecAttachOptions{})
	if err != nil {
		return fmt.Errorf("running a process beside the agent: %w", err)
	}
	defer attached.Close()
	stop := context.AfterFunc(ctx, attached.Close)
	defer stop()
	out := o.watch.Stream()
	if err := demultiplex(io.LimitReader(attached.Reader, maxShown), out, out); err != nil {
		return fmt.Errorf("reading from a process beside the agent: %w", err)
	}
	o.book.read(out.Bytes(), out.Sightings())
	return nil
}

// Collect implements Observer.
func (o *Exec) Collect(context.Context) (Report, error) { return o.book.report(channel.SinkExec), nil }

// Close implements Observer.
func (o *Exec) Close() error { return nil }
