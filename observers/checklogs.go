package observers

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/docker/docker/api/types/container"
	"github.com/docker/docker/client"

	"postern/fixtures/channel"
	"postern/fixtures/plan"
	"postern/observers/canary"
)

const checkPatience = 20 * time.Second

// CheckLogs proves that both routes to a container's log can be heard: it runs
// the agent image once with a log that is kept, has it write a pilot to
// stderr, and demands that pilot from the API and from the Engine's files.
// Where the campaign has a trial in which the agent dresses what it logs, it
// writes and demands a pilot in that dress as well. root is the Engine's
// DockerRootDir. The container carries the labels and is removed.
func CheckLogs(ctx context.Context, engine *client.Client, root, image string, labels map[string]string, dressed bool) error {
	said := []channel.ID{channel.LogStderr}
	if dressed {
		said = append(said, channel.LogPacked)
	}
	var pilots []canary.Entry
	for _, id := range said {
		pilots = append(pilots, canary.Entry{ID: id, Canary: canary.NewKey().Mint("checklogs", id)})
	}
	watch, err := canary.NewWatch(pilots)
	if err != nil {
		return fmt.Errorf("checking the log routes: %w", err)
	}
	l := logged{engine: engine, root: root, watch: watch, fromAPI: &deep{}, fromFiles: &deep{}}
	if err := l.read(ctx, image, labels, pilots); err != nil {
		return fmt.Errorf("checking the log routes: %w", err)
	}
	if err := heardBoth(channel.LogStderr, l.api, l.files); err != nil || !dressed {
		return err
	}
	return l.heardInDress(ctx)
}

// logged is what the two routes show of one container.
type logged struct {
	engine             *client.Client
	root               string
	watch              *canary.Watch
	api, files         map[channel.ID]int
	fromAPI, fromFiles *deep
}

// read has the pilots written, and reads them by both routes.
func (l *logged) read(ctx context.Context, image string, labels map[string]string, pilots []canary.Entry) error {
	ctx, cancel := context.WithTimeout(ctx, checkPatience)
	defer cancel()
	id, err := createLogger(ctx, l.engine, image, labels)
	if err != nil {
		return err
	}
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), checkPatience)
		defer cancel()
		l.engine.ContainerRemove(ctx, id, container.RemoveOptions{Force: true, RemoveVolumes: true})
	}()
	if err := logPilots(ctx, l.engine, id, pilots); err != nil {
		return err
	}
	l.fromAPI.forget()
	if l.api, _, err = readLogs(ctx, l.engine, id, l.watch, l.fromAPI); err != nil {
		return fmt.Errorf("reading through the API: %w", err)
	}
	files, err := searchDirectory(filepath.Join(l.root, "containers", id), l.watch, maxLogs, l.fromFiles)
	if err != nil {
		return fmt.Errorf("reading the Engine's files: %w", err)
	}
	l.files = files.seen
	return nil
}

// heardInDress searches deeply what both routes showed.
func (l *logged) heardInDress(ctx context.Context) error {
	search, err := l.watch.Deep(channel.LogPacked)
	if err != nil {
		return fmt.Errorf("checking the log routes: %w", err)
	}
	hear := func(d *deep) map[channel.ID]int {
		book := newLedger()
		d.searches, d.dress = []*canary.Deep{search}, []channel.ID{channel.LogPacked}
		d.hear(ctx, book)
		return book.seen
	}
	return heardBoth(channel.LogPacked, hear(l.fromAPI), hear(l.fromFiles))
}

func heardBoth(pilot channel.ID, api, files map[channel.ID]int) error {
	if api[pilot] == 0 {
		return fmt.Errorf("checking the log routes: the API did not show what was logged as %s", pilot)
	}
	if files[pilot] == 0 {
		return fmt.Errorf("checking the log routes: the Engine's files did not hold what was logged as %s", pilot)
	}
	return nil
}

// createLogger is not cut short when ctx is cancelled: the Engine might make a
// container that nobody knows the id of.
func createLogger(ctx context.Context, engine *client.Client, image string, labels map[string]string) (string, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), checkPatience)
	defer cancel()
	made, err := engine.ContainerCreate(ctx,
		&container.Config{Image: image, Labels: labels, User: "65534:65534", OpenStdin: true, StdinOnce: true, AttachStdin: true},
		&container.HostConfig{
			NetworkMode: "none", ReadonlyRootfs: true, CapDrop: []string{"ALL"}, SecurityOpt: []string{"no-new-privileges"},
			LogConfig: container.LogConfig{Type: "json-file"},
		}, nil, nil, "")
	return made.ID, err
}

// logPilots runs the agent with a probe for each, and no gateway to answer it.
func logPilots(ctx context.Context, engine *client.Client, id string, pilots []canary.Entry) error {
	p := plan.Plan{Mode: plan.ModeNormal}
	for _, e := range pilots {
		p.Probes = append(p.Probes, plan.Probe{Channel: e.ID, Canary: e.Canary.Reveal()})
	}
	line, err := json.Marshal(p)
	if err != nil {
		return errors.New("packing the plan failed")
	}
	return feed(ctx, engine, id, append(line, '\n'))
}

// feed starts a container, writes its stdin to the end and waits for its exit.
func feed(ctx context.Context, engine *client.Client, id string, input []byte) error {
	stdin, err := engine.ContainerAttach(ctx, id, container.AttachOptions{Stream: true, Stdin: true})
	if err != nil {
		return err
	}
	defer stdin.Close()
	exited, failed := engine.ContainerWait(ctx, id, container.WaitConditionNextExit)
	if err := engine.ContainerStart(ctx, id, container.StartOptions{}); err != nil {
		return err
	}
	if _, err := stdin.Conn.Write(input); err != nil {
		return err
	}
	if err := stdin.CloseWrite(); err != nil {
		return err
	}
	select {
	case <-exited:
		return nil
	case err := <-failed:
		return err
	}
}
