package harness

import (
	"fmt"
	"slices"
	"time"

	"postern/fixtures/channel"
	"postern/gateway"
	"postern/gateway/confine"
	"postern/reports"
)

// manifestOf writes the whole plan down: every registered trial, whether it is
// selected or not, so that a partial run cannot pass for a full one.
func manifestOf(seed int64, specs []Spec) reports.Manifest {
	m := reports.Manifest{Schema: reports.SchemaVersion, Seed: seed, Rules: plannedRules(seed)}
	for _, s := range specs {
		m.Trials = append(m.Trials, reports.Planned{
			ID: s.ID, Kind: reports.Kind(s.Kind), Control: string(s.Control), Expected: expected(s),
			With: withOf(s), Baseline: s.Baseline, Reason: string(s.Inert),
		})
	}
	return m
}

// withOf lists the further controls that a spec weakens, sorted.
func withOf(s Spec) []string {
	ids := words(s.With)
	slices.Sort(ids)
	return ids
}

func expected(s Spec) reports.Expected {
	return reports.Expected{
		Probes:   words(s.Expect.Probes),
		Sinks:    words(s.Expect.Sinks),
		Released: s.Expect.Released,
		Outcome:  s.Expect.Outcome,
		Opens:    words(s.Opens),
		Refused:  words(s.Refused),
	}
}

// evidence gathers what the campaign showed. Everything that follows from the
// trials is counted by reports.
func (l *lab) evidence(o Options, specs []Spec, trials []reports.Trial, open []reports.Residual, rules reports.Rules, started time.Time) reports.Evidence {
	return reports.Complete(reports.Evidence{
		Schema:      reports.SchemaVersion,
		Generator:   l.generator,
		Environment: l.environment.Closed(),
		Run: reports.Run{
			Seed:        o.Seed,
			StartedUnix: started.Unix(),
			DurationMS:  time.Since(started).Milliseconds(),
			Parallel:    o.Parallel,
			Planned:     len(o.plan().Specs()),
			Selected:    len(specs),
			Rules:       len(plannedRules(o.Seed)),
			Profile:     o.profile(),
			Shard:       max(o.Shard, 1),
			Shards:      max(o.Shards, 1),
		},
		Channels:  registeredChannels(o.plan()),
		Controls:  registeredControls(o.tier()),
		Trials:    trials,
		Residuals: open,
		Rules:     rules,
	})
}

func registeredChannels(p Plan) []reports.Channel {
	var rows []reports.Channel
	for _, c := range channel.Judged(channel.Tier(p.Tier)) {
		if slices.Contains(p.Lack, c.ID) {
			c.NotApplicable = reasonNoCompat
		}
		if c.NotApplicable == "" && !c.Release {
			c.NotApplicable = p.unopened(c.ID, c.Sink)
		}
		if p.Unsandboxed && c.Family == channel.FamilyGuard {
			c.NotApplicable = reasonNoSandbox
		}
		rows = append(rows, reports.Channel{ID: string(c.ID), Family: string(c.Family), Sink: string(c.Sink), Release: c.Release, NotApplicable: c.NotApplicable})
	}
	return rows
}

func registeredControls(tier confine.Tier) []reports.Control {
	var rows []reports.Control
	for _, c := range controlsOf(tier) {
		rows = append(rows, reports.Control{ID: string(c.ID), Group: c.Group})
	}
	return rows
}

// controlsOf are those that a tier has in place.
func controlsOf(tier confine.Tier) []confine.ControlInfo {
	return slices.DeleteFunc(gateway.Controls(), func(c confine.ControlInfo) bool { return c.Tier() != confine.TierReference && c.Tier() != tier })
}

// seal finishes a bundle, has it searched for every canary of the run, and only
// then puts it in its place. A hit deletes it: the staging directory is
// discarded. Where no canary was minted there is nothing to search for.
func seal(stage *reports.Staging, evidence reports.Evidence, search func(dir string) error) (reports.Evidence, error) {
	evidence, err := stage.WriteEvidence(evidence)
	if err == nil {
		err = stage.Seal()
	}
	if err == nil && search != nil {
		err = search(stage.Dir)
	}
	if err == nil {
		err = stage.Publish()
	}
	if err != nil {
		return evidence, fmt.Errorf("%w: %w", ErrFailed, err)
	}
	return evidence, nil
}
