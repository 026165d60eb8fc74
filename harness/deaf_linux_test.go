package harness

import (
	"context"
	"slices"
	"testing"
	"time"

	"postern/fixtures/channel"
	"postern/reports"
)

// Each observer of what a hostile tool server does is made deaf once: the trial
// must then prove nothing, though the server is confined.
func TestAConfinedServerBesideADeafObserverProvesNothing(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	o, _ := Options{Backend: BackendAuto}.Choose(ctx)
	o = o.withDefaults()
	l, err := openLab(ctx, o)
	if reason := cannot(err); reason != "" {
		t.Skip(reason)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer l.close()
	plan := Plan{Unsandboxed: !sandboxed()}
	at := slices.IndexFunc(plan.guarded(), func(s Spec) bool { return s.ID == "failure-mode/guard/enrolled" })
	if at < 0 {
		t.Skip("there is no sandbox for tool servers")
	}
	enrolled := plan.guarded()[at]
	specs := []Spec{enrolled}
	for _, c := range channel.Guarded() {
		s := enrolled
		s.ID, s.Deaf = "failure-mode/guard/"+string(c.Sink), c.Sink
		specs = append(specs, s)
	}
	rows, err := l.all(ctx, o, specs)
	if err != nil {
		t.Fatal(err)
	}
	if rows[0].Verdict != reports.Contained {
		t.Errorf("with all hearing: %s, %q, %q", rows[0].Verdict, rows[0].Reasons, unheard(rows[0]))
	}
	for i, row := range rows[1:] {
		sink := specs[i+1].Deaf
		if got := unheard(row); row.Verdict != reports.Inconclusive || !slices.Equal(got, []string{string(sink)}) || asRequired(row) {
			t.Errorf("while %s is deaf: %s, %q, %q", sink, row.Verdict, row.Reasons, got)
		}
	}
}
