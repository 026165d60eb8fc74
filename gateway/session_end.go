package gateway

import (
	"context"

	"postern/gateway/bridge"
	"postern/gateway/confine"
	"postern/gateway/confine/docker"
)

// compareAgain looks whether the container that has ended is still the one
// that was admitted: memory, processes, restarts and more can be changed under
// a running one, and processes can be started beside the agent. Where it is
// not, and nobody waives it, a session that would count as completed does not;
// any other outcome says already that the session failed, and stays.
func (r *run) compareAgain(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), cleanupBound)
	defer cancel()
	actions, err := r.life.End(ctx)
	if err != nil {
		return err
	}
	raw, err := r.Engine.Inspect(ctx, r.result.Container)
	if err != nil && !docker.IsGone(err) {
		return err
	}
	refusals := confine.Refuse(confine.StageEnded, []confine.Control{confine.AutoremoveOff}) // when it is gone
	if err == nil {
		refusals = docker.AdmitEnded(confine.Required(r.Config.Profile), r.Config.Image, raw, actions)
	}
	r.result.Refusals = confine.Merge(r.result.Refusals, refusals)
	waived := len(refusals) == 0 || r.Waive != nil && r.Waive(ctx, refusals)
	if !waived && r.result.Outcome == bridge.Completed {
		r.result.Outcome = bridge.ProfileChanged
	}
	return nil
}
