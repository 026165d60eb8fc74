package reports

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTheGateRefusesEachBrokenCondition(t *testing.T) {
	good := acceptable()
	if reasons := good.through(Gate); reasons != nil {
		t.Fatalf("the acceptable campaign is refused: %v", reasons)
	}
	for _, f := range flips() {
		c := acceptable()
		f.apply(&c)
		if reasons := c.through(Gate); !slices.Contains(reasons, f.broke) {
			t.Errorf("%s: refused for %v, not for %s", f.name, reasons, f.broke)
		}
	}
}

func TestTheGateRefusesNothingAtAll(t *testing.T) {
	want := []Reason{NoMutants, ProtectedTooFew, NoChannels, NoControls, NoRules}
	if diff := cmp.Diff(want, Gate(Summary{}, nil, nil)); diff != "" {
		t.Error(diff)
	}
	if (Summary{}).Accepted || Complete(Evidence{}).Summary.Accepted {
		t.Error("an empty campaign is accepted")
	}
}

func TestACampaignOfAnOlderPlanLacksSupervision(t *testing.T) {
	c := acceptable()
	c.summary.Planned, c.summary.Selected, c.summary.Supervision, c.trials = 7, 7, FaultCounts{}, nil
	if reasons := c.through(Gate); reasons != nil {
		t.Errorf("refused: %v", reasons)
	}
	c.trials = []Trial{{Kind: Supervision, Verdict: Contained}} // one that nobody counts
	if reasons := c.through(Gate); !slices.Equal(reasons, []Reason{SupervisionUncontained}) {
		t.Errorf("reasons %v", reasons)
	}
}

func TestTheGateDoesNotBelieveAccepted(t *testing.T) {
	c := acceptable()
	c.summary.Accepted = true
	c.summary.Mutants.Survived = 1
	if c.through(Gate) == nil {
		t.Error("accepted because it says so")
	}
}

// TestTheSelfCheckFindsAGateThatCannotFail breaks the gate in every way that
// leaves one reason out, and in the two ways that need no reason.
func TestTheSelfCheckFindsAGateThatCannotFail(t *testing.T) {
	wantError(t, SelfCheck(), "")
	always := func(Summary, []Channel, []Control, ...Trial) []Reason { return nil }
	wantError(t, selfCheck(always), "self check of the gate: broken condition 0 (not-all-selected) is not refused")
	never := func(Summary, []Channel, []Control, ...Trial) []Reason { return []Reason{NoMutants} }
	wantError(t, selfCheck(never), "self check of the gate: an acceptable campaign is refused")
	for _, deaf := range reasons() {
		gate := func(s Summary, channels []Channel, controls []Control, trials ...Trial) []Reason {
			return slices.DeleteFunc(Gate(s, channels, controls, trials...), func(r Reason) bool { return r == deaf })
		}
		if selfCheck(gate) == nil {
			t.Errorf("a gate without %s passes its self check", deaf)
		}
	}
}

func reasons() []Reason {
	return []Reason{NotAllSelected, TrialsMissing, NoMutants, MutantsNotKilled, MutantsSurvived, MutantsTimedOut, MutantsFailed,
		MutantsKilledByOther, MutantsInconclusive, MutantsStillborn, ProtectedTooFew, ProtectedNotContained, FailureModeUncontained,
		SupervisionUncontained, NoChannels, ChannelUnopened, NoControls, ControlUnkilled,
		NoRules, RulesMissing, RulesSurvived, RulesUndecided}
}
