package harness

import (
	"context"
	"errors"
	"fmt"

	"postern/fixtures/plan"
	"postern/gateway"
	"postern/gateway/bridge"
	"postern/harness/level2"
)

// contain leads a session of a mutant of what decides in a container, whose
// agent writes the lines that show it.
func (l *lab) contain(ctx context.Context, lead level2.Lead) (led level2.Led, err error) {
	c := lead.Config
	c.Image = l.image
	c.Profile, _ = l.tier.Profile()
	c.Profile.User = user(l.uid())
	initial, err := planLine(plan.Plan{Mode: plan.ModeLines, Lines: lead.Lines})
	if err != nil {
		return led, err
	}
	var unready error
	s := gateway.Session{
		Config: c, Backend: l.backend(), Initial: initial, Weakened: lead.Weak,
		Labels:   map[string]string{labelOurs: "1", labelOwner: l.owner.String(), labelTrial: l.owner.String()},
		Watchdog: []string{l.binaries.Gateway, gateway.WatchdogCommand},
		Admitted: func(g *gateway.Gateway) { unready = lead.Ready(g) },
		Replied:  func(r bridge.Reply) { led.Replies = append(led.Replies, r) },
	}
	result, err := s.Run(ctx)
	if err := errors.Join(err, unready); err != nil {
		return led, err
	}
	switch result.Outcome {
	case bridge.Completed, bridge.UpstreamFailed, bridge.GatewayUnavailable:
	case bridge.FrameRefused, bridge.FrameOversized:
		led.Refused = true
	default:
		return led, fmt.Errorf("leading a session in a container: it ended as %s %v", result.Outcome, result.Refusals)
	}
	return led, nil
}
