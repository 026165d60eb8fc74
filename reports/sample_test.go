package reports

import (
	"path/filepath"
	"strings"
	"testing"
)

// sample is a small campaign that the gate accepts, with every list filled
// somewhere.
func sample() (Manifest, Evidence) {
	e := Evidence{
		Generator: Generator{Version: "0.1.0", Commit: strings.Repeat("0123456789", 4), Modified: true},
		Environment: Environment{
			OS: "linux", Arch: "amd64", Kernel: "6.8.0-45-generic", Engine: "28.5.2+dfsg", EngineAPI: "1.41", Runtime: "runc",
			StorageDriver: "overlay2", CgroupVersion: 2, Image: "sha256:" + strings.Repeat("ab", 32), CPUs: 2, CorePattern: "file",
		}.Closed(),
		Run: Run{Seed: 7, StartedUnix: 1700000000, DurationMS: 9000, Parallel: 2, Planned: 15, Selected: 15, Rules: 2, Profile: Reference, Shard: 1, Shards: 1},
		Channels: []Channel{
			{ID: "net.tcp4", Family: "net", Sink: "tcp4"},
			{ID: "log.stderr", Family: "log", Sink: "log"},
			{ID: "tool.permitted", Family: "tool", Sink: "tool", Release: true},
			{ID: "net.vsock", Family: "net", Sink: "vsock"},
		},
		Controls: []Control{{ID: "profile.network-none", Group: "network"}, {ID: "profile.log-none"}, {ID: "profile.vsock-none"}, {ID: "profile.links-none", Group: "network"}, {ID: "policy.errors", Group: "policy"}},
		Residuals: []Residual{
			{"cpu.load", Reference, HostRoot, 128, 120, 3, 2500000, "cpu-quota", 16, 5000000},
			{"cpu.load", Reference, EngineAPI, 128, 128, 0, 2500000, "", 0, 0},
		},
		Trials: []Trial{
			contained("protected/1", Protected, "completed"),
			contained("protected/2", Protected, "completed"),
			opened("profile/network-host", "profile.network-none", "net.tcp4", "tcp4"),
			opened("profile/log-json-file", "profile.log-none", "log.stderr", "log"),
			equivalent("profile/network-bridge", "profile.network-none"),
			inapplicableTrial("profile/vsock-allowed", "profile.vsock-none", "net.vsock"),
			contained("failure/crash", FailureMode, "crashed"),
			contained("failure/stderr-flood", FailureMode, "output-limit"),
			hurt("supervision/bridge-killed/1", 1500, Exited),
			hurt("supervision/watchdog-paused/1", 1040000, Absent),
			hurt("supervision/bridge-killed/2", 900, Exited),
			hurt("supervision/bridge-killed/3", 2100, Absent),
			inertTrial("profile/links-added", "profile.links-none"),
			besides(inertTrial("pair/links-none/network-none", "profile.links-none"), opened("", "profile.network-none", "net.tcp4", "tcp4")),
			together("pair/log-none/network-none", "profile.log-none", "profile.network-none"),
		},
	}
	e.Rules = sampleRules()
	m := Manifest{Seed: e.Run.Seed}
	for _, r := range e.Rules.Mutants {
		m.Rules = append(m.Rules, r.PlannedRule)
	}
	for _, t := range e.Trials {
		p := planOf(t, "")
		if t.Status == NotApplicable {
			p.Reason = "" // nobody knew
		}
		m.Trials = append(m.Trials, p)
	}
	return m, e
}

func sampleRules() Rules {
	return Rules{
		Policies: Proof{Generator: 1, Size: 2592, Domain: strings.Repeat("0f", 32), Outcomes: strings.Repeat("1e", 32)},
		Sessions: 3, Servers: 1, Containers: 1,
		Mutants: []Rule{
			{
				PlannedRule: PlannedRule{
					Mutant: "errors/ignored", Layer: "errors", Operator: "errors/ignored", Control: "policy.errors", Foretold: Killed,
					Witnesses: []Witness{{"widens", "tool", "denied-policy", true, false}, {"narrows", "answer", "denied-response", false, true}},
				},
				Status: Killed,
				Drives: []Drive{
					{Killed, Session{true, 0, 0, 0, "denied-policy", 1, Exhaust{}}, Session{true, 1, 1, 0, "", 1, Exhaust{}}},
					{Killed, Session{true, 1, 1, 0, "", 1, Exhaust{}}, Session{true, 1, 1, 0, "denied-response", 1, Exhaust{}}},
				},
			},
			{
				PlannedRule: PlannedRule{
					Mutant: "forbid-retired/scope-in-action", Layer: "policy", Operator: "scope-in", Control: "policy.errors", Foretold: Equivalent,
					Reason: "unasked", Partner: "forbid-retired/drop-policy",
				},
				Status: Equivalent,
			},
		},
	}
}

