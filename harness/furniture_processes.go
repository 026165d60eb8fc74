package harness

import (
	"context"

	"postern/mutants"
)

// processFurniture is what mutants of the process channels need beside them.
func processFurniture() map[mutants.Need]piece {
	return map[mutants.Need]piece{mutants.NeedPeer: givePeer}
}

// givePeer names the run's peer, which stays for the other trials.
func givePeer(_ context.Context, t *trial) (func() error, error) {
	p, err := t.peer.get(t.lab, t.spec.Tier)
	if err != nil {
		return nil, err
	}
	t.site.Peer, t.site.PeerUser = p.ID, p.user
	return func() error { return nil }, nil
}
