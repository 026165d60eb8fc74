package reports

import (
	"errors"
	"fmt"
	"slices"
)

// campaign is the input of Gate as one value.
type campaign struct {
	summary  Summary
	channels []Channel
	controls []Control
	trials   []Trial
}

func (c campaign) through(gate gateFunc) []Reason {
	return gate(c.summary, c.channels, c.controls, c.trials...)
}

type gateFunc func(Summary, []Channel, []Control, ...Trial) []Reason

// flip breaks one condition of an accepted campaign.
type flip struct {
	name  string
	broke Reason
	apply func(*campaign)
}

// SelfCheck proves, before anything depends on it, that the gate can fail: it
// accepts one made-up campaign and refuses each variant that breaks a single
// condition, for that condition. A campaign whose self check fails must not run.
func SelfCheck() error { return selfCheck(Gate) }

func selfCheck(gate gateFunc) error {
	good := acceptable()
	if reasons := good.through(gate); len(reasons) != 0 {
		return errors.New("self check of the gate: an acceptable campaign is refused")
	}
	for i, f := range flips() {
		c := acceptable()
		f.apply(&c)
		if !slices.Contains(c.through(gate), f.broke) {
			return fmt.Errorf("self check of the gate: broken condition %d (%s) is not refused", i, f.broke)
		}
	}
	return nil
}

// acceptable is a small campaign that the gate accepts.
func acceptable() campaign {
	return campaign{
		summary: Summary{
			Controls:     1,
			Channels:     2,
			Mutants:      MutantCounts{Generated: 4, Killed: 2, Equivalent: 1, NotApplicable: 1},
			Protected:    TrialCounts{Trials: 2, Contained: 2},
			FailureModes: ModeCounts{Trials: 1, Contained: 1},
			Planned:      9,
			Selected:     9,
			Supervision:  FaultCounts{Faults: 1, Runs: 2, Stopped: 2},
			Rules:        RuleCounts{Planned: 5, Mutants: MutantCounts{Generated: 5, Killed: 1, KilledByOther: 1, Equivalent: 1, Stillborn: 1, NotApplicable: 1}},
		},
		channels: []Channel{{ID: "net.tcp4", OpenedBy: 1}, {ID: "tool.permitted", Release: true}},
		controls: []Control{{ID: "profile.network-none", Mutants: 4, Killed: 2, Standing: LoadBearing}},
		trials:   []Trial{{Kind: Supervision, Verdict: Contained}, {Kind: Supervision, Verdict: Contained}},
	}
}

