package harness

import (
	"testing"

	"postern/fixtures/channel"
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
	for _, s := range Specs(1) {
		if s.Expect.Outcome == outcomeError || s.Expect.Outcome == outcomeTimeout || s.Expect.Outcome == outcomeNotApplicable || s.Expect.Outcome == "" {
			t.Errorf("%s expects an outcome that is none", s.ID)
		}
	}
}

func TestSpecsAreWellFormed(t *testing.T) {
	seen := map[string]bool{}
	count := map[Kind]int{}
	for _, s := range Specs(1) {
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
		if s.Kind != Mutation && (s.Control != "" || s.Opens != nil || s.Refused != nil) {
			t.Errorf("%s: only mutants weaken", s.ID)
		}
	}
	if count[Protected] < 2 || count[Mutation] < 4 || count[FailureMode] < 9 {
		t.Errorf("the campaign shrank: %v", count)
	}
}

func TestSinksAndProbesCoverTheRegistry(t *testing.T) {
	for _, c := range channel.All() {
		if !c.Scripted && c.NotApplicable == "" && !containsAll(words(sinks()), []string{string(c.Sink)}) {
			t.Errorf("nobody listens at %s", c.Sink)
		}
	}
}
