package harness

import (
	"slices"
	"testing"

	"postern/fixtures/channel"
	"postern/gateway/confine"
	"postern/reports"
)

// killedRow is a network mutant that did all that it must.
func killedRow() reports.Trial {
	row := reports.Trial{
		ID: "mutant/profile/network-host", Kind: reports.Mutant, Control: "profile.network-none",
		Expected: reports.Expected{
			Probes: []string{"net.tcp4"}, Sinks: []string{"tcp4"}, Outcome: "completed",
			Opens: []string{"net.tcp4"}, Refused: []string{"profile.network-none"},
		},
		Refused: []reports.Refusal{
			{Stage: "created", Control: "profile.network-none"},
			{Stage: "started", Control: "profile.network-none"},
		},
		Hearings:     []reports.Hearing{{Sink: "tcp4", PilotsSent: 2, PilotsHeard: 2}},
		Observations: []reports.Observation{{Channel: "net.tcp4", Sink: "tcp4", Sightings: 1}},
		Attempts:     []reports.Attempt{{Channel: "net.tcp4"}},
		Outcome:      "completed",
		Container:    reports.Exited,
	}
	return row
}

func TestStatus(t *testing.T) {
	tests := []struct {
		name   string
		change func(*reports.Trial)
		want   reports.Status
	}{
		{"as foretold", func(*reports.Trial) {}, reports.Killed},
		{"nothing arrived", func(r *reports.Trial) { r.Observations = nil }, reports.Survived},
		{"another channel opened as well", func(r *reports.Trial) {
			r.Observations = append(r.Observations, reports.Observation{Channel: "file.root", Sink: "file", Sightings: 1})
		}, reports.KilledByOther},
		{"another channel opened instead", func(r *reports.Trial) { r.Observations[0].Sink = "file" }, reports.Survived},
		{"admission let it pass", func(r *reports.Trial) { r.Refused = nil }, reports.Survived},
		{"admission refused it for another control", func(r *reports.Trial) { r.Refused[0].Control = "profile.log-none" }, reports.Survived},
		{"admission refused it for another control too", func(r *reports.Trial) {
			r.Refused = append(r.Refused, reports.Refusal{Stage: "created", Control: "profile.log-none"})
		}, reports.Survived},
		{"an observer was deaf", func(r *reports.Trial) { r.Hearings[0].PilotsHeard = 1 }, reports.InconclusiveKill},
		{"the session ended otherwise", func(r *reports.Trial) { r.Outcome = "session-time" }, reports.InconclusiveKill},
		{"the trial broke", func(r *reports.Trial) { r.Outcome = outcomeError }, reports.Failed},
		{"the trial took too long", func(r *reports.Trial) { r.Outcome = outcomeTimeout }, reports.TimedOut},
		{"the Engine refused it", func(r *reports.Trial) { r.Outcome = "engine-refused" }, reports.Stillborn},
		{"this machine cannot", func(r *reports.Trial) { r.Outcome = outcomeNotApplicable }, reports.NotApplicable},
		{"the permitted tool did not work", func(r *reports.Trial) { r.Expected.Released = 1 }, reports.InconclusiveKill},
		{"the Engine dropped the change", func(r *reports.Trial) { r.Dropped = true }, reports.Stillborn},
		{"the Engine dropped the change, and then the trial broke", func(r *reports.Trial) { r.Dropped, r.Outcome = true, outcomeError }, reports.Stillborn},
		{"with a partner", func(r *reports.Trial) { r.With = []string{"profile.log-none"} }, reports.Killed},
		{"alone it opens nothing, as foretold", opensNothing, reports.Equivalent},
		{"alone it was to open nothing, and opened", func(r *reports.Trial) { r.Expected.Opens = nil }, reports.KilledByOther},
		{"it opens nothing, and an observer was deaf", func(r *reports.Trial) { opensNothing(r); r.Hearings[0].PilotsHeard = 1 }, reports.InconclusiveKill},
		{"it opens nothing, and admission let it pass", func(r *reports.Trial) { opensNothing(r); r.Refused = nil }, reports.Survived},
		{"it opens nothing, and the Engine dropped it", func(r *reports.Trial) { opensNothing(r); r.Dropped = true }, reports.Stillborn},
		{"it opens what its partner opens alone", func(r *reports.Trial) { r.Baseline = true }, reports.Equivalent},
		{"it opens more than its partner alone", func(r *reports.Trial) {
			r.Baseline = true
			r.Observations = append(r.Observations, reports.Observation{Channel: "file.root", Sink: "file", Sightings: 1})
		}, reports.KilledByOther},
		{"it opens less than its partner alone", func(r *reports.Trial) { r.Baseline, r.Observations = true, nil }, reports.Survived},
		{"it opens another than its partner alone", func(r *reports.Trial) {
			r.Baseline = true
			r.Observations[0] = reports.Observation{Channel: "file.root", Sink: "file", Sightings: 1}
		}, reports.Survived},
		{"the container runs on", func(r *reports.Trial) { r.Container = reports.Running }, reports.InconclusiveKill},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			row := killedRow()
			tt.change(&row)
			if got := judge(row).Status; got != tt.want {
				t.Errorf("status %q, want %q", got, tt.want)
			}
		})
	}
}

