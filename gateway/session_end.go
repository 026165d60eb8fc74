package gateway

import (
	"context"

	"postern/gateway/bridge"
	"postern/gateway/confine"
)

// compareAgain looks whether the box that has ended is still the one that was
// admitted. Where it is not, and nobody waives it, a session that would count as
// completed does not; any other outcome says already that the session failed,
// and stays.
func (r *run) compareAgain(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), cleanupBound)
	defer cancel()
	refusals, err := r.box.AdmitEnded(ctx)
	if err != nil {
		return err
	}
	r.result.Refusals = confine.Merge(r.result.Refusals, refusals)
	waived := len(refusals) == 0 || r.Waive != nil && r.Waive(ctx, refusals)
	if !waived && r.result.Outcome == bridge.Completed {
		r.result.Outcome = bridge.ProfileChanged
	}
	return nil
}
