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
// root is the Engine's DockerRootDir. The container carries the labels and is
// removed.
func CheckLogs(ctx context.Context, engine *client.Client, root, image string, labels map[string]string) error {
	ctx, cancel := context.WithTimeout(ctx, checkPatience)
	defer cancel()
	pilot := canary.NewKey().Mint("checklogs", channel.LogStderr)
	watch, err := canary.NewWatch([]canary.Entry{{ID: channel.LogStderr, Canary: pilot}})
	if err != nil {
		return fmt.Errorf("checking the log routes: %w", err)
	}
	id, err := createLogger(ctx, engine, image, labels)
	if err != nil {
		return fmt.Errorf("checking the log routes: %w", err)
	}
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), checkPatience)
		defer cancel()
		engine.ContainerRemove(ctx, id, container.RemoveOptions{Force: true, RemoveVolumes: true})
	}()
	if err := logPilot(ctx, engine, id, pilot); err != nil {
		return fmt.Errorf("checking the log routes: %w", err)
	}
	api, _, err := readLogs(ctx, engine, id, watch)
	if err != nil {
		return fmt.Errorf("checking the log routes: reading through the API: %w", err)
	}
	files, err := searchDirectory(filepath.Join(root, "containers", id), watch, maxLogs)
	if err != nil {
		return fmt.Errorf("checking the log routes: reading the Engine's files: %w", err)
	}
	return heardBoth(api, files.seen)
}

func heardBoth(api, files map[channel.ID]int) error {
	if api[channel.LogStderr] == 0 {
		return errors.New("checking the log routes: the API did not show what was logged")
	}
	if files[channel.LogStderr] == 0 {
		return errors.New("checking the log routes: the Engine's files did not hold what was logged")
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

// logPilot runs the agent with one probe, and no gateway to answer it.
func logPilot(ctx context.Context, engine *client.Client, id string, pilot canary.Canary) error {
	line, err := json.Marshal(plan.Plan{Mode: plan.ModeNormal, Probes: []plan.Probe{{Channel: channel.LogStderr, Canary: pilot.Reveal()}}})
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