func contained(id string, kind Kind, outcome string) Trial {
	return Trial{
		ID: id, Kind: kind,
		Expected: Expected{Probes: []string{"net.tcp4", "log.stderr", "tool.permitted"}, Sinks: []string{"tcp4", "log", "tool"}, Released: 1, Outcome: outcome},
		Hearings: []Hearing{
			{Sink: "tcp4", PilotsSent: 2, PilotsHeard: 2, Units: 2, Bytes: 64},
			{Sink: "log", PilotsSent: 2, PilotsHeard: 2, Units: 2, Bytes: 64},
		},
		Observations: []Observation{{"tool.permitted", "tool", 1}},
		Attempts:     []Attempt{{"net.tcp4", 101}, {"log.stderr", 0}},
		Outcome:      outcome, Container: Exited, Allowed: 1, Denied: 1, StderrBytes: 33, StdoutBytes: 210, DurationMS: 669,
		Verdict: Contained,
	}
}

func hurt(id string, stopped int64, left Container) Trial {
	t := contained(id, Supervision, "stream-lost")
	t.StoppedUS, t.Container = stopped, left
	return t
}

func opened(id, control, channel, sink string) Trial {
	t := contained(id, Mutant, "completed")
	t.Control, t.Status, t.Verdict = control, Killed, Leaked
	t.Expected.Opens, t.Expected.Refused = []string{channel}, []string{control}
	t.Refused = []Refusal{{Created, control}, {Started, control}}
	t.Observations = append(t.Observations, Observation{channel, sink, 2})
	t.Openings = []string{channel}
	t.Reasons = []string{"unexpected-arrival"}
	return t
}

// equivalent is a mutant that alone opens nothing.
func equivalent(id, control string) Trial {
	t := contained(id, Mutant, "completed")
	t.Control, t.Status, t.Expected.Refused = control, Equivalent, []string{control}
	t.Refused = []Refusal{{Created, control}}
	return t
}

func inertTrial(id, control string) Trial {
	t := equivalent(id, control)
	t.Reason = "needs-network"
	return t
}

// besides makes an inert mutant one that is compared with its partner's own.
func besides(t, partner Trial) Trial {
	t.With, t.Baseline, t.Verdict = []string{partner.Control}, true, Leaked
	t.Expected.Opens, t.Openings, t.Observations, t.Reasons = partner.Expected.Opens, partner.Openings, partner.Observations, partner.Reasons
	return t
}

// together is a killed mutant of several controls, which opens two channels.
func together(id, control string, with ...string) Trial {
	t := opened(id, control, "log.stderr", "log")
	t.With = with
	add(&t.Expected.Opens, "net.tcp4")
	add(&t.Openings, "net.tcp4")
	add(&t.Observations, Observation{"net.tcp4", "tcp4", 1})
	return t
}

func inapplicableTrial(id, control, channel string) Trial {
	return Trial{
		ID: id, Kind: Mutant, Control: control, Status: NotApplicable, Container: Absent, Verdict: Inconclusive,
		Expected: Expected{Refused: []string{control}, Opens: []string{channel}}, Outcome: "not-applicable", Reason: "no-vsock",
	}
}

// publish makes a bundle of the sample and returns its directory.
func publish(t *testing.T) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "bundle")
	m, e := sample()
	publishTo(t, out, m, e)
	return out
}

func publishTo(t *testing.T, out string, m Manifest, e Evidence) Evidence {
	t.Helper()
	s, err := Stage(out)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Discard() })
	if err := s.WriteManifest(m); err != nil {
		t.Fatal(err)
	}
	written, err := s.WriteEvidence(e)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Seal(); err != nil {
		t.Fatal(err)
	}
	if err := s.Publish(); err != nil {
		t.Fatal(err)
	}
	return written
}
