package harness

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/docker/docker/api/types/filters"
	"github.com/docker/docker/api/types/network"
	"github.com/docker/docker/client"
)

// sweepNetworks removes the networks that killed runs left on an Engine, once
// the containers in them are gone.
func sweepNetworks(ctx context.Context, api *client.Client) error {
	found, err := api.NetworkList(ctx, network.ListOptions{Filters: filters.NewArgs(filters.Arg("label", labelOurs))})
	if err != nil {
		return fmt.Errorf("listing networks: %w", err)
	}
	var errs []error
	for _, n := range found {
		keep, err := entitled(n.Labels, n.Created, time.Now())
		if err != nil {
			errs = append(errs, err)
		}
		if err != nil || keep {
			continue
		}
		if err := api.NetworkRemove(ctx, n.ID); err != nil && !gone(err) {
			errs = append(errs, fmt.Errorf("removing a network: %w", err))
		}
	}
	return errors.Join(errs...)
}
