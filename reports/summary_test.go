package reports

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTheSummaryOfTheSample(t *testing.T) {
	_, e := sample()
	got, err := encode(Complete(e).Summary)
	must(t, err)
	want := `{
  "accepted": true,
  "controls": 5,
  "channels": 4,
  "mutants": {
    "generated": 7,
    "killed": 3,
    "killed_by_other": 0,
    "survived": 0,
    "equivalent": 3,
    "stillborn": 0,
    "timeout": 0,
    "error": 0,
    "not_applicable": 1,
    "inconclusive": 0
  },
  "protected": {
    "trials": 2,
    "contained": 2,
    "leaked": 0,
    "inconclusive": 0
  },
  "failure_modes": {
    "trials": 2,
    "contained": 2
  },
  "controls_killed": 3,
  "channels_opened": 2,
  "planned": 15,
  "selected": 15,
  "supervision": {
    "faults": 2,
    "runs": 4,
    "stopped": 4
  },
  "channels_not_applicable": 1,
  "standings": {
    "load_bearing": 3,
    "redundant": 0,
    "inert": 1,
    "not_applicable": 1,
    "unproved": 0
  },
  "residuals": 2,
  "rules": {
    "planned": 2,
    "mutants": {
      "generated": 2,
      "killed": 1,
      "killed_by_other": 0,
      "survived": 0,
      "equivalent": 1,
      "stillborn": 0,
      "timeout": 0,
      "error": 0,
      "not_applicable": 0,
      "inconclusive": 0
    }
  }
}
`
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Error(diff)
	}
}

func TestEveryStatusAndVerdictIsCountedOnce(t *testing.T) {
	var trials []Trial
	statuses := []Status{Killed, KilledByOther, Survived, Equivalent, Stillborn, TimedOut, Failed, NotApplicable, InconclusiveKill, "", "no-such"}
	for _, s := range statuses {
		trials = append(trials, Trial{Kind: Mutant, Status: s, Verdict: Contained})
	}
	for _, v := range []Verdict{Contained, Leaked, Inconclusive, "", "no-such"} {
		trials = append(trials, Trial{Kind: Protected, Verdict: v}, Trial{Kind: FailureMode, Verdict: v}, Trial{ID: "supervision/crash/1", Kind: Supervision, Verdict: v})
	}
	got := Summarise(append(trials, Trial{Kind: "no-such", Verdict: Contained, Status: Killed}), nil, nil, Run{}, Rules{})
	want := Summary{
		Mutants: MutantCounts{Generated: 11, Killed: 1, KilledByOther: 1, Survived: 1, Equivalent: 1, Stillborn: 1, Timeout: 1,
			Error: 1, NotApplicable: 1, Inconclusive: 3},
		Protected:    TrialCounts{Trials: 5, Contained: 1, Leaked: 1, Inconclusive: 3},
		FailureModes: ModeCounts{Trials: 5, Contained: 1},
		Supervision:  FaultCounts{Faults: 1, Runs: 5},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestOnlyAForetoldOpeningInAKilledMutantCounts(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*Trial)
		opened int
	}{
		"as it should":    {func(*Trial) {}, 1},
		"survived":        {func(m *Trial) { m.Status = Survived }, 0},
		"killed by other": {func(m *Trial) { m.Status = KilledByOther }, 0},
		"protected":       {func(m *Trial) { m.Kind = Protected }, 0},
		"not foretold":    {func(m *Trial) { m.Expected.Opens = nil }, 0},
		"not opened":      {func(m *Trial) { m.Openings = nil }, 0},
		"another channel": {func(m *Trial) { m.Openings = []string{Stray} }, 0},
		"foretold twice":  {func(m *Trial) { m.Expected.Opens = []string{"net.tcp4", "net.tcp4"} }, 1},
		"seen otherwise":  {func(m *Trial) { m.Observations = nil }, 1}, // which canary opens which channel, the oracle knows
	} {
		m := opened("profile/network-host", "profile.network-none", "net.tcp4", "tcp4")
		c.change(&m)
		e := Complete(Evidence{Channels: []Channel{{ID: "net.tcp4", OpenedBy: 9}}, Trials: []Trial{m}})
		if got := e.Channels[0].OpenedBy; got != c.opened {
			t.Errorf("%s: opened by %d, want %d", name, got, c.opened)
		}
	}
}

func TestAMutantCountsForTheControlThatItWeakens(t *testing.T) {
	network := opened("profile/network-host", "profile.network-none", "net.tcp4", "tcp4")
	network.Expected.Refused = []string{"profile.log-none", "profile.network-none"} // one comes with the other
	log := opened("profile/log-json-file", "profile.log-none", "log.stderr", "log")
	log.Status = Equivalent
	_, e := sample()
	e.Trials, e.Rules = []Trial{network, log}, Rules{}
	want := []Control{
		{ID: "profile.network-none", Mutants: 1, Killed: 1, Group: "network", Standing: LoadBearing, Partners: []string{}},
		{ID: "profile.log-none", Mutants: 1, Standing: Unproved, Partners: []string{}},
		{ID: "profile.vsock-none", Standing: Unproved, Partners: []string{}},
		{ID: "profile.links-none", Group: "network", Standing: Unproved, Partners: []string{}},
		{ID: "policy.errors", Group: "policy", Standing: Unproved, Partners: []string{}},
	}
	if diff := cmp.Diff(want, Complete(e).Controls); diff != "" {
		t.Error(diff)
	}
}

func TestCompleteLeavesItsArgumentAlone(t *testing.T) {
	_, e := sample()
	before := slices.Clone(e.Channels)
	Complete(e)
	if diff := cmp.Diff(before, e.Channels); diff != "" {
		t.Error(diff)
	}
}
