package harness

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/docker/docker/api/types/container"
	"github.com/docker/docker/pkg/stdcopy"

	"postern/gateway/confine"
	"postern/observers"
)

// peers are the other containers of a run, one for each tier, which its trials
// share: started when the first of them asks for it.
type peers struct {
	mu   sync.Mutex
	made map[confine.Tier]*peer
}

// peer is another container, of the agent's image, that does nothing and lets
// others join it.
type peer struct {
	observers.Neighbour
	user string // "uid:gid"
	stop func()
}

const (
	peerCommand = "peer"           // of the agent's program
	peerBound   = 30 * time.Second // for it to start, or to be removed
)

// get is the run's peer for the subjects of a tier: what they share with it is
// as large as their own.
func (p *peers) get(l *lab, tier confine.Tier) (*peer, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if made := p.made[tier]; made != nil {
		return made, nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), peerBound) // it outlives the trial that asks
	defer cancel()
	profile, _ := tier.Profile()
	made, err := l.startPeer(ctx, profile.ShmSize)
	if err != nil {
		return nil, fmt.Errorf("starting the peer container: %w", err)
	}
	if p.made == nil {
		p.made = map[confine.Tier]*peer{}
	}
	p.made[tier] = made
	return made, nil
}

func (l *lab) startPeer(ctx context.Context, shm int64) (_ *peer, err error) {
	uid := l.uid()
	made := &peer{user: fmt.Sprintf("%d:%d", uid, uid)}
	created, err := l.api.ContainerCreate(ctx,
		&container.Config{
			Image: l.image, Cmd: []string{peerCommand}, User: made.user, AttachStdout: true,
			Labels: map[string]string{labelOurs: "1", labelOwner: l.owner.String()},
		},
		&container.HostConfig{
			NetworkMode: "none", IpcMode: container.IPCModeShareable, LogConfig: container.LogConfig{Type: "none"},
			ShmSize: shm,
			CapDrop: []string{"ALL"}, SecurityOpt: []string{"no-new-privileges"},
		}, nil, nil, "")
	if err != nil {
		return nil, err
	}
	made.ID = created.ID
	defer func() {
		if err != nil {
			err = errors.Join(err, l.removePeer(made))
		}
	}()
	attached, err := l.api.ContainerAttach(ctx, created.ID, container.AttachOptions{Stream: true, Stdout: true})
	if err != nil {
		return nil, err
	}
	made.stop = attached.Close
	if err := l.api.ContainerStart(ctx, created.ID, container.StartOptions{}); err != nil {
		return nil, err
	}
	info, err := l.api.ContainerInspect(ctx, created.ID)
	if err != nil {
		return nil, err
	}
	made.PID = info.State.Pid
	said, write := io.Pipe()
	go func() {
		_, err := stdcopy.StdCopy(write, io.Discard, attached.Reader)
		write.CloseWithError(err)
	}()
	made.Output = observers.NewOutput(said)
	return made, nil
}

// remove takes the run's peers away.
func (p *peers) remove(l *lab) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	var errs []error
	for _, made := range p.made {
		errs = append(errs, l.removePeer(made))
	}
	p.made = nil
	return errors.Join(errs...)
}

func (l *lab) removePeer(p *peer) error {
	ctx, cancel := context.WithTimeout(context.Background(), peerBound)
	defer cancel()
	if p.stop != nil {
		p.stop()
	}
	err := l.api.ContainerRemove(ctx, p.ID, container.RemoveOptions{Force: true, RemoveVolumes: true})
	if err != nil && !gone(err) {
		return fmt.Errorf("removing the peer container: %w", err)
	}
	return nil
}
