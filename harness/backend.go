package harness

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"postern/fixtures"
	"postern/fixtures/channel"
	"postern/gateway"
	"postern/gateway/confine"
	"postern/gateway/confine/bubblewrap"
	"postern/gateway/confine/bubblewrap/cell"
	"postern/gateway/confine/docker"
	"postern/mutants"
	"postern/reports"
)

// What confines the agent, as Options.Backend and the evidence's runtime have it.
const (
	BackendAuto       = "auto"
	BackendDocker     = "docker"
	BackendBubblewrap = "bubblewrap"
)

// ErrBackend is the ErrUsage of a backend that is none.
var ErrBackend = fmt.Errorf("%w: --backend must be %s, %s or %s", ErrUsage, BackendAuto, BackendDocker, BackendBubblewrap)

// ErrCells is the ErrUsage of a profile that a cell is not held to.
var ErrCells = fmt.Errorf("%w: with bubblewrap there is the %s profile alone", ErrUsage, reports.Reference)

// Choose takes a backend where that is left to it: an Engine that answers before
// bubblewrap. It says what it took and why.
func (o Options) Choose(ctx context.Context) (chosen Options, note string) {
	if o.Backend != BackendAuto {
		return o, ""
	}
	o.Backend = BackendDocker
	engine, err := docker.Connect(ctx, strings.TrimPrefix(o.withDefaults().Socket, "unix://"))
	if err == nil {
		engine.Close() // it was only to be seen that it answers
		return o, "a Docker Engine answers: it confines the agent"
	}
	if _, without := cells(ctx); without != nil {
		return o, "no Docker Engine answers, and bubblewrap cannot take its place: " + without.Error()
	}
	o.Backend = BackendBubblewrap
	return o, "no Docker Engine answers: bubblewrap confines the agent"
}

// cells finds out whether this machine can make cells.
func cells(ctx context.Context) (*gateway.Bubblewrap, error) {
	if os.Geteuid() != 0 {
		return nil, &Cannot{"to give each agent a user of its own takes root"}
	}
	made, err := bubblewrap.Available(ctx, bubblewrap.Places)
	if err != nil {
		return nil, &Cannot{err.Error()}
	}
	return &gateway.Bubblewrap{Bwrap: made.Path(), Command: []string{fixtures.AgentPath}}, nil
}

// celled sets the lab up for cells, whose agents have users of their own and
// must be able to come to what they are given.
func (l *lab) celled(ctx context.Context) (err error) {
	if l.cells, err = cells(ctx); err != nil {
		return orCanceled(ctx, err)
	}
	facts, err := l.cells.Preflight(ctx)
	if err != nil {
		return &Cannot{err.Error()}
	}
	if len(facts) > 0 {
		return &Cannot{remedy(facts[0].Control)}
	}
	if err := cell.Sweep(); err != nil {
		return fmt.Errorf("%w: %w", ErrFailed, err)
	}
	return nil
}

// rooted gives the lab's own sessions a root, which none of them weakens.
func (l *lab) rooted() error {
	if err := os.Chmod(l.dir, passable); err != nil {
		return fmt.Errorf("%w: opening the run's directory: %w", ErrFailed, err)
	}
	l.cells.Stage = []string{l.binaries.Gateway, cell.StageCommand}
	var err error
	if l.cells.Root, err = layOut(l.dir, l.binaries.Agent); err != nil {
		return fmt.Errorf("%w: %w", ErrFailed, err)
	}
	return nil
}

// passable lets other users come to what they know the name of.
const passable = 0o711

// layOut makes a root for cells in a directory.
func layOut(dir, agent string) (string, error) {
	root := filepath.Join(dir, "root")
	if err := os.Mkdir(root, 0o755); err != nil {
		return "", fmt.Errorf("making a root for the agent: %w", err)
	}
	return root, fixtures.WriteRoot(root, agent)
}

// backend confines the agents of the lab's own sessions.
func (l *lab) backend() gateway.Backend {
	if l.cells != nil {
		return *l.cells
	}
	return gateway.Docker{Engine: l.engine}
}

// backend confines the agent of the trial: in a root of its own, which it may
// weaken, or by the Engine that it may have of its own.
func (t *trial) backend() gateway.Backend {
	if t.cells == nil {
		return gateway.Docker{Engine: t.engine}
	}
	own := *t.cells
	own.Root = t.root
	return own
}

