package harness

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"postern/fixtures/channel"
	"postern/gateway/confine"
	"postern/harness/host"
	"postern/harness/level2"
	"postern/reports"
)

// ideal is the row of a trial that came out as its spec demands.
func ideal(s Spec) reports.Trial {
	t := reports.Trial{
		ID: s.ID, Kind: reports.Kind(s.Kind), Control: string(s.Control), Expected: expected(s),
		Refused: []reports.Refusal{}, Observations: []reports.Observation{}, Attempts: []reports.Attempt{},
		Outcome: s.Expect.Outcome, Container: reports.Exited,
		With: withOf(s), Baseline: s.Baseline, Reason: string(s.Inert),
	}
	if s.Lacks != "" {
		t.Outcome, t.Reason, t.Container = outcomeNotApplicable, string(s.Lacks), reports.Absent
		return judge(t)
	}
	if s.Scene != nil && !s.Scene.Watched {
		t.Container = reports.Absent
	}
	if s.Kind == Supervision {
		t.StoppedUS = 1
	}
	if slices.Contains(s.Opens, channel.HostRunning) {
		t.Container = reports.Running
	}
	for _, c := range s.Refused {
		t.Refused = append(t.Refused, reports.Refusal{Stage: reports.Created, Control: string(c)})
	}
	for _, sink := range s.Expect.Sinks {
		t.Hearings = append(t.Hearings, reports.Hearing{Sink: string(sink), PilotsSent: 2, PilotsHeard: 2, Units: 2, Bytes: 64})
	}
	for _, id := range s.Expect.Probes {
		t.Attempts = append(t.Attempts, reports.Attempt{Channel: string(id)})
	}
	if s.Expect.Released > 0 {
		t.Observations = append(t.Observations, reports.Observation{Channel: "tool.permitted", Sink: "tool", Sightings: s.Expect.Released})
	}
	for _, c := range channel.All() {
		if !slices.Contains(s.Opens, c.ID) {
			continue
		}
		carrier := c.ID
		if c.Carries != nil {
			carrier = c.Carries[0]
		}
		t.Observations = append(t.Observations, reports.Observation{Channel: string(carrier), Sink: string(c.Sink), Sightings: 1})
	}
	return judge(t)
}

// idealEvidence is a full campaign in which all came out as it must.
func idealEvidence() reports.Evidence {
	var trials []reports.Trial
	for _, s := range here().Specs() {
		trials = append(trials, ideal(s))
	}
	l := &lab{
		environment: reports.Environment{OS: "linux", CPUs: 1, CorePattern: "file", CompatCalls: yesNo(host.Look().CompatCalls), Sandbox: sandboxWord(sandboxed())},
		generator:   reports.Generator{Name: "postern", Version: "dev", Commit: reports.Unknown},
	}
	return l.evidence(Options{Parallel: 1, Runs: 1}, here().Specs(), trials, nil, idealRules(), time.Unix(0, 0))
}

// idealRules are the mutants of what decides, all as foretold.
func idealRules() reports.Rules {
	plan, err := allRules()
	if err != nil {
		panic(err)
	}
	rules := reports.Rules{Policies: proof(plan.Policies), Labels: proof(plan.Labels), Wiring: proof(plan.Wiring)}
	for _, row := range plan.Sampled(0).Rows {
		row.Foretold = row.Status
		row.Driven = slices.Clone(row.Driven)
		for i, d := range row.Driven {
			row.Driven[i].Original, row.Driven[i].Mutant = stoppedAt(d), arrivedAt(d)
			if d.Direction == level2.Narrows {
				row.Driven[i].Original, row.Driven[i].Mutant = arrivedAt(d), stoppedAt(d)
			}
			row.Driven[i].Status = level2.Killed
		}
		rules.Mutants = append(rules.Mutants, ruled(row))
	}
	return rules
}

func arrivedAt(d level2.Drive) level2.Heard {
	written := map[level2.Place]level2.Exhaust{
		level2.AtAuditFile: {Audit: 1}, level2.AtDictionary: {Guesses: 1}, level2.AtRows: {Rows: 1}, level2.AtSpans: {Spans: 1}, level2.AtLog: {Log: 1},
	}
	if exhaust, there := written[d.Place]; there {
		h := stoppedAt(d)
		h.Exhaust = exhaust
		return h
	}
	if d.Place == level2.AtWire {
		h := stoppedAt(d)
		h.Sightings = 1
		return h
	}
	if d.Place == level2.AtAgent {
		return level2.Heard{Sound: true, Calls: 1, Sightings: 1, Sent: 1}
	}
	if d.Place == level2.AtArguments {
		return level2.Heard{Sound: true, Code: "bad-arguments"}
	}
	return level2.Heard{Sound: true, Calls: 1, Sightings: 1}
}