func flips() []flip {
	return []flip{
		{"one trial not selected", NotAllSelected, func(c *campaign) { c.summary.Planned++ }},
		{"more selected than planned", NotAllSelected, func(c *campaign) { c.summary.Planned-- }},
		{"a trial without record", TrialsMissing, func(c *campaign) { c.summary.Planned++; c.summary.Selected++ }},
		{"no mutants", NoMutants, func(c *campaign) { c.summary.Mutants = MutantCounts{} }},
		{"mutants that had nothing to open", NoMutants, func(c *campaign) { c.summary.Mutants = MutantCounts{Generated: 4, Equivalent: 3, NotApplicable: 1} }},
		{"a mutant without status", MutantsNotKilled, func(c *campaign) { c.summary.Mutants.Generated++ }},
		{"more killed than generated", MutantsNotKilled, func(c *campaign) { c.summary.Mutants.Killed++ }},
		{"a survivor", MutantsSurvived, func(c *campaign) { c.summary.Mutants.Survived++ }},
		{"a timeout", MutantsTimedOut, func(c *campaign) { c.summary.Mutants.Timeout++ }},
		{"an error", MutantsFailed, func(c *campaign) { c.summary.Mutants.Error++ }},
		{"killed by another", MutantsKilledByOther, func(c *campaign) { c.summary.Mutants.KilledByOther++ }},
		{"an inconclusive mutant", MutantsInconclusive, func(c *campaign) { c.summary.Mutants.Inconclusive++ }},
		{"a stillborn mutant", MutantsStillborn, func(c *campaign) { c.summary.Mutants.Stillborn++ }},
		{"one protected trial", ProtectedTooFew, func(c *campaign) { c.summary.Protected = TrialCounts{Trials: 1, Contained: 1} }},
		{"a leaking protected trial", ProtectedNotContained, func(c *campaign) { c.summary.Protected = TrialCounts{Trials: 2, Contained: 1, Leaked: 1} }},
		{"an undecided protected trial", ProtectedNotContained, func(c *campaign) { c.summary.Protected = TrialCounts{Trials: 2, Contained: 1, Inconclusive: 1} }},
		{"a failure mode that leaks", FailureModeUncontained, func(c *campaign) { c.summary.FailureModes.Contained-- }},
		{"a container that outlives a fault", SupervisionUncontained, func(c *campaign) { c.summary.Supervision.Stopped-- }},
		{"more stopped than run", SupervisionUncontained, func(c *campaign) { c.summary.Supervision.Stopped++ }},
		{"a fault that leaks", SupervisionUncontained, func(c *campaign) { c.trials[1].Verdict = Leaked }},
		{"an undecided fault", SupervisionUncontained, func(c *campaign) { c.trials[1].Verdict = Inconclusive }},
		{"a fault without verdict", SupervisionUncontained, func(c *campaign) { c.trials[1].Verdict = "" }},
		{"runs without their trials", SupervisionUncontained, func(c *campaign) { c.trials = nil }},
		{"a run more than stopped", SupervisionUncontained, func(c *campaign) { c.summary.Supervision.Runs++; c.summary.Planned++; c.summary.Selected++ }},
		{"a run uncounted", TrialsMissing, func(c *campaign) { c.summary.Supervision.Runs--; c.summary.Supervision.Stopped-- }},
		{"only releases", NoChannels, func(c *campaign) { c.channels = c.channels[1:]; c.summary.Channels-- }},
		{"a channel uncounted", NoChannels, func(c *campaign) { c.summary.Channels++ }},
		{"a channel that no mutant opened", ChannelUnopened, func(c *campaign) { c.channels[0].OpenedBy = 0 }},
		{"no controls", NoControls, func(c *campaign) { c.controls = nil; c.summary.Controls = 0 }},
		{"a control uncounted", NoControls, func(c *campaign) { c.summary.Controls++ }},
		{"a control whose mutants show nothing", ControlUnkilled, func(c *campaign) { c.controls[0].Standing = Unproved }},
		{"no mutants of rules", NoRules, func(c *campaign) { c.summary.Rules = RuleCounts{} }},
		{"mutants of rules of which none is killed", NoRules, func(c *campaign) { c.summary.Rules.Mutants.Killed--; c.summary.Rules.Mutants.Equivalent++ }},
		{"a mutant of rules without record", RulesMissing, func(c *campaign) { c.summary.Rules.Planned++ }},
		{"mutants of rules that were not driven", RulesMissing, func(c *campaign) { c.summary.Rules.Mutants = MutantCounts{} }},
		{"a survivor of rules", RulesSurvived, func(c *campaign) { c.summary.Rules.Mutants.Survived++; c.summary.Rules.Mutants.Equivalent-- }},
		{"an inconclusive mutant of rules", RulesUndecided, func(c *campaign) { c.summary.Rules.Mutants.Inconclusive++; c.summary.Rules.Mutants.Equivalent-- }},
		{"an error of rules", RulesUndecided, func(c *campaign) { c.summary.Rules.Mutants.Error++; c.summary.Rules.Mutants.Equivalent-- }},
		{"a control without mutants", ControlUnkilled, func(c *campaign) { c.controls[0] = Control{ID: c.controls[0].ID} }},
	}
}