// ownRoot makes the root of the trial's cell.
func (t *trial) ownRoot() (err error) {
	if t.cells == nil {
		return nil
	}
	if err := os.Chmod(t.dir, passable); err != nil {
		return fmt.Errorf("opening the trial's directory: %w", err)
	}
	t.root, err = layOut(t.dir, t.binaries.Agent)
	return err
}

// cellEnded looks by itself whether any process of a cell is left.
func cellEnded(id string) (reports.Container, error) {
	at := confine.CgroupMount("pids")
	if at == "" {
		at = confine.CgroupMount("")
	}
	text, err := os.ReadFile(filepath.Join(at, "postern", id, "cgroup.procs"))
	if err != nil {
		return "", fmt.Errorf("looking at the processes of a cell: %w", err)
	}
	if strings.TrimSpace(string(text)) != "" {
		return reports.Running, nil
	}
	return reports.Exited, nil
}

// engineSinks are those at which nothing is to be seen without an Engine: its own
// account and files, what is on its networks, and what an observer enters by it.
func engineSinks() []channel.Sink {
	return []channel.Sink{
		channel.SinkLayer, channel.SinkChanges, channel.SinkCommit, channel.SinkLog, channel.SinkEngine, channel.SinkCgroup,
		channel.SinkDisk, channel.SinkInbound, channel.SinkPeer, channel.SinkExec, channel.SinkHost,
		channel.SinkGatewayTCP, channel.SinkGatewayUDP, channel.SinkShape, channel.SinkMulticast, channel.SinkBroadcast, channel.SinkFrames,
		channel.SinkLive, channel.SinkCore, // to their pilots the memory of a user namespace is closed
	}
}

// celled is the plan where bubblewrap confines the agent: its own mutants, and of
// the registry one for each control that they say nothing of, which is not run.
func (p Plan) celled() []Spec {
	specs := []Spec{
		p.protected("protected/1", "all controls in place"),
		p.protected("protected/2", "all controls in place, in a fresh cell"),
	}
	for _, m := range mutants.Celled() {
		specs = append(specs, p.mutation(m))
	}
	not := mutants.NotCelled()
	for _, m := range mutants.Of(p.Tier) {
		if why, ok := not[m.ID]; ok {
			s := p.mutation(m)
			s.Lacks = why
			specs = append(specs, s)
		}
	}
	for _, s := range p.failureModes() {
		if s.Expect.Probes != nil && len(s.Needs) == 0 && len(s.Refused) == 0 { // what is left needs an Engine
			specs = append(specs, s)
		}
	}
	specs = append(specs, p.guarded()...)
	for i := range specs {
		specs[i].Expect.Sinks = slices.DeleteFunc(slices.Clone(specs[i].Expect.Sinks), func(at channel.Sink) bool {
			return slices.Contains(engineSinks(), at)
		})
	}
	return specs
}

// unopened is why no mutant opens a channel where bubblewrap confines the agent.
func (p Plan) unopened(id channel.ID, at channel.Sink) string {
	if p.Backend != BackendBubblewrap {
		return ""
	}
	for _, m := range mutants.Celled() {
		if slices.Contains(m.Opens, id) {
			return ""
		}
	}
	if slices.Contains(engineSinks(), at) {
		return string(mutants.UnseenInCells)
	}
	return string(mutants.LackedByBubblewrap)
}

// otherBackends finds trials that were not run for want of means in a bundle
// whose backend has them, and those that were run where it has none.
func otherBackends(b reports.Bundle) []string {
	lacks := map[string]string{}
	for _, s := range planOf(b).Specs() {
		lacks[s.ID] = string(s.Lacks)
	}
	var problems []string
	for i, t := range b.Evidence.Trials {
		why := lacks[t.ID]
		left := slices.Contains(celledReasons(), t.Reason)
		if (left || why != "") && (t.Reason != why || t.Outcome != outcomeNotApplicable) {
			problems = append(problems, fmt.Sprintf("%s (/trials/%d): what is said of its backend is not so", t.ID, i))
		}
	}
	return problems
}

// celledReasons are the words by which bubblewrap leaves a trial out.
func celledReasons() []string {
	return words([]mutants.Reason{mutants.LackedByBubblewrap, mutants.FaultsNeedEngine, mutants.UnseenInCells})
}