func stoppedAt(d level2.Drive) level2.Heard {
	switch d.Place {
	case level2.AtWire:
		return level2.Heard{Sound: true, Calls: 1, Code: d.Stop}
	case level2.AtAnswer, level2.AtAgent:
		return level2.Heard{Sound: true, Calls: 1, Sightings: 1, Code: d.Stop}
	case level2.AtAuditFile, level2.AtDictionary, level2.AtRows, level2.AtSpans, level2.AtLog: // the call goes on
		return level2.Heard{Sound: true, Calls: 1, Sightings: 1, Code: d.Stop, Told: 1}
	}
	return level2.Heard{Sound: true, Code: d.Stop}
}

// bundle seals evidence as the harness does, whatever it says.
func bundle(t *testing.T, e reports.Evidence, plan reports.Manifest) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "bundle")
	stage, err := reports.Stage(out)
	if err != nil {
		t.Fatal(err)
	}
	defer stage.Discard()
	if err := stage.WriteManifest(plan); err != nil {
		t.Fatal(err)
	}
	if _, err := stage.WriteEvidence(e); err != nil {
		t.Fatal(err)
	}
	if err := stage.Seal(); err != nil {
		t.Fatal(err)
	}
	if err := stage.Publish(); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestVerifyAcceptsACampaignAsRequired(t *testing.T) {
	v, err := Verify(bundle(t, idealEvidence(), manifestOf(0, here().Specs())))
	if err != nil || len(v.Problems) > 0 || !v.Summary.Accepted {
		t.Fatalf("accepted %v, problems %v, error %v", v.Summary.Accepted, v.Problems, err)
	}
}

// Forgeries are bundles whose files, digests, schema and counts all fit: only
// judging again, or the registry, tells.
func TestVerifyRefusesForgeries(t *testing.T) {
	at := func(id string) int { return slices.IndexFunc(here().Specs(), func(s Spec) bool { return s.ID == id }) }
	network, protected := at("mutant/profile/network-host"), at("protected/1")
	tests := []struct {
		name  string
		forge func(e *reports.Evidence, m *reports.Manifest)
		says  string
	}{
		{"a kill without its arrivals", func(e *reports.Evidence, _ *reports.Manifest) {
			e.Trials[network].Observations = e.Trials[network].Observations[:1]
		}, "does not follow"},
		{"a kill without admission's refusal", func(e *reports.Evidence, _ *reports.Manifest) {
			e.Trials[network].Refused = []reports.Refusal{}
		}, "does not follow"},
		{"containment beside a deaf observer", func(e *reports.Evidence, _ *reports.Manifest) {
			e.Trials[protected].Hearings[0].PilotsHeard--
		}, "does not follow"},
		{"containment beside a drop", func(e *reports.Evidence, _ *reports.Manifest) {
			e.Trials[protected].Hearings[0].Drops++
		}, "does not follow"},
		{"pilots heard in nothing", func(e *reports.Evidence, _ *reports.Manifest) {
			e.Trials[protected].Hearings[0].Bytes = 0
		}, "in nothing that was read"},
		{"containment beside a leak", func(e *reports.Evidence, _ *reports.Manifest) {
			e.Trials[protected].Observations = append(e.Trials[protected].Observations, reports.Observation{Channel: "net.tcp4", Sink: "tcp4", Sightings: 1})
		}, "does not follow"},
		{"containment of a running container", func(e *reports.Evidence, _ *reports.Manifest) {
			e.Trials[protected].Container = reports.Running
		}, "does not follow"},
		{"containment without a release", func(e *reports.Evidence, _ *reports.Manifest) {
			e.Trials[protected].Observations = []reports.Observation{}
		}, "does not follow"},
		{"containment without attempts", func(e *reports.Evidence, _ *reports.Manifest) {
			e.Trials[protected].Attempts = []reports.Attempt{}
		}, "does not follow"},
		{"a leak that is called a kill of a smaller plan", func(e *reports.Evidence, m *reports.Manifest) {
			e.Trials[network].Expected.Opens = e.Trials[network].Expected.Opens[1:]
			e.Trials[network].Observations = e.Trials[network].Observations[1:]
			e.Trials[network] = judge(e.Trials[network])
			m.Trials[network].Expected = e.Trials[network].Expected
		}, "not the plan of this version"},
		{"a container that outlived its fault, called contained", func(e *reports.Evidence, _ *reports.Manifest) {
			e.Trials[at("supervision/bridge-killed/1")].Container = reports.Running
		}, "does not follow"},
		{"a mutant of a rule whose canary did not arrive", func(e *reports.Evidence, _ *reports.Manifest) {
			e.Rules.Mutants[0].Drives[0].Mutant = e.Rules.Mutants[0].Drives[0].Original
		}, "does not follow from what was heard"},
		{"a mutant of a rule beside a deaf observer", func(e *reports.Evidence, _ *reports.Manifest) {
			e.Rules.Mutants[0].Drives[0].Original.Sound = false
		}, "does not follow from what was heard"},
		{"a mutant of a rule that is called equivalent", func(e *reports.Evidence, m *reports.Manifest) {
			r := &e.Rules.Mutants[0]
			r.Status, r.Foretold, r.Drives, r.Witnesses = reports.Equivalent, reports.Equivalent, nil, nil
			m.Rules[0] = r.PlannedRule
		}, "not the plan of this version"},
		{"a proof of another domain", func(e *reports.Evidence, _ *reports.Manifest) {
			e.Rules.Policies.Size++
		}, "what was compared in memory"},
		{"a plan with a mutant of a rule left out", func(e *reports.Evidence, m *reports.Manifest) {
			e.Rules.Mutants, m.Rules = e.Rules.Mutants[1:], m.Rules[1:]
			e.Run.Rules--
		}, "not the plan of this version"},
		{"mutants of rules that were not driven", func(e *reports.Evidence, _ *reports.Manifest) {
			e.Rules = reports.Rules{}
		}, "rules-missing"},
		{"a plan with a mutant left out", func(e *reports.Evidence, m *reports.Manifest) {
			last := at("mutant/ceiling/public-top")
			e.Trials = slices.Delete(e.Trials, last, last+1)
			m.Trials = slices.Delete(m.Trials, last, last+1)
			e.Run.Planned, e.Run.Selected = len(m.Trials), len(e.Trials)
		}, "not the plan of this version"},
		{"a mutant that was not run, for a reason of nobody's", func(e *reports.Evidence, _ *reports.Manifest) {
			e.Trials[network].Outcome, e.Trials[network].Reason = outcomeNotApplicable, "just-so"
			e.Trials[network] = judge(e.Trials[network])
		}, "for no reason that this version of Postern has"},
		{"a drop that is called a kill", func(e *reports.Evidence, _ *reports.Manifest) {
			e.Trials[network].Dropped, e.Trials[network].Status = true, reports.Stillborn
			e.Trials[network].Verdict, e.Trials[network].Openings = reports.Contained, []string{}
		}, "does not follow"},
		{"a kill that is called a comparison", func(e *reports.Evidence, m *reports.Manifest) {
			e.Trials[network].With, e.Trials[network].Baseline = []string{"profile.log-none"}, true
			e.Trials[network] = judge(e.Trials[network])
			m.Trials[network].With, m.Trials[network].Baseline = e.Trials[network].With, true
		}, "not the plan of this version"},
		{"a residual channel of nobody's", func(e *reports.Evidence, _ *reports.Manifest) {
			e.Residuals = []reports.Residual{{Channel: "cpu.secret", Profile: reports.Reference, Reader: reports.HostRoot, BitsSent: 8, BitsRecovered: 8, DurationUS: 1}}
		}, "none that this version of Postern measures"},
		{"another group", func(e *reports.Evidence, _ *reports.Manifest) { e.Controls[0].Group = "another" }, "the controls are not those"},
		{"a part of the campaign", func(e *reports.Evidence, _ *reports.Manifest) {
			e.Trials = e.Trials[:2]
			e.Run.Selected = 2
		}, "does not pass the gate"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e, m := idealEvidence(), manifestOf(0, here().Specs())
			tt.forge(&e, &m)
			v := weigh(reports.Bundle{Evidence: reports.Complete(e), Manifest: m})
			if v.Summary.Accepted {
				t.Error("accepted")
			}
			if !strings.Contains(strings.Join(v.Problems, "\n"), tt.says) {
				t.Errorf("problems %v, want one that says %q", v.Problems, tt.says)
			}
		})
	}
}