// opensNothing makes it the row of a control that others back.
func opensNothing(r *reports.Trial) { r.Expected.Opens, r.Observations = nil, nil }

// TestAsRequired keeps a status from being enough by being good for another
// trial.
func TestAsRequired(t *testing.T) {
	opens := reports.Expected{Opens: []string{"net.tcp4"}}
	for _, tt := range []struct {
		name string
		row  reports.Trial
		want reports.Status // the only one that is enough
	}{
		{"one that opens a channel", reports.Trial{Kind: reports.Mutant, Expected: opens}, reports.Killed},
		{"one that opens none", reports.Trial{Kind: reports.Mutant}, reports.Equivalent},
		{"one that is compared with its partner", reports.Trial{Kind: reports.Mutant, Expected: opens, Baseline: true}, reports.Equivalent},
		{"no mutant", reports.Trial{Kind: reports.Protected, Verdict: reports.Leaked}, "none"},
	} {
		for _, status := range []reports.Status{
			reports.Killed, reports.KilledByOther, reports.Survived, reports.Equivalent, reports.Stillborn,
			reports.TimedOut, reports.Failed, reports.NotApplicable, reports.InconclusiveKill, "",
		} {
			tt.row.Status = status
			if got := asRequired(tt.row); got != (status == tt.want) {
				t.Errorf("%s: %v as %q", tt.name, got, status)
			}
		}
	}
}

