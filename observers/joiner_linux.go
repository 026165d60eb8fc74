package observers

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"time"

	"github.com/docker/docker/api/types/container"
	"github.com/docker/docker/api/types/network"
)

// peerWord makes the agent's program a container's first process that does
// nothing.
const peerWord = "peer"

const joinerPatience = 10 * time.Second // for a container to be removed

// join looks into the agent's IPC namespace from a container that the Engine
// let join it. The Engine refuses that for one that is private, which costs a
// container each time: so it is asked first what the agent's is.
func (o *Peer) join(ctx context.Context) (err error) {
	info, err := o.engine.ContainerInspect(ctx, o.id)
	if err != nil {
		return fmt.Errorf("asking whether others may join: %w", err)
	}
	if !info.HostConfig.IpcMode.IsShareable() {
		return nil
	}
	made, err := o.engine.ContainerCreate(ctx,
		&container.Config{Image: info.Image, Cmd: []string{peerWord}, User: info.Config.User, Labels: maps.Clone(info.Config.Labels)},
		&container.HostConfig{NetworkMode: network.NetworkNone, IpcMode: container.IpcMode("container:" + o.id), LogConfig: container.LogConfig{Type: "none"}},
		nil, nil, "")
	if err != nil {
		return fmt.Errorf("making a container that joins: %w", err)
	}
	defer func() { err = errors.Join(err, o.removeJoiner(ctx, made.ID)) }()
	if err := o.engine.ContainerStart(ctx, made.ID, container.StartOptions{}); err != nil {
		return fmt.Errorf("starting a container that joins: %w", err)
	}
	joined, err := o.engine.ContainerInspect(ctx, made.ID)
	if err != nil {
		return fmt.Errorf("looking for a container that joins: %w", err)
	}
	as := fmt.Sprintf("/proc/%d/", joined.State.Pid)
	return searchSpace(space{namespace: as + "ns/ipc", shm: as + "root/dev/shm"}, ipcAgent|o.owner, o.watch, o.book)
}

func (o *Peer) removeJoiner(ctx context.Context, id string) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), joinerPatience)
	defer cancel()
	return o.engine.ContainerRemove(ctx, id, container.RemoveOptions{Force: true, RemoveVolumes: true})
}
