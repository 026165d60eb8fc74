package main

import (
	"bytes"
	"strings"
	"testing"

	"postern/harness"
	"postern/reports"
)

// What confined the agents is called what it was.
func TestTheSandboxIsCalledByItsName(t *testing.T) {
	for runtime, want := range map[string]string{"runc": "container", harness.BackendBubblewrap: "bubblewrap sandbox"} {
		e := reports.Evidence{Environment: reports.Environment{Runtime: runtime}}
		e.Summary.Supervision.Runs, e.Summary.Rules.Mutants.Generated = 1, 1
		row := reports.Trial{ID: "protected/1", Outcome: "completed", Container: reports.Running}
		row.Expected.Outcome = row.Outcome
		var out bytes.Buffer
		printSums(&out, e)
		if err := printTrial(&out, row, sandboxOf(e), "why", true); err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{"the " + want + " stopped in", "of them each in a " + want + "\n", "the " + want + ": running"} {
			if !strings.Contains(out.String(), text) {
				t.Errorf("%s: nothing says %q in\n%s", runtime, text, out.String())
			}
		}
		if want != "container" && strings.Contains(out.String(), "container") {
			t.Errorf("%s: there is no container:\n%s", runtime, out.String())
		}
	}
}

func TestASweepSaysThatNoEngineWasAsked(t *testing.T) {
	for want, swept := range map[string]harness.Swept{
		"no Docker Engine is there, so none was asked: what is not an Engine's was swept\n2 changes of this host's settings put back\n": {Unasked: true, Restored: 2},
		"1 removed, 3 kept: of live sessions, or without an owner and new\n":                                                            {Removed: 1, Kept: 3},
	} {
		var out bytes.Buffer
		if printSwept(&out, swept); out.String() != want {
			t.Errorf("%+v: %s", swept, out.String())
		}
	}
}
