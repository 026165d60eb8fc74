package harness

import (
	"context"
	"errors"
	"fmt"
	"os"

	cerrdefs "github.com/containerd/errdefs"
	"github.com/docker/docker/api/types/container"
	"github.com/docker/docker/api/types/volume"
)

// namedVolume makes a volume that any user may write, under a name that the
// Engine draws.
func namedVolume(ctx context.Context, t *trial) (func() error, error) {
	made, err := t.api.VolumeCreate(ctx, volume.CreateOptions{Labels: t.marks()})
	if err != nil {
		return nothingToTake, fmt.Errorf("making a volume: %w", err)
	}
	t.site.Volume = made.Name
	takeAway := func() error { return ignoreGone(t.api.VolumeRemove(context.WithoutCancel(ctx), made.Name, true)) }
	if err := os.Chmod(made.Mountpoint, openToAll); err != nil {
		return nothingToTake, errors.Join(fmt.Errorf("opening a volume: %w", err), takeAway())
	}
	return takeAway, nil
}

// openToAll is the mode of a directory in which any user may leave files.
const openToAll = 0o777 | os.ModeSticky

// volumePeer makes a container that never runs, with a volume that any user may
// write.
func volumePeer(ctx context.Context, t *trial) (func() error, error) {
	made, err := t.api.ContainerCreate(ctx,
		&container.Config{Image: t.image, Labels: t.marks(), Volumes: map[string]struct{}{atPeer: {}}},
		&container.HostConfig{NetworkMode: "none"}, nil, nil, "")
	if err != nil {
		return nothingToTake, fmt.Errorf("making a container with a volume: %w", err)
	}
	t.site.VolumePeer = made.ID
	takeAway := func() error {
		return ignoreGone(t.api.ContainerRemove(context.WithoutCancel(ctx), made.ID, container.RemoveOptions{Force: true, RemoveVolumes: true}))
	}
	info, err := t.api.ContainerInspect(ctx, made.ID)
	if err == nil && len(info.Mounts) != 1 {
		err = errors.New("the Engine gave it none")
	}
	if err == nil {
		err = os.Chmod(info.Mounts[0].Source, openToAll)
	}
	if err != nil {
		return nothingToTake, errors.Join(fmt.Errorf("opening another container's volume: %w", err), takeAway())
	}
	return takeAway, nil
}

// marks are the labels by which a sweep finds what stands beside a container.
func (t *trial) marks() map[string]string {
	marks := t.labels(t.canaries)
	delete(marks, labelPilot)
	delete(marks, labelDressed)
	return marks
}

func ignoreGone(err error) error {
	if cerrdefs.IsNotFound(err) {
		return nil
	}
	return err
}
