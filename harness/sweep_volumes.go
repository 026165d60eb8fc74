package harness

import (
	"context"
	"errors"
	"fmt"
	"time"

	cerrdefs "github.com/containerd/errdefs"
	"github.com/docker/docker/api/types/filters"
	"github.com/docker/docker/api/types/volume"
	"github.com/docker/docker/client"
)

// sweepVolumes removes the volumes with a name that killed runs left. It looks
// again while one is in use: its container may be going just now.
func sweepVolumes(ctx context.Context, api *client.Client) error {
	for range sweepLooks {
		busy, err := sweepVolumesOnce(ctx, api)
		if err != nil || busy == 0 {
			return err
		}
		select {
		case <-time.After(sweepPause):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil // it goes with a later sweep
}

func sweepVolumesOnce(ctx context.Context, api *client.Client) (busy int, err error) {
	found, err := api.VolumeList(ctx, volume.ListOptions{Filters: filters.NewArgs(filters.Arg("label", labelOwner))})
	if err != nil {
		return 0, fmt.Errorf("listing volumes: %w", err)
	}
	var errs []error
	for _, v := range found.Volumes {
		created, _ := time.Parse(time.RFC3339, v.CreatedAt) // long ago, where it cannot be read
		keep, err := entitled(v.Labels, created, time.Now())
		if err == nil && !keep {
			err = api.VolumeRemove(ctx, v.Name, false)
		}
		switch {
		case cerrdefs.IsConflict(err):
			busy++
		case err != nil && !cerrdefs.IsNotFound(err):
			errs = append(errs, fmt.Errorf("sweeping a volume: %w", err))
		}
	}
	return busy, errors.Join(errs...)
}
