package harness

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"postern/fixtures/channel"
	"postern/fixtures/dress"
	"postern/fixtures/plan"
	"postern/gateway/confine"
	"postern/observers/canary"
)

// canaries are the synthetic secrets of one trial: one a channel for the
// agent, and the pilots, which it never has.
type canaries struct {
	trial string
	key   canary.Key
	watch *canary.Watch
	tried []channel.ID // the probes of the agent's plan
	muted channel.ID   // the probe that the self-check leaves out
	more  []channel.ID // probes of this trial alone
}

// mint derives a trial's canaries and prepares the search for them.
func mint(key canary.Key, trial string, tier confine.Tier) (canaries, error) {
	c := canaries{trial: trial, key: key, tried: probes(tier)}
	if c.guarded() { // no agent takes part; a canary costs a thousand forms to look for
		c.tried = []channel.ID{channel.ToolPermitted}
		for _, g := range channel.Guarded() {
			c.tried = append(c.tried, g.ID)
		}
	}
	watch, err := canary.NewWatch(c.entries())
	if err != nil {
		return canaries{}, fmt.Errorf("minting canaries: %w", err)
	}
	c.watch = watch
	return c, nil
}

// entries lists all that must not reach the evidence.
func (c canaries) entries() []canary.Entry {
	ids := append(slices.Clone(c.tried), channel.ToolRevoked, channel.ProcessTerminal,
		channel.PilotBefore, channel.PilotAfter, channel.DressedBefore, channel.DressedAfter)
	if !c.guarded() {
		ids = append(ids, slices.Collect(maps.Values(probesFor()))...)
	}
	if strings.HasPrefix(c.trial, residualFolder) {
		ids = append(ids, channel.ID("residual."+strings.TrimPrefix(c.trial, residualFolder)))
	}
	entries := make([]canary.Entry, 0, len(ids))
	for _, id := range ids {
		entries = append(entries, canary.Entry{ID: id, Canary: c.of(id)})
	}
	return entries
}

// guarded reports whether the trial is one of a hostile tool server.
func (c canaries) guarded() bool { return strings.Contains(c.trial, "/guard/") }

func (c canaries) of(id channel.ID) canary.Canary { return c.key.Mint(c.trial, id) }

// initialFrame completes the plan that the agent gets with its probes: the only
// place where probe canaries are revealed.
func (c canaries) initialFrame(p plan.Plan, addresses map[channel.ID]string) ([]byte, error) {
	for _, id := range append(without(c.tried, c.muted), c.more...) {
		p.Probes = append(p.Probes, plan.Probe{Channel: id, Canary: c.of(id).Reveal(), Address: addresses[id]})
	}
	return planLine(p)
}

// transmission is the initial frame of a measurement: one residual channel, and
// the slots that a sender without any of its own keeps to.
func (c canaries) transmission(id channel.ID, slot time.Duration) ([]byte, error) {
	return planLine(plan.Plan{Mode: plan.ModeTransmit, SlotMS: slot.Milliseconds(), Probes: []plan.Probe{{Channel: id, Canary: c.of(id).Reveal()}}})
}

// secret is what a residual channel was to carry, for counting what was heard
// wrongly.
func (c canaries) secret(id channel.ID) ([]byte, error) { return hex.DecodeString(c.of(id).Reveal()) }

func planLine(p plan.Plan) ([]byte, error) {
	line, err := json.Marshal(p)
	if err != nil {
		return nil, fmt.Errorf("writing the initial frame: %w", err)
	}
	return line, nil
}

// lone is an initial frame with one canary, which the agent cannot use: for a
// session that comes to none, where the frame itself is what may leak.
func (c canaries) lone(id channel.ID) ([]byte, error) {
	return planLine(plan.Plan{Mode: plan.ModeNormal, Probes: []plan.Probe{{Channel: id, Canary: c.of(id).Reveal()}}})
}

// planted is the text of one canary, for a script in which the harness calls
// in the agent's place.
func (c canaries) planted(id channel.ID) string { return c.of(id).Reveal() }

// pilotLabel is the pilot that the Engine itself writes into the container's
// directory, as a label, where the log observer must hear it.
func (c canaries) pilotLabel() string { return c.of(channel.PilotBefore).Reveal() }

// dressedLabel is the pilot that the Engine writes into the container's
// directory in the dress of a log line, or nothing where none is tried.
func (c canaries) dressedLabel() string {
	if !c.dresses(channel.SinkLog) {
		return ""
	}
	return dress.Packed(c.of(channel.DressedBefore).Reveal(), 0)
}
