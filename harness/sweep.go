package harness

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"time"

	cerrdefs "github.com/containerd/errdefs"
	"github.com/docker/docker/api/types/container"
	"github.com/docker/docker/api/types/filters"
	"github.com/docker/docker/client"

	"postern/gateway"
	"postern/harness/host"
)

// The labels of every container and network that Postern makes.
const (
	labelOurs  = "postern"       // "1"
	labelOwner = "postern.owner" // host.Owner of the process that made it
	labelTrial = "postern.trial" // host.Owner of the harness that hurts that process on purpose
	labelPilot = "postern.pilot" // the log observer's pilot

	labelDressed = "postern.pilot.dressed" // the same in a dress, in the trials about that
)

// ownerlessGrace is how long a labelled container without an owner is left
// alone: longer than any test.
const ownerlessGrace = 10 * time.Minute

// A sweep looks again after several times what a create takes.
const (
	sweepPause = 300 * time.Millisecond
	sweepLooks = 20
)

// SweepOptions say where to sweep.
type SweepOptions struct {
	Socket string
	Named  bool // the Engine there was asked for, and must answer
}

// Swept says what a sweep did.
type Swept struct {
	Removed  int // containers and networks whose owner is gone or whose deadline is over
	Kept     int // those of live sessions
	Restored int // changes of the host that killed runs had written down, and that were put back

	Unasked bool // there is no Engine, so that none was asked for what it has
}

// Sweep removes the containers and networks that killed runs left on an Engine,
// and what they left on the host. An Engine that is there and does not answer is
// an error, for it may have some of ours: what is on the host is swept before.
func Sweep(ctx context.Context, o SweepOptions) (Swept, error) {
	api, err := client.NewClientWithOpts(client.WithHost("unix://"+strings.TrimPrefix(o.Socket, "unix://")), client.WithAPIVersionNegotiation())
	if err != nil {
		return Swept{}, fmt.Errorf("%w: --socket is not the path of a Unix socket", ErrUsage)
	}
	defer api.Close()
	swept, silent, err := sweepEngine(ctx, api, o)
	restored, journalErr := sweepJournals()
	swept.Restored = restored
	if err := errors.Join(err, journalErr, sweepDirectories(ctx), sweepObjects(), sweepCells()); err != nil {
		return swept, fmt.Errorf("%w: %w", ErrFailed, errors.Join(err, silent))
	}
	if silent != nil {
		return swept, orCanceled(ctx, silent)
	}
	return swept, nil
}

// sweepEngine sweeps an Engine that answers. One that is silent is there, or was
// named.
func sweepEngine(ctx context.Context, api *client.Client, o SweepOptions) (swept Swept, silent, err error) {
	if _, err := api.Ping(ctx); err != nil {
		if _, none := os.Stat(strings.TrimPrefix(o.Socket, "unix://")); errors.Is(none, fs.ErrNotExist) && !o.Named {
			return Swept{Unasked: true}, nil, nil
		}
		return Swept{}, &Cannot{"no Docker Engine answers there, and only what is not the Engine's was swept; start dockerd or give its socket with --socket, as a user who may open it: " + err.Error()}, nil
	}
	swept, err = sweep(ctx, api)
	return swept, nil, err
}

// sweep looks again for as long as it finds something: a killed run may have
// asked for a container that the Engine is still making.
func sweep(ctx context.Context, api *client.Client) (Swept, error) {
	ours := filters.NewArgs(filters.Arg("label", labelOurs))
	swept, err := sweepSome(ctx, api, ours, func(labels map[string]string, created time.Time) (bool, error) {
		return entitled(labels, created, time.Now())
	})
	networks, failed := sweepNetworks(ctx, api, time.Now())
	swept.Removed += networks.Removed
	swept.Kept += networks.Kept
	return swept, errors.Join(err, failed, sweepVolumes(ctx, api), sweepImages(ctx, api))
}

// sweepOne sweeps as if there were this container alone, and no harness that
// watches it.
func sweepOne(ctx context.Context, api *client.Client, id string) error {
	_, err := sweepSome(ctx, api, filters.NewArgs(filters.Arg("id", id)), func(labels map[string]string, created time.Time) (bool, error) {
		delete(labels, labelTrial)
		return entitled(labels, created, time.Now())
	})
	return err
}

// entitlement reports whether a container may stay.
type entitlement func(labels map[string]string, created time.Time) (bool, error)

func sweepSome(ctx context.Context, api *client.Client, which filters.Args, keep entitlement) (Swept, error) {
	var all Swept
	for range sweepLooks {
		swept, err := sweepOnce(ctx, api, which, keep)
		all.Removed += swept.Removed
		all.Kept = swept.Kept
		if err != nil || swept.Removed == 0 {
			return all, err
		}
		select {
		case <-time.After(sweepPause):
		case <-ctx.Done():
			return all, ctx.Err()
		}
	}
	return all, nil
}

func sweepOnce(ctx context.Context, api *client.Client, which filters.Args, entitled entitlement) (Swept, error) {
	var swept Swept
	found, err := api.ContainerList(ctx, container.ListOptions{All: true, Filters: which})
	if err != nil {
		return swept, fmt.Errorf("listing containers: %w", err)
	}
	var errs []error
	for _, c := range found {
		keep, err := entitled(c.Labels, time.Unix(c.Created, 0))
		switch {
		case err != nil:
			errs = append(errs, err)
		case keep:
			swept.Kept++
		default:
			err := api.ContainerRemove(ctx, c.ID, container.RemoveOptions{Force: true, RemoveVolumes: true})
			if err != nil && !gone(err) {
				errs = append(errs, fmt.Errorf("removing a container: %w", err))
				continue
			}
			swept.Removed++
		}
	}
	return swept, errors.Join(errs...)
}

// gone tells that a container was removed, or is being removed, by somebody
// faster.
func gone(err error) bool { return cerrdefs.IsNotFound(err) || cerrdefs.IsConflict(err) }

// entitled reports whether a container may stay: its owner lives, and its
// session's deadline is not over. A paused owner lives, but must not keep
// plaintext running for ever. One without a readable owner was made by hand or
// by a test, and is an orphan in time.
func entitled(labels map[string]string, created, now time.Time) (bool, error) {
	deadline, err := strconv.ParseInt(labels[gateway.LabelDeadline], 10, 64)
	if err == nil && now.Unix() > deadline {
		return false, nil
	}
	if harness, err := host.ParseOwner(labels[labelTrial]); err == nil {
		if alive, err := harness.Alive(); alive || err != nil {
			return true, err // its owner may have been killed to see what follows
		}
	}
	owner, err := host.ParseOwner(labels[labelOwner])
	if err != nil {
		return now.Sub(created) < ownerlessGrace, nil
	}
	return owner.Alive()
}
