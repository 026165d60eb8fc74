package oracle

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"postern/fixtures/channel"
	"postern/observers"
)

// planned is a protected trial; sound is one that went as planned.
func planned() Expectation {
	return Expectation{
		Probes:   []channel.ID{channel.NetTCP4, channel.ToolPublic},
		Sinks:    []channel.Sink{channel.SinkTCP4, channel.SinkTool},
		Released: 1,
		Outcome:  "completed",
	}
}

func sound() Seen {
	return Seen{
		Hearings: []observers.Hearing{
			{Sink: channel.SinkTCP4, PilotsSent: 2, PilotsHeard: 2},
			{Sink: channel.SinkTool, PilotsSent: 2, PilotsHeard: 2},
		},
		Observations: []observers.Observation{{Channel: channel.ToolPermitted, Sink: channel.SinkTool, Sightings: 1}},
		Attempted:    []channel.ID{channel.NetTCP4, channel.ToolPublic},
		Outcome:      "completed",
		Container:    Exited,
	}
}

func TestJudge(t *testing.T) {
	arrival := func(c channel.ID, s channel.Sink, n int) func(*Expectation, *Seen) {
		return func(_ *Expectation, seen *Seen) {
			seen.Observations = append(seen.Observations, observers.Observation{Channel: c, Sink: s, Sightings: n})
		}
	}
	tests := []struct {
		name   string
		change func(*Expectation, *Seen)
		want   Judgement
	}{
		{"all controls in place", func(*Expectation, *Seen) {}, Judgement{Verdict: Contained}},
		{"a canary at its own sink", arrival(channel.NetTCP4, channel.SinkTCP4, 1),
			Judgement{Leaked, []Reason{Leak}, []channel.ID{channel.NetTCP4}}},
		{"a canary at a sink of another channel", arrival(channel.NetTCP4, channel.SinkFile, 1),
			Judgement{Leaked, []Reason{Leak}, []channel.ID{channel.Stray}}},
		{"frames kept by a log driver", arrival(channel.ToolPermitted, channel.SinkLog, 2),
			Judgement{Leaked, []Reason{Leak}, []channel.ID{channel.LogStdout}}},
		{"an observation that counts nothing", arrival(channel.NetTCP4, channel.SinkTCP4, 0), Judgement{Verdict: Contained}},
		{"released twice", arrival(channel.ToolPermitted, channel.SinkTool, 1),
			Judgement{Leaked, []Reason{ReleasedTwice}, []channel.ID{channel.ToolPermitted}}},
		{"released where no call was legal", func(w *Expectation, _ *Seen) { w.Released = 0 },
			Judgement{Leaked, []Reason{ReleasedTwice}, []channel.ID{channel.ToolPermitted}}},
		{"release missing", func(_ *Expectation, s *Seen) { s.Observations = nil },
			Judgement{Verdict: Inconclusive, Reasons: []Reason{ReleaseMissing}}},
		{"one pilot not heard", func(_ *Expectation, s *Seen) { s.Hearings[0].PilotsHeard = 1 },
			Judgement{Verdict: Inconclusive, Reasons: []Reason{Deaf}}},
		{"no pilot sent", func(_ *Expectation, s *Seen) { s.Hearings[0] = observers.Hearing{Sink: channel.SinkTCP4} },
			Judgement{Verdict: Inconclusive, Reasons: []Reason{Deaf}}},
		{"pilot before but not after", func(_ *Expectation, s *Seen) { s.Hearings[1].PilotsSent, s.Hearings[1].PilotsHeard = 1, 1 },
			Judgement{Verdict: Inconclusive, Reasons: []Reason{Deaf}}},
		{"a drop", func(_ *Expectation, s *Seen) { s.Hearings[1].Drops = 1 },
			Judgement{Verdict: Inconclusive, Reasons: []Reason{Deaf}}},
		{"an observer missing", func(_ *Expectation, s *Seen) { s.Hearings = s.Hearings[:1] },
			Judgement{Verdict: Inconclusive, Reasons: []Reason{Deaf}}},
		{"no observers planned", func(w *Expectation, _ *Seen) { w.Sinks = nil },
			Judgement{Verdict: Inconclusive, Reasons: []Reason{Deaf}}},
		{"a probe not attempted", func(_ *Expectation, s *Seen) { s.Attempted = s.Attempted[1:] },
			Judgement{Verdict: Inconclusive, Reasons: []Reason{NotAttempted}}},
		{"another outcome", func(_ *Expectation, s *Seen) { s.Outcome = "crashed" },
			Judgement{Verdict: Inconclusive, Reasons: []Reason{OtherOutcome}}},
		{"no outcome planned", func(w *Expectation, s *Seen) { w.Outcome, s.Outcome = "", "" },
			Judgement{Verdict: Inconclusive, Reasons: []Reason{OtherOutcome}}},
		{"container still running", func(_ *Expectation, s *Seen) { s.Container = Running },
			Judgement{Verdict: Inconclusive, Reasons: []Reason{StillRunning}}},
		{"container seen to outlive its guards", func(w *Expectation, s *Seen) {
			s.Container = Running
			arrival(channel.HostRunning, channel.SinkHost, 1)(w, s)
		}, Judgement{Leaked, []Reason{Leak}, []channel.ID{channel.HostRunning}}},
		{"container state unknown", func(_ *Expectation, s *Seen) { s.Container = "" },
			Judgement{Verdict: Inconclusive, Reasons: []Reason{StillRunning}}},
		{"container never created", func(_ *Expectation, s *Seen) { s.Container = Absent }, Judgement{Verdict: Contained}},
		{"a sighting counts although another observer is deaf", func(w *Expectation, s *Seen) {
			s.Hearings[1].Drops = 3
			arrival(channel.NetTCP4, channel.SinkTCP4, 1)(w, s)
		}, Judgement{Leaked, []Reason{Deaf, Leak}, []channel.ID{channel.NetTCP4}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			want, seen := planned(), sound()
			tt.change(&want, &seen)
			if diff := cmp.Diff(tt.want, Judge(want, seen)); diff != "" {
				t.Errorf("judgement differs (-want +got):\n%s", diff)
			}
		})
	}
}

func TestZeroIsInconclusive(t *testing.T) {
	if got := Judge(Expectation{}, Seen{}).Verdict; got != Inconclusive {
		t.Errorf("nothing planned, nothing seen: %s", got)
	}
	if (Judgement{}).Conclusive() {
		t.Error("the zero judgement is conclusive")
	}
}

func TestConclusive(t *testing.T) {
	want, seen := planned(), sound()
	seen.Observations = append(seen.Observations, observers.Observation{Channel: channel.NetTCP4, Sink: channel.SinkTCP4, Sightings: 1})
	if !Judge(want, seen).Conclusive() {
		t.Error("a leak with every observer hearing must be conclusive")
	}
	seen.Hearings[1].Drops = 1
	if Judge(want, seen).Conclusive() {
		t.Error("a leak beside a deaf observer must not be conclusive: more may have arrived")
	}
}