func TestVerifyRefusesAChangedFile(t *testing.T) {
	out := bundle(t, idealEvidence(), manifestOf(0, here().Specs()))
	path := filepath.Join(out, "evidence.json")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	changed := strings.Replace(string(text), `"pilots_heard":2`, `"pilots_heard":3`, 1)
	changed = strings.Replace(changed, `"pilots_heard": 2`, `"pilots_heard": 3`, 1)
	if changed == string(text) {
		t.Fatal("nothing was changed")
	}
	if err := os.WriteFile(path, []byte(changed), 0o600); err != nil {
		t.Fatal(err)
	}
	v, err := Verify(out)
	if err != nil || v.Summary.Accepted || len(v.Problems) == 0 {
		t.Errorf("accepted %v, problems %v, error %v", v.Summary.Accepted, v.Problems, err)
	}
}

func TestVerifyCannotLookAtNothing(t *testing.T) {
	if _, err := Verify(filepath.Join(t.TempDir(), "none")); err == nil {
		t.Error("verified what is not there")
	}
}

// here is the reference campaign as this machine can run it.
func here() Plan { return PlanHere(1, confine.TierReference) }

func TestWhatTheMachineLacksIsNotForetold(t *testing.T) {
	for _, has := range []bool{true, false} {
		p := Plan{Lack: lacking(has)}
		i := slices.IndexFunc(p.Specs(), func(s Spec) bool { return s.ID == "mutant/profile/network-host" })
		if foretold := slices.Contains(p.Specs()[i].Opens, channel.KernelCompat); foretold != has {
			t.Errorf("with the entry %v, the opening is foretold %v", has, foretold)
		}
		for _, c := range registeredChannels(p) {
			if c.ID == string(channel.KernelCompat) && (c.NotApplicable == "") != has {
				t.Errorf("with the entry %v, the channel is not applicable for %q", has, c.NotApplicable)
			}
		}
	}
}