// A part of a campaign may lack what this machine cannot run, but not all of it.
func TestAPartOfACampaignAsRequired(t *testing.T) {
	killed, absent := judge(killedRow()), killedRow()
	absent.Outcome, absent.Reason = outcomeNotApplicable, reasonUnable
	absent = judge(absent)
	nameless := absent
	nameless.Reason = ""
	for _, tt := range []struct {
		name   string
		trials []reports.Trial
		want   bool
	}{
		{"none", nil, false},
		{"one killed", []reports.Trial{killed}, true},
		{"one not applicable", []reports.Trial{absent}, false},
		{"one killed, one not applicable", []reports.Trial{absent, killed}, true},
		{"one killed, one not applicable for no reason", []reports.Trial{nameless, killed}, false},
	} {
		e := reports.Evidence{Run: reports.Run{Planned: 9, Selected: len(tt.trials)}, Trials: tt.trials}
		if got := AsRequired(e); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}

func TestOnlyMutantsHaveAStatus(t *testing.T) {
	row := killedRow()
	row.Kind = reports.Protected
	if got := judge(row); got.Status != "" || got.Verdict != reports.Leaked {
		t.Errorf("a protected trial that leaks: status %q, verdict %q", got.Status, got.Verdict)
	}
}

func TestJudgingTwiceChangesNothing(t *testing.T) {
	once := judge(killedRow())
	if twice := judge(once); twice.Verdict != once.Verdict || twice.Status != once.Status || len(twice.Openings) != len(once.Openings) {
		t.Errorf("judged again: %v %v", twice.Verdict, twice.Status)
	}
}

func TestOutcomesOfTheHarnessAreNeverExpected(t *testing.T) {
	for _, s := range (Plan{}).Specs() {
		if s.Expect.Outcome == outcomeError || s.Expect.Outcome == outcomeTimeout || s.Expect.Outcome == outcomeNotApplicable || s.Expect.Outcome == "" {
			t.Errorf("%s expects an outcome that is none", s.ID)
		}
	}
}

func TestSpecsAreWellFormed(t *testing.T) {
	seen := map[string]bool{}
	count := map[Kind]int{}
	for _, s := range (Plan{}).Specs() {
		if seen[s.ID] {
			t.Errorf("%s: planned twice", s.ID)
		}
		seen[s.ID] = true
		count[s.Kind]++
		if s.Why == "" || len(s.Expect.Sinks) == 0 {
			t.Errorf("%s: says too little", s.ID)
		}
		if s.Deaf != "" {
			t.Errorf("%s: an observer is deaf in a real campaign", s.ID)
		}
		if s.Kind == Supervision && !s.Scene.Watched {
			t.Errorf("%s: nobody watches its container", s.ID)
		}
		if s.Kind != Mutation && (s.Control != "" || s.Opens != nil || s.Refused != nil && s.Kind != FailureMode) {
			t.Errorf("%s: only mutants weaken", s.ID)
		}
	}
	if count[Protected] < 2 || count[Mutation] < 4 || count[FailureMode] < 9 {
		t.Errorf("the campaign shrank: %v", count)
	}
}

func TestSinksAndProbesCoverTheRegistry(t *testing.T) {
	for _, c := range channel.All() {
		if !c.Scripted && c.NotApplicable == "" && !containsAll(words(sinks(confine.TierHardened)), []string{string(c.Sink)}) {
			t.Errorf("nobody listens at %s", c.Sink)
		}
	}
}

// A probe that does nothing, or an observer that does not hear it, must not go
// unnoticed: for every channel some mutant is not killed then.
func TestEveryDeadProbeLeavesAMutantAlive(t *testing.T) {
	for _, tier := range []confine.Tier{confine.TierReference, confine.TierHardened} {
		rows := map[string][]reports.Trial{} // by a channel that they open
		for _, s := range (Plan{Tier: tier}).Specs() {
			for _, id := range s.Opens {
				rows[string(id)] = append(rows[string(id)], ideal(s))
			}
		}
		for _, c := range channel.Judged(channel.Tier(tier)) {
			if c.Release || c.NotApplicable != "" {
				continue
			}
			noticed := false
			for _, row := range rows[string(c.ID)] {
				row.Observations = slices.DeleteFunc(slices.Clone(row.Observations), func(o reports.Observation) bool {
					return channel.Of(channel.ID(o.Channel), channel.Sink(o.Sink)) == c.ID
				})
				noticed = noticed || judge(row).Status != reports.Killed
			}
			if !noticed {
				t.Errorf("%s under %q: nobody would notice that its probe is dead", c.ID, tier)
			}
		}
	}
}

// A plan without one of its probes proves nothing.
func TestEveryProbeMustBeTried(t *testing.T) {
	whole := ideal(Plan{}.protected("protected/1", ""))
	for i, a := range whole.Attempts {
		row := whole
		row.Attempts = slices.Delete(slices.Clone(row.Attempts), i, i+1)
		if got := judge(row).Verdict; got != reports.Inconclusive {
			t.Errorf("without %s: %s", a.Channel, got)
		}
	}
}
