package harness

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/docker/docker/api/types/filters"
	"github.com/docker/docker/api/types/image"
	"github.com/docker/docker/client"
)

// sweepImages removes the images that killed runs made of a container: they
// have its labels. The agent's own images name no owner, and stay.
func sweepImages(ctx context.Context, api *client.Client) error {
	found, err := api.ImageList(ctx, image.ListOptions{All: true, Filters: filters.NewArgs(filters.Arg("label", labelOwner))})
	if err != nil {
		return fmt.Errorf("listing images: %w", err)
	}
	var errs []error
	for _, i := range found {
		keep, err := entitled(i.Labels, time.Unix(i.Created, 0), time.Now())
		if err == nil && !keep {
			_, err = api.ImageRemove(ctx, i.ID, image.RemoveOptions{Force: true})
		}
		if err != nil && !gone(err) {
			errs = append(errs, fmt.Errorf("sweeping an image: %w", err))
		}
	}
	return errors.Join(errs...)
}
