package reports

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTheJUnitViewOfARedCampaign(t *testing.T) {
	_, e := sample()
	survivor := opened("profile/log-json-file", "profile.log-none", "log.stderr", "log")
	survivor.Status, survivor.Verdict, survivor.DurationMS, survivor.Reasons = Survived, Contained, 1234, []string{"nothing-arrived"}
	leak := contained("protected/1", Protected, "completed")
	leak.Verdict, leak.Reasons = Leaked, []string{"unexpected-arrival", "released-twice"}
	e.Trials = []Trial{leak, survivor, equivalent("profile/network-bridge", "profile.network-none"), contained("failure/crash", FailureMode, "crashed"),
		hurt("supervision/bridge-killed/1", 1500, Exited), hurt("supervision/bridge-killed/2", 1500, Running), hurt("supervision/bridge-killed/3", 0, Exited)}
	e.Rules.Mutants[0].Status = Survived
	e.Controls = e.Controls[:1]
	e.Run.Planned, e.Run.Selected = 7, 7
	got, err := junit(Complete(e))
	must(t, err)
	want := `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="postern" tests="10" failures="6" skipped="2">
  <testsuite name="protected" tests="1" failures="1" skipped="0" time="0.669">
    <testcase classname="protected" name="protected/1" time="0.669">
      <failure message="leaked unexpected-arrival released-twice"></failure>
    </testcase>
  </testsuite>
  <testsuite name="mutant" tests="2" failures="1" skipped="1" time="1.903">
    <testcase classname="mutant.profile.log-none" name="profile/log-json-file" time="1.234">
      <failure message="survived nothing-arrived"></failure>
    </testcase>
    <testcase classname="mutant.profile.network-none" name="profile/network-bridge" time="0.669">
      <skipped message="equivalent"></skipped>
    </testcase>
  </testsuite>
  <testsuite name="failure-mode" tests="1" failures="0" skipped="0" time="0.669">
    <testcase classname="failure-mode" name="failure/crash" time="0.669"></testcase>
  </testsuite>
  <testsuite name="supervision" tests="3" failures="2" skipped="0" time="2.007">
    <testcase classname="supervision" name="supervision/bridge-killed/1" time="0.669"></testcase>
    <testcase classname="supervision" name="supervision/bridge-killed/2" time="0.669">
      <failure message="not-stopped"></failure>
    </testcase>
    <testcase classname="supervision" name="supervision/bridge-killed/3" time="0.669">
      <failure message="not-stopped"></failure>
    </testcase>
  </testsuite>
  <testsuite name="rules" tests="2" failures="1" skipped="1" time="0.000">
    <testcase classname="rules.errors" name="errors/ignored" time="0.000">
      <failure message="survived"></failure>
    </testcase>
    <testcase classname="rules.policy" name="forbid-retired/scope-in-action" time="0.000">
      <skipped message="equivalent"></skipped>
    </testcase>
  </testsuite>
  <testsuite name="gate" tests="1" failures="1" skipped="0" time="0.000">
    <testcase classname="gate" name="accepted" time="0.000">
      <failure message="mutants-not-killed mutants-survived protected-too-few protected-not-contained supervision-not-contained channel-unopened control-unkilled no-rules rules-survived"></failure>
    </testcase>
  </testsuite>
</testsuites>
`
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Error(diff)
	}
}

func TestTheJUnitViewOfAnAcceptedCampaign(t *testing.T) {
	_, e := sample()
	got, err := junit(Complete(e))
	must(t, err)
	if want := `<testsuites name="postern" tests="18" failures="0" skipped="5">`; !strings.Contains(string(got), want) {
		t.Errorf("no %s in\n%s", want, got)
	}
}

// TestEveryStatusButThreeFailsInJUnit keeps a status from being green by being
// forgotten.
func TestEveryStatusButThreeFailsInJUnit(t *testing.T) {
	for status, want := range map[Status]string{
		Killed: "passed", Equivalent: "skipped", NotApplicable: "skipped",
		KilledByOther: "failed", Survived: "failed", Stillborn: "failed", TimedOut: "failed", Failed: "failed", InconclusiveKill: "failed", "": "failed",
	} {
		c := trialCase(Trial{Kind: Mutant, Status: status, Verdict: Contained})
		got := "passed"
		switch {
		case c.Failure != nil:
			got = "failed"
		case c.Skipped != nil:
			got = "skipped"
		}
		if got != want {
			t.Errorf("%q is %s, want %s", status, got, want)
		}
	}
	if trialCase(Trial{Kind: Protected, Status: Killed}).Failure == nil {
		t.Error("a protected trial without a verdict passes")
	}
}
