package harness

import (
	"path/filepath"
	"testing"

	"postern/reports"
)

// A machine that cannot run the campaign may write that down, and nobody may
// take it for evidence.
func TestUnableIsRecordedAndNeverAccepted(t *testing.T) {
	out := filepath.Join(t.TempDir(), "bundle")
	e, err := Unable(t.Context(), Options{Out: out})
	if err != nil {
		t.Fatal(err)
	}
	if m := e.Summary.Mutants; m.NotApplicable != m.Generated || m.Generated == 0 {
		t.Errorf("%d of %d mutants are not applicable", m.NotApplicable, m.Generated)
	}
	for _, row := range e.Trials {
		if row.Verdict != reports.Inconclusive {
			t.Errorf("%s: %s", row.ID, row.Verdict)
		}
	}
	v, err := Verify(out)
	if err != nil || v.Summary.Accepted || len(v.Problems) == 0 {
		t.Errorf("accepted %v, problems %v, error %v", v.Summary.Accepted, v.Problems, err)
	}
	if AsRequired(e) {
		t.Error("a campaign that was not run is as required")
	}
}
