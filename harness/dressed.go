package harness

import (
	"context"
	"slices"

	"postern/fixtures/channel"
	"postern/mutants"
	"postern/observers"
)

// probesFor lists the channels that the agent tries in the trials with such a
// need alone.
func probesFor() map[mutants.Need]channel.ID {
	return map[mutants.Need]channel.ID{
		mutants.NeedExec:         channel.EngineExec,
		mutants.NeedDressedNames: channel.DNSNameBase32,
		mutants.NeedDressedLog:   channel.LogPacked,
		mutants.NeedDressedFiles: channel.FileNameSpread,
	}
}

// more lists the probes that some needs add to those of every trial.
func more(needs []mutants.Need) []channel.ID {
	var ids []channel.ID
	for _, need := range needs {
		if id, ok := probesFor()[need]; ok && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// probed has the spec expect the probes that its needs add, and an observer
// where they end.
func (s Spec) probed() Spec {
	for _, id := range more(s.Needs) {
		s.Expect.Probes = append(s.Expect.Probes, id)
		if at := sinkOf(id); !slices.Contains(s.Expect.Sinks, at) {
			s.Expect.Sinks = append(s.Expect.Sinks, at)
		}
	}
	return s
}

func sinkOf(id channel.ID) channel.Sink {
	all := channel.All()
	i := slices.IndexFunc(all, func(c channel.Channel) bool { return c.ID == id })
	return all[i].Sink
}

// probeFurniture hands the agent a canary for a probe of this trial alone.
func probeFurniture() map[mutants.Need]piece {
	all := map[mutants.Need]piece{}
	for need, id := range probesFor() {
		all[need] = func(_ context.Context, t *trial) (func() error, error) {
			t.canaries.more = append(t.canaries.more, id)
			return nothingToTake, nil
		}
	}
	return all
}

// dressed is the protected trial in which the agent tries its dresses: the same
// deep search as in those that open a sink, and nothing to be found.
func (p Plan) dressed() Spec {
	s := p.protected("protected/dressed", "all controls in place, and the agent dresses its canaries")
	s.Needs = []mutants.Need{mutants.NeedDressedNames, mutants.NeedDressedLog, mutants.NeedDressedFiles}
	return s.probed()
}

// dresses reports whether the agent dresses what it sends to a sink.
func (c canaries) dresses(sink channel.Sink) bool {
	return slices.ContainsFunc(channel.Dressed(sink), func(id channel.ID) bool { return slices.Contains(c.more, id) })
}

// pilots are what the harness itself sends to prove that the observer at a sink
// hears.
func (c canaries) pilots(sink channel.Sink) observers.Pilots {
	p := observers.Pilots{Before: c.of(channel.PilotBefore), After: c.of(channel.PilotAfter)}
	if c.dresses(sink) {
		p.Dressed = &observers.Pilots{Before: c.of(channel.DressedBefore), After: c.of(channel.DressedAfter)}
	}
	return p
}

// dressesLog reports whether the agent dresses what it logs in any of the trials.
func dressesLog(specs []Spec) bool {
	return slices.ContainsFunc(specs, func(s Spec) bool { return slices.Contains(s.Needs, mutants.NeedDressedLog) })
}
