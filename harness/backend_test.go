package harness

import (
	"slices"
	"testing"
	"time"

	"postern/harness/host"
	"postern/mutants"
	"postern/reports"
)

// celledEvidence is a full campaign by bubblewrap in which all came out as it must.
func celledEvidence() reports.Evidence {
	o := Options{Parallel: 1, Runs: 1, Backend: BackendBubblewrap}
	var trials []reports.Trial
	for _, s := range o.plan().Specs() {
		trials = append(trials, ideal(s))
	}
	l := &lab{
		environment: reports.Environment{OS: "linux", CPUs: 1, CorePattern: "file", Runtime: BackendBubblewrap, CompatCalls: yesNo(host.Look().CompatCalls), Sandbox: sandboxWord(sandboxed())},
		generator:   reports.Generator{Name: "postern", Version: "dev", Commit: reports.Unknown},
	}
	return l.evidence(o, o.plan().Specs(), trials, nil, idealRules(), time.Unix(0, 0))
}

func celledManifest() reports.Manifest {
	return manifestOf(0, Options{Runs: 1, Backend: BackendBubblewrap}.plan().Specs())
}

func TestVerifyAcceptsACampaignByBubblewrap(t *testing.T) {
	v, err := Verify(bundle(t, celledEvidence(), celledManifest()))
	if err != nil || len(v.Problems) > 0 || !v.Summary.Accepted {
		t.Fatalf("accepted %v, problems %v, error %v", v.Summary.Accepted, v.Problems, err)
	}
}

// The evidence of one backend does not pass for that of another, and neither
// leaves out what it has the means for.
func TestVerifyHoldsABackendToItsMeans(t *testing.T) {
	bundled := func(backend, runtime, left string) reports.Bundle {
		o := Options{Runs: 1, Backend: backend}
		b := reports.Bundle{Manifest: manifestOf(0, o.plan().Specs())}
		b.Evidence.Environment.Runtime, b.Evidence.Environment.CompatCalls = runtime, yesNo(host.Look().CompatCalls)
		b.Evidence.Environment.Sandbox = sandboxWord(sandboxed())
		b.Evidence.Channels = registeredChannels(o.plan())
		b.Evidence.Controls = registeredControls(o.tier())
		for _, s := range o.plan().Specs() {
			if s.ID == left {
				s.Lacks = mutants.LackedByBubblewrap
			}
			b.Evidence.Trials = append(b.Evidence.Trials, ideal(s))
		}
		b.Evidence = reports.Complete(b.Evidence)
		return b
	}
	for name, c := range map[string]struct {
		bundle reports.Bundle
		right  bool
	}{
		"bubblewrap's":                     {bundled(BackendBubblewrap, "bubblewrap", ""), true},
		"an Engine's":                      {bundled(BackendDocker, "runc", ""), true},
		"bubblewrap's, as an Engine's":     {bundled(BackendBubblewrap, "runc", ""), false},
		"an Engine's, as bubblewrap's":     {bundled(BackendDocker, "bubblewrap", ""), false},
		"a mutant of bubblewrap's not run": {bundled(BackendBubblewrap, "bubblewrap", "mutant/bubblewrap/ipc-host"), false},
		"a mutant of an Engine's not run":  {bundled(BackendDocker, "runc", "mutant/profile/log-json-file"), false},
	} {
		if problems := append(foreign(c.bundle), otherBackends(c.bundle)...); (len(problems) == 0) != c.right {
			t.Errorf("%s: %d problems", name, len(problems))
		}
	}
}

// Whatever a plan by bubblewrap runs, somebody listens, and at no sink of an Engine's.
func TestSpecsOfCellsAreWellFormed(t *testing.T) {
	seen := map[string]bool{}
	count := map[Kind]int{}
	for _, s := range (Plan{Backend: BackendBubblewrap}).Specs() {
		if seen[s.ID] || s.Why == "" || len(s.Expect.Sinks) == 0 {
			t.Errorf("%s: planned twice, or says too little", s.ID)
		}
		seen[s.ID] = true
		if s.Lacks == "" {
			count[s.Kind]++
		}
		for _, at := range engineSinks() {
			if slices.Contains(s.Expect.Sinks, at) {
				t.Errorf("%s: nothing is to be heard at %s", s.ID, at)
			}
		}
	}
	if count[Protected] < 2 || count[Mutation] < 12 || count[FailureMode] < 9 {
		t.Errorf("the campaign shrank: %v", count)
	}
}

func TestABackendIsOneThatIsKnown(t *testing.T) {
	for o, want := range map[*Options]error{
		{Backend: "podman"}: ErrBackend, {Backend: BackendBubblewrap, Profile: "hardened"}: ErrCells,
		{Backend: BackendBubblewrap}: nil, {Backend: BackendDocker, Profile: "hardened"}: nil, {}: nil,
	} {
		if got := o.checkBackend(); got != want {
			t.Errorf("%q with %q: %v, want %v", o.Backend, o.Profile, got, want)
		}
	}
}
