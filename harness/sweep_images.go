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

// sweepImages removes the images that killed runs left: what they made of the
// agent's image or of a container names its owner, and what a killed test
// imported is old. The agent's own images name no owner and no time, and stay.
func sweepImages(ctx context.Context, api *client.Client) error {
	return removeImages(ctx, api, labelOurs, func(i image.Summary) (bool, error) {
		if i.Labels[labelOwner] == "" && i.Created <= 0 {
			return true, nil
		}
		return entitled(i.Labels, time.Unix(i.Created, 0), time.Now())
	})
}

// removeImages removes those with a label that may not stay. One that a
// container was made of stays as long as that.
func removeImages(ctx context.Context, api *client.Client, label string, stays func(image.Summary) (bool, error)) error {
	found, err := api.ImageList(ctx, image.ListOptions{All: true, Filters: filters.NewArgs(filters.Arg("label", label))})
	if err != nil {
		return fmt.Errorf("listing images: %w", err)
	}
	var errs []error
	for _, i := range found {
		keep, err := stays(i)
		if err == nil && !keep {
			_, err = api.ImageRemove(ctx, i.ID, image.RemoveOptions{})
		}
		if err != nil && !gone(err) {
			errs = append(errs, fmt.Errorf("sweeping an image: %w", err))
		}
	}
	return errors.Join(errs...)
}

// leaveImages removes what this run made of the agent's image, also when its
// context is over.
func (l *lab) leaveImages() error {
	ctx, cancel := context.WithTimeout(context.Background(), trialBound)
	defer cancel()
	return removeImages(ctx, l.api, labelOwner+"="+l.owner.String(), func(image.Summary) (bool, error) { return false, nil })
}
