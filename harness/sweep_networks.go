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

// sweepNetworks removes the networks of runs that are gone, once the containers
// on them are.
func sweepNetworks(ctx context.Context, api *client.Client, now time.Time) (Swept, error) {
	var swept Swept
	found, err := api.NetworkList(ctx, network.ListOptions{Filters: filters.NewArgs(filters.Arg("label", labelOurs))})
	if err != nil {
		return swept, fmt.Errorf("listing networks: %w", err)
	}
	var errs []error
	for _, n := range found {
		keep, err := entitled(n.Labels, n.Created, now)
		switch {
		case err != nil:
			errs = append(errs, err)
		case keep:
			swept.Kept++
		default:
			if err := api.NetworkRemove(ctx, n.ID); err != nil && !gone(err) {
				errs = append(errs, fmt.Errorf("removing a network: %w", err))
				continue
			}
			swept.Removed++
		}
	}
	return swept, errors.Join(errs...)
}
