package harness

import (
	"fmt"
	"slices"
	"time"

	"postern/fixtures/channel"
	"postern/fixtures/plan"
	"postern/gateway"
	"postern/gateway/bridge"
	"postern/gateway/confine"
	"postern/harness/oracle"
	"postern/mutants"
)

// Kind says what a trial is there to show.
type Kind string

// The kinds of trial.
const (
	Protected   Kind = "protected"    // all controls in place: nothing may arrive
	Mutation    Kind = "mutant"       // one control removed: its channels must open
	FailureMode Kind = "failure-mode" // something breaks: still nothing may arrive
	Supervision Kind = "supervision"  // the trusted side is hurt: the container must stop
)

// Spec is one planned trial: the subject's change, and what must come of it.
// It is written into the manifest before the first trial begins.
type Spec struct {
	ID      string // "protected/1", "mutant/profile/network-host", "failure-mode/crash"
	Kind    Kind
	Why     string
	Control confine.Control // the control that a mutant weakens

	Tier     confine.Tier      // what the subject is held to
	With     []confine.Control // further controls that it weakens with it
	Inert    mutants.Reason    // why it opens nothing
	Baseline bool              // its openings are those of its partner alone: more, and the control is not inert
	Alone    bool              // it changes the state of the host: no other trial may run
	Needs    []mutants.Need    // what stands beside it on the host
	Linger   time.Duration     // how long the agent lives on before the last look
	Unless   mutants.Unless    // who may keep its change from arriving
	Removed  bool              // nobody can look into its container afterwards

	Lacks mutants.Reason // why the backend cannot run it; empty where it can

	Mode     plan.Mode                           // what the agent does after its probes
	Upstream string                              // what the tool server does: "" is normal
	Apply    func(*gateway.Config, mutants.Site) // changes the subject; nil leaves it as it is
	Sever    bool                                // the gateway is closed just before the initial frame
	Scene    *scene                              // what is done instead of one ordinary session; nil for that
	Lone     channel.ID                          // the only canary of the initial frame; all probes where empty
	Mute     channel.ID                          // the probe that is left out, by the self-check alone
	Deaf     channel.Sink                        // the observer that is made deaf, by the self-check alone

	Expect  oracle.Expectation
	Opens   []channel.ID      // channels that must open, for a mutant
	Refused []confine.Control // controls for which admission must refuse
}

// Plan says which campaign is meant. The zero Plan is that of the reference
// profile.
type Plan struct {
	Runs int          // how often each fault of the supervision is injected; 1 where 0
	Tier confine.Tier // what the subject is held to
	Lack []channel.ID // channels that no program can try on the machine

	Unsandboxed bool   // the machine has no sandbox for tool servers, and so no trial of the guard
	Backend     string // what confines the agent: BackendDocker where empty
}

// Specs returns every trial of a full campaign in a fixed order.
func (p Plan) Specs() []Spec {
	if p.Backend == BackendBubblewrap {
		return p.celled()
	}
	specs := []Spec{
		p.protected("protected/1", "all controls in place"),
		p.protected("protected/2", "all controls in place, in a fresh container"),
		p.dressed(),
	}
	for _, m := range mutants.Of(p.Tier) {
		specs = append(specs, p.mutation(m))
	}
	specs = append(specs, p.pairs()...)
	specs = append(specs, p.failureModes()...)
	for _, sc := range p.scenes() {
		if !sc.Guarded {
			specs = append(specs, p.played(sc)...)
		}
	}
	return append(specs, p.guarded()...)
}

// guarded are the scenes of tool servers, which no agent plays in.
func (p Plan) guarded() []Spec {
	if p.Unsandboxed {
		return nil // nothing could be contained there
	}
	var specs []Spec
	for _, sc := range p.scenes() {
		if sc.Guarded {
			specs = append(specs, p.played(sc)...)
		}
	}
	return specs
}

// played is a scene without any weakening: a fault as often as it is to be
// run, a script of the operator once.
func (p Plan) played(sc scene) []Spec {
	if !sc.Watched {
		return []Spec{{
			ID: "failure-mode/" + sc.ID, Kind: FailureMode, Why: sc.Why, Tier: p.Tier,
			Upstream: sc.Upstream, Scene: &sc, Expect: sc.Expect,
		}}
	}
	var specs []Spec
	for n := range max(p.Runs, 1) {
		specs = append(specs, Spec{
			ID: fmt.Sprintf("supervision/%s/%d", sc.ID, n+1), Kind: Supervision, Why: sc.Why, Tier: p.Tier,
			Upstream: sc.Upstream, Scene: &sc, Expect: sc.Expect,
		})
	}
	return specs
}

// protected is the trial that every other is a change of.
func (p Plan) protected(id, why string) Spec {
	return Spec{
		ID: id, Kind: Protected, Why: why, Tier: p.Tier, Mode: plan.ModeNormal,
		Expect: oracle.Expectation{
			Probes:   probes(p.Tier),
			Sinks:    sinks(p.Tier),
			Released: 1,
			Outcome:  string(bridge.Completed),
		},
	}
}

// MutantID is the id of a mutant's trial.
func MutantID(m mutants.Mutant) string { return string(Mutation) + "/" + m.ID }

func (p Plan) mutation(m mutants.Mutant) Spec {
	s := p.protected(MutantID(m), m.Why)
	s.Kind, s.Control, s.With, s.Apply = Mutation, m.Weakens, m.With, m.Apply
	s.Inert, s.Alone, s.Needs = m.InertIn(p.Tier), m.Alone, m.Needs
	s.Linger, s.Unless = m.Linger, m.Unless
	s.Opens = slices.Sorted(slices.Values(without(m.OpensIn(p.Tier), p.Lack...)))
	s = s.probed()
	if m.Removed {
		s.Removed = true
		s.Expect.Sinks = slices.DeleteFunc(s.Expect.Sinks, func(at channel.Sink) bool { return at.Needs() == channel.NeedsContainer })
	}
	if m.Under != "" {
		s.Scene = p.scene(m.Under)
		s.Upstream, s.Expect = s.Scene.Upstream, s.Scene.Expect
		if s.Scene.Watched {
			s.Expect.Outcome = string(bridgeGone) // its container lives on, and so the harness ends it
		}
	}
	if m.Ends != "" {
		s.Lone = channel.ProcessTerminal
		s.Expect.Outcome, s.Expect.Released, s.Expect.Probes = m.Ends, 0, nil
		s.Expect.Sinks = slices.DeleteFunc(s.Expect.Sinks, func(at channel.Sink) bool { return at.Needs() == channel.NeedsLife })
	}
	s.Refused = m.Refused()
	return s
}

// probes lists the channels that the agent tries, each with a canary of its own.
func probes(tier confine.Tier) []channel.ID {
	var ids []channel.ID
	for _, c := range channel.Judged(channel.Tier(tier)) {
		if c.Probed() {
			ids = append(ids, c.ID)
		}
	}
	return ids
}

// sinks lists every place where an observer listens in a trial that is not
// scripted.
func sinks(tier confine.Tier) []channel.Sink {
	var all []channel.Sink
	for _, c := range channel.Judged(channel.Tier(tier)) {
		if !c.Scripted && c.NotApplicable == "" && !slices.Contains(all, c.Sink) {
			all = append(all, c.Sink)
		}
	}
	return all
}
