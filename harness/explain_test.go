package harness

import (
	"strings"
	"testing"

	"postern/reports"
)

func TestExplainNamesEachDifference(t *testing.T) {
	tests := []struct {
		name   string
		change func(*reports.Trial)
		says   string
	}{
		{"not refused", func(r *reports.Trial) { r.Refused = nil }, "admission did not refuse it for profile.network-none"},
		{"refused for more", func(r *reports.Trial) {
			r.Refused = append(r.Refused, reports.Refusal{Stage: "created", Control: "profile.uts-private"})
		}, "admission refused it for profile.uts-private"},
		{"shut", func(r *reports.Trial) { r.Observations = nil }, "stayed shut: net.tcp4"},
		{"open", func(r *reports.Trial) {
			r.Observations = append(r.Observations, reports.Observation{Channel: "file.root", Sink: "file", Sightings: 1})
		}, "opened, and nobody foretold it: file.root"},
		{"not attempted", func(r *reports.Trial) { r.Attempts = nil }, "not attempted: net.tcp4"},
		{"deaf", func(r *reports.Trial) { r.Hearings[0].PilotsHeard = 0 }, "did not hear their pilots, or dropped something: tcp4"},
		{"other end", func(r *reports.Trial) { r.Outcome = "session-time" }, "ended as session-time, not as completed"},
		{"refused and not run", func(r *reports.Trial) { r.Outcome, r.Refused = "admission-refused", nil }, "so the agent was not run"},
		{"Engine", func(r *reports.Trial) { r.Outcome = "engine-refused" }, "the Engine refused to make the container"},
		{"dropped", func(r *reports.Trial) { r.Dropped = true }, "the Engine dropped the change"},
		{"not inert", func(r *reports.Trial) {
			r.Baseline, r.With, r.Control = true, []string{"profile.network-none"}, "profile.links-none"
			r.Observations = append(r.Observations, reports.Observation{Channel: "file.root", Sink: "file", Sightings: 1})
		}, "profile.links-none is not inert, for with profile.network-none removed as well there opened: file.root"},
		{"running", func(r *reports.Trial) { r.Container = reports.Running }, "not seen to stop"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			row := killedRow()
			tt.change(&row)
			if says := strings.Join(Explain(judge(row)), "; "); !strings.Contains(says, tt.says) {
				t.Errorf("says %q, want %q in it", says, tt.says)
			}
		})
	}
	if says := Explain(judge(killedRow())); says != nil {
		t.Errorf("a kill is explained: %v", says)
	}
}
