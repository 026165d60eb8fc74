package harness

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"strconv"
	"time"

	"github.com/docker/docker/api/types/container"
	"github.com/docker/docker/api/types/network"

	"postern/mutants"
)

// netFurniture is what mutants of the net channels need beside them.
func netFurniture() map[mutants.Need]piece {
	return map[mutants.Need]piece{
		mutants.NeedBridge:     bridgeFacts,
		mutants.NeedNetwork:    ownNetwork(network.CreateOptions{Driver: "bridge"}),
		mutants.NeedInternal:   ownNetwork(network.CreateOptions{Driver: "bridge", Internal: true}),
		mutants.NeedMacvlan:    macvlan,
		mutants.NeedNetPeer:    netPeer,
		mutants.NeedBridgePeer: bridgePeer,
	}
}

// undoBound is how long taking something away may take, also when the trial's
// own time is over.
const undoBound = 30 * time.Second

func undoing() (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.Background(), undoBound)
}

func bridgeFacts(_ context.Context, t *trial) (func() error, error) {
	ground, err := t.ground()
	t.site.Net.Gateway = ground.gateway.Addr().String()
	t.site.Net.Published = strconv.Itoa(t.port(1))
	return func() error { return nil }, err
}

// ownNetwork makes a network of that kind, whose addresses the Engine chooses.
func ownNetwork(kind network.CreateOptions) piece {
	return func(ctx context.Context, t *trial) (func() error, error) {
		takeAway, err := t.network(ctx, kind)
		if err != nil {
			return nil, err
		}
		if t.around.segment, err = t.segmentOf(ctx, t.site.Net.Network); err != nil {
			return nil, errors.Join(err, takeAway())
		}
		return func() error { return errors.Join(t.around.segment.unplug(), takeAway()) }, nil
	}
}

// network makes a network that sweep finds.
func (t *trial) network(ctx context.Context, kind network.CreateOptions) (takeAway func() error, err error) {
	kind.Labels = t.ownerLabels()
	name := fmt.Sprintf("postern-%d", t.uid)
	made, err := t.api.NetworkCreate(ctx, name, kind)
	if err != nil {
		return nil, fmt.Errorf("making a network: %w", err)
	}
	t.site.Net.Network = name
	return func() error {
		ctx, cancel := undoing()
		defer cancel()
		if err := t.api.NetworkRemove(ctx, made.ID); err != nil && !gone(err) {
			return fmt.Errorf("removing a network: %w", err)
		}
		return nil
	}, nil
}

// ownerLabels mark what is no container of an agent's.
func (t *trial) ownerLabels() map[string]string {
	return map[string]string{labelOurs: "1", labelOwner: t.owner.String(), labelTrial: t.owner.String()}
}

// macvlan makes a network on this host's end of the link to the neighbour, who
// gets its first address.
func macvlan(ctx context.Context, t *trial) (func() error, error) {
	if err := t.outskirts.ready(); err != nil {
		return nil, err
	}
	takeAway, err := t.network(ctx, network.CreateOptions{Driver: "macvlan", Options: map[string]string{"parent": t.outskirts.link}})
	if err != nil {
		return nil, err
	}
	returned, err := t.settleNeighbour(ctx)
	if err != nil {
		return nil, errors.Join(err, takeAway())
	}
	return func() error { return errors.Join(returned(), takeAway()) }, nil
}

func (t *trial) settleNeighbour(ctx context.Context) (func() error, error) {
	n, err := t.api.NetworkInspect(ctx, t.site.Net.Network, network.InspectOptions{})
	if err != nil {
		return nil, fmt.Errorf("looking at a network: %w", err)
	}
	if len(n.IPAM.Config) != 1 {
		return nil, errors.New("the Engine gave a network no addresses")
	}
	subnet, err := netip.ParsePrefix(n.IPAM.Config[0].Subnet)
	if err != nil {
		return nil, errors.New("the Engine gave a network addresses that are none")
	}
	first := netip.PrefixFrom(subnet.Masked().Addr().Next(), subnet.Bits())
	t.around.neighbour = first.Addr()
	return t.outskirts.lend(first)
}

// netPeer starts another container: on the trial's network, or on none.
func netPeer(ctx context.Context, t *trial) (func() error, error) {
	if t.site.Net.Network == "" {
		return t.startPeer(ctx, "none", nil)
	}
	return t.startPeer(ctx, container.NetworkMode(t.site.Net.Network), &network.NetworkingConfig{
		EndpointsConfig: map[string]*network.EndpointSettings{
			t.site.Net.Network: {Aliases: []string{mutants.PeerName}},
		},
	})
}

func bridgePeer(ctx context.Context, t *trial) (func() error, error) {
	return t.startPeer(ctx, "bridge", nil)
}

// idle makes the agent's program a child that does nothing until it is killed.
const idle = "linger"

// startPeer starts a container that does nothing, for observers to listen in.
func (t *trial) startPeer(ctx context.Context, on container.NetworkMode, ends *network.NetworkingConfig) (func() error, error) {
	uid := t.lab.uid()
	made, err := t.api.ContainerCreate(ctx, &container.Config{
		Image: t.image, Cmd: []string{idle}, Labels: t.ownerLabels(),
		User: fmt.Sprintf("%d:%d", uid, uid),
	}, &container.HostConfig{
		NetworkMode: on, ReadonlyRootfs: true, CapDrop: []string{"ALL"},
		LogConfig: container.LogConfig{Type: "none"},
	}, ends, nil, "")
	if err != nil {
		return nil, fmt.Errorf("making another container: %w", err)
	}
	takeAway := func() error {
		ctx, cancel := undoing()
		defer cancel()
		err := t.api.ContainerRemove(ctx, made.ID, container.RemoveOptions{Force: true, RemoveVolumes: true})
		if err != nil && !gone(err) {
			return fmt.Errorf("removing another container: %w", err)
		}
		return nil
	}
	if err := t.meetPeer(ctx, made.ID); err != nil {
		return nil, errors.Join(err, takeAway())
	}
	return takeAway, nil
}

// meetPeer starts the other container and notes where it is.
func (t *trial) meetPeer(ctx context.Context, id string) error {
	if err := t.api.ContainerStart(ctx, id, container.StartOptions{}); err != nil {
		return fmt.Errorf("starting another container: %w", err)
	}
	c, err := t.api.ContainerInspect(ctx, id)
	if err != nil {
		return fmt.Errorf("looking at another container: %w", err)
	}
	if c.ContainerJSONBase == nil || c.State == nil || c.State.Pid == 0 || c.NetworkSettings == nil {
		return errors.New("another container is not running")
	}
	t.site.Net.Peer = id
	t.around.peer = fmt.Sprintf("/proc/%d/ns/net", c.State.Pid)
	for _, n := range c.NetworkSettings.Networks {
		t.site.Net.PeerAddress = n.IPAddress
	}
	return nil
}
