package reports

// Reason is why a campaign is not accepted.
type Reason string

// The reasons, in the order in which Gate gives them.
const (
	NotAllSelected         Reason = "not-all-selected"
	TrialsMissing          Reason = "trials-missing"
	NoMutants              Reason = "no-mutants"
	MutantsNotKilled       Reason = "mutants-not-killed"
	MutantsSurvived        Reason = "mutants-survived"
	MutantsTimedOut        Reason = "mutants-timed-out"
	MutantsFailed          Reason = "mutants-failed"
	MutantsKilledByOther   Reason = "mutants-killed-by-other"
	MutantsInconclusive    Reason = "mutants-inconclusive"
	MutantsStillborn       Reason = "mutants-stillborn"
	ProtectedTooFew        Reason = "protected-too-few"
	ProtectedNotContained  Reason = "protected-not-contained"
	FailureModeUncontained Reason = "failure-mode-not-contained"
	SupervisionUncontained Reason = "supervision-not-contained"
	NoChannels             Reason = "no-channels"
	ChannelUnopened        Reason = "channel-unopened"
	NoControls             Reason = "no-controls"
	ControlUnkilled        Reason = "control-unkilled"
	NoRules                Reason = "no-rules"
	RulesMissing           Reason = "rules-missing"
	RulesSurvived          Reason = "rules-survived"
	RulesUndecided         Reason = "rules-undecided"
)

// protectedMinimum is how many protected trials a campaign needs: one says
// nothing about state that the first leaves behind.
const protectedMinimum = 2

// Gate says why a campaign is not accepted; no reason means accepted. It does
// not look at s.Accepted. Nothing passes for being absent: no mutant that had a
// channel to open, no channel or no control is a reason, and so is a channel
// or a control that no mutant shows anything of.
//
// Of the trials it reads the verdicts of supervision, which the summary does
// not count. Supervision is the one part that a campaign may lack, as those of
// older plans do; but once the summary counts a run, its trial must be given.
func Gate(s Summary, channels []Channel, controls []Control, trials ...Trial) []Reason {
	m, p, f, r := s.Mutants, s.Protected, s.FailureModes, s.Rules
	var reasons []Reason
	for _, rule := range []struct {
		broken bool
		reason Reason
	}{
		{s.Planned != s.Selected, NotAllSelected},
		{m.Generated+p.Trials+f.Trials+s.Supervision.Runs != s.Selected, TrialsMissing},
		{m.Generated-m.Equivalent-m.NotApplicable < 1, NoMutants},
		{m.Killed != m.Generated-m.Equivalent-m.NotApplicable, MutantsNotKilled},
		{m.Survived != 0, MutantsSurvived},
		{m.Timeout != 0, MutantsTimedOut},
		{m.Error != 0, MutantsFailed},
		{m.KilledByOther != 0, MutantsKilledByOther},
		{m.Inconclusive != 0, MutantsInconclusive},
		{m.Stillborn != 0, MutantsStillborn},
		{p.Trials < protectedMinimum, ProtectedTooFew},
		{p.Contained != p.Trials || p.Leaked != 0 || p.Inconclusive != 0, ProtectedNotContained},
		{f.Contained != f.Trials, FailureModeUncontained},
		{!supervised(s.Supervision, trials), SupervisionUncontained},
		{!hasGuarded(channels) || s.Channels != len(channels), NoChannels},
		{hasUnopened(channels), ChannelUnopened},
		{len(controls) == 0 || s.Controls != len(controls), NoControls},
		{hasUnkilled(controls), ControlUnkilled},
		{r.Planned < 1 || r.Mutants.Killed < 1, NoRules},
		{r.Planned != r.Mutants.Generated, RulesMissing},
		{r.Mutants.Survived != 0, RulesSurvived},
		{r.Mutants.settled() != r.Mutants.Generated-r.Mutants.Survived, RulesUndecided},
	} {
		if rule.broken {
			reasons = append(reasons, rule.reason)
		}
	}
	return reasons
}

// settled counts the mutants of which it is known what they do, or that they do
// nothing.
func (m MutantCounts) settled() int {
	return m.Killed + m.KilledByOther + m.Equivalent + m.Stillborn + m.NotApplicable
}

// supervised reports whether every run of every fault was contained and its
// container seen to die.
func supervised(c FaultCounts, trials []Trial) bool {
	runs, contained := 0, 0
	for _, t := range trials {
		if t.Kind != Supervision {
			continue
		}
		runs++
		if t.Verdict == Contained {
			contained++
		}
	}
	return runs == c.Runs && contained == runs && c.Stopped == runs
}

// hasGuarded reports whether any channel is one that controls must shut.
func hasGuarded(channels []Channel) bool {
	for _, c := range channels {
		if !c.Release {
			return true
		}
	}
	return false
}

func hasUnopened(channels []Channel) bool {
	for _, c := range channels {
		if !c.Release && c.OpenedBy < 1 && c.NotApplicable == "" {
			return true
		}
	}
	return false
}

// hasUnkilled looks for a control of which its mutants do not show what it is
// good for, or that it is good for nothing here. One without mutants is such.
func hasUnkilled(controls []Control) bool {
	for _, c := range controls {
		switch c.Standing {
		case LoadBearing, Redundant, Inert, Inapplicable:
		default:
			return true
		}
	}
	return false
}
