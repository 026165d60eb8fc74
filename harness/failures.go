package harness

import (
	"slices"
	"strings"
	"time"

	"postern/fixtures/channel"
	"postern/fixtures/plan"
	"postern/gateway"
	"postern/gateway/bridge"
	"postern/mutants"
)

// shortSession is the session time of the trials in which the agent goes
// silent: long enough for every probe on a slow machine, short enough not to be waited for.
const shortSession = 8 * time.Second

// failureModes lists what may break while the agent holds plaintext. Each is
// the protected trial with one fault, and must be contained like it.
func (p Plan) failureModes() []Spec {
	return append([]Spec{
		p.untooled("crash", "the agent aborts after its probes", plan.ModeCrash, bridge.Crashed),
		short(p.untooled("stall", "the agent sends nothing more and never exits", plan.ModeStall, bridge.SessionTime)),
		p.untooled("oversized-frame", "the agent sends a frame over the limit", plan.ModeOversized, bridge.FrameOversized),
		p.untooled("stderr-flood", "the agent writes megabytes to stderr", plan.ModeFlood, bridge.OutputLimit),
		p.untooled("raw-stdout", "the agent writes bytes to stdout that are no frame", plan.ModeRawStdout, bridge.FrameRefused),
		p.untooled("policy-replacement", "the agent sends a call with keys that claim policy", plan.ModePolicyKeys, bridge.FrameRefused),
		short(p.lingering()),
		p.severed(),
		p.upstreamDies(),
		p.engineRefuses(),
	}, p.interfered()...)
}

// failure is the protected trial under another name.
func (p Plan) failure(name, why string) Spec {
	s := p.protected("failure-mode/"+name, why)
	s.Kind = FailureMode
	return s
}

// untooled is a failure before any legal call: nothing may be released.
func (p Plan) untooled(name, why string, mode plan.Mode, outcome bridge.Outcome) Spec {
	s := p.failure(name, why)
	s.Mode = mode
	s.Expect.Outcome = string(outcome)
	s.Expect.Released = 0
	s.Expect.Probes = without(s.Expect.Probes, channel.ToolPermitted, channel.ToolPublic)
	return s
}

func (p Plan) lingering() Spec {
	s := p.failure("linger", "the agent outlives its calls, its stdin and its signals")
	s.Mode = plan.ModeLinger
	s.Expect.Outcome = string(bridge.SessionTime)
	return s
}

func (p Plan) severed() Spec {
	s := p.untooled("gateway-unavailable", "the gateway is gone when the agent calls it", plan.ModeNormal, bridge.GatewayUnavailable)
	s.Sever = true
	return s
}

func (p Plan) upstreamDies() Spec {
	s := p.untooled("upstream-dies", "the tool server takes the permitted call and dies without an answer", plan.ModeNormal, bridge.UpstreamFailed)
	s.Upstream = "die"
	s.Expect.Released = 1 // it was received, legally, before the server died
	s.Expect.Probes = append(s.Expect.Probes, channel.ToolPermitted)
	return s
}

// engineRefuses asks for an image that cannot exist, so that no agent ever
// runs: only the listeners have something to prove.
func (p Plan) engineRefuses() Spec {
	s := p.untooled("engine-refuses", "the Engine refuses to create the container", plan.ModeNormal, bridge.EngineRefused)
	s.Apply = func(c *gateway.Config, _ mutants.Site) { c.Image = "sha256:" + strings.Repeat("0", 64) }
	s.Expect.Probes = nil
	s.Expect.Sinks = listened(p.Tier)
	return s
}

func short(s Spec) Spec {
	s.Apply = func(c *gateway.Config, _ mutants.Site) { c.Limits.Session = shortSession }
	return s
}

func without(ids []channel.ID, drop ...channel.ID) []channel.ID {
	return slices.DeleteFunc(slices.Clone(ids), func(id channel.ID) bool { return slices.Contains(drop, id) })
}
