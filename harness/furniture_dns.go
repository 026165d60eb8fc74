package harness

import (
	"context"
	"errors"
	"fmt"
	"net"
	"syscall"
	"time"

	"github.com/docker/docker/api/types/network"

	"postern/mutants"
)

// dnsFurniture is what mutants of the dns channels need beside them.
func dnsFurniture() map[mutants.Need]piece {
	return map[mutants.Need]piece{mutants.NeedResolver: resolverNetwork}
}

const removalBound = 30 * time.Second // for a network, also when the trial's own time is over

// resolverNetwork makes a network without a way out. The host has an address
// in it all the same, where a name server of ours then listens.
func resolverNetwork(ctx context.Context, t *trial) (takeAway func() error, err error) {
	name := fmt.Sprintf("postern-resolver-%d", t.uid)
	made, err := t.api.NetworkCreate(ctx, name, network.CreateOptions{
		Driver: "bridge", Internal: true,
		Labels: map[string]string{labelOurs: "1", labelOwner: t.owner.String(), labelTrial: t.owner.String()},
	})
	if err != nil {
		return nil, fmt.Errorf("making a network: %w", err)
	}
	takeAway = func() error {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), removalBound)
		defer cancel()
		if err := t.api.NetworkRemove(ctx, made.ID); err != nil && !gone(err) {
			return fmt.Errorf("removing a network: %w", err)
		}
		return nil
	}
	t.site.Names.Network = name // the Engine's account of a container has names
	if t.site.Names.Server, err = t.hostIn(ctx, made.ID); err != nil {
		return nil, errors.Join(err, takeAway())
	}
	return takeAway, nil
}

// hostIn returns the host's address in a network, where nobody listens for
// questions yet.
func (t *trial) hostIn(ctx context.Context, id string) (string, error) {
	n, err := t.api.NetworkInspect(ctx, id, network.InspectOptions{})
	if err != nil {
		return "", fmt.Errorf("looking at a network: %w", err)
	}
	if len(n.IPAM.Config) != 1 || n.IPAM.Config[0].Gateway == "" {
		return "", errors.New("looking at a network: the Engine gave the host no address there")
	}
	address := n.IPAM.Config[0].Gateway
	l, err := net.Listen("tcp4", net.JoinHostPort(address, "53"))
	if errors.Is(err, syscall.EADDRINUSE) {
		return "", &unable{"name-server-everywhere"} // one of the host's listens on all addresses
	}
	if err != nil {
		return "", fmt.Errorf("listening in a network: %w", err)
	}
	return address, l.Close()
}
