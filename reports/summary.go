package reports

import (
	"cmp"
	"slices"
)

// Summary is the campaign in numbers. The keys and their order are part of the
// format and never change; new ones go to the end.
type Summary struct {
	Accepted     bool         `json:"accepted"` // the gate: see Gate
	Controls     int          `json:"controls"`
	Channels     int          `json:"channels"`
	Mutants      MutantCounts `json:"mutants"`
	Protected    TrialCounts  `json:"protected"`
	FailureModes ModeCounts   `json:"failure_modes"`

	ControlsKilled int `json:"controls_killed"` // controls with a killed mutant
	ChannelsOpened int `json:"channels_opened"` // channels, releases apart, that a killed mutant opened
	Planned        int `json:"planned"`
	Selected       int `json:"selected"`

	Supervision FaultCounts `json:"supervision"`

	ChannelsNotApplicable int            `json:"channels_not_applicable"` // channels, releases apart, for which this machine could run no mutant
	Standings             StandingCounts `json:"standings"`
	Residuals             int            `json:"residuals"`
	Rules                 RuleCounts     `json:"rules"`
}

// StandingCounts counts controls by standing; they add up to Controls.
type StandingCounts struct {
	LoadBearing   int `json:"load_bearing"`
	Redundant     int `json:"redundant"`
	Inert         int `json:"inert"`
	NotApplicable int `json:"not_applicable"`
	Unproved      int `json:"unproved"`
}

// MutantCounts counts mutants by status; the statuses add up to Generated.
type MutantCounts struct {
	Generated     int `json:"generated"`
	Killed        int `json:"killed"`
	KilledByOther int `json:"killed_by_other"`
	Survived      int `json:"survived"`
	Equivalent    int `json:"equivalent"`
	Stillborn     int `json:"stillborn"`
	Timeout       int `json:"timeout"`
	Error         int `json:"error"`
	NotApplicable int `json:"not_applicable"`
	Inconclusive  int `json:"inconclusive"`
}

// TrialCounts counts protected trials by verdict.
type TrialCounts struct {
	Trials       int `json:"trials"`
	Contained    int `json:"contained"`
	Leaked       int `json:"leaked"`
	Inconclusive int `json:"inconclusive"`
}

// ModeCounts counts trials of failure modes.
type ModeCounts struct {
	Trials    int `json:"trials"`
	Contained int `json:"contained"`
}

// FaultCounts sums up the faults.
type FaultCounts struct {
	Faults  int `json:"faults"`
	Runs    int `json:"runs"`
	Stopped int `json:"stopped"`
}

// Complete returns e with everything that follows from its trials filled in:
// what opened each channel, what the mutants of each control show, what became
// of each fault, the kill matrix, and the summary. What e held there before is
// ignored.
func Complete(e Evidence) Evidence {
	e.Channels = tallyChannels(e.Channels, e.Trials)
	e.Controls = tallyControls(e.Controls, e.Trials, e.Rules.Mutants)
	e.Faults = tallyFaults(e.Channels, e.Trials)
	e.Matrix = tallyMatrix(e.Trials)
	e.Residuals = ordered(e.Residuals)
	e.Rules = e.Rules.complete()
	e.Summary = Summarise(e.Trials, e.Channels, e.Controls, e.Run, e.Rules)
	e.Summary.Residuals = len(e.Residuals)
	return e
}

// Summarise counts. Channels and controls are already tallied.
func Summarise(trials []Trial, channels []Channel, controls []Control, run Run, rules Rules) Summary {
	s := Summary{Rules: rules.count(run.Rules), Channels: len(channels), Controls: len(controls), Planned: run.Planned, Selected: run.Selected}
	for _, t := range trials {
		switch t.Kind {
		case Mutant:
			s.Mutants.add(t.Status)
		case Protected:
			s.Protected.add(t.Verdict)
		case FailureMode:
			s.FailureModes.Trials++
			if t.Verdict == Contained {
				s.FailureModes.Contained++
			}
		}
	}
	for _, c := range channels {
		switch {
		case c.Release:
		case c.OpenedBy > 0:
			s.ChannelsOpened++
		case c.NotApplicable != "":
			s.ChannelsNotApplicable++
		}
	}
	for _, c := range controls {
		if c.Killed > 0 {
			s.ControlsKilled++
		}
		s.Standings.add(c.Standing)
	}
	for _, f := range tallyFaults(channels, trials) {
		s.Supervision.Faults++
		s.Supervision.Runs += f.Runs
		s.Supervision.Stopped += f.Stopped
	}
	s.Accepted = len(Gate(s, channels, controls, trials...)) == 0
	return s
}

func (m *MutantCounts) add(s Status) {
	m.Generated++
	switch s {
	case Killed:
		m.Killed++
	case KilledByOther:
		m.KilledByOther++
	case Survived:
		m.Survived++
	case Equivalent:
		m.Equivalent++
	case Stillborn:
		m.Stillborn++
	case TimedOut:
		m.Timeout++
	case Failed:
		m.Error++
	case NotApplicable:
		m.NotApplicable++
	default:
		m.Inconclusive++
	}
}

func (c *StandingCounts) add(s Standing) {
	switch s {
	case LoadBearing:
		c.LoadBearing++
	case Redundant:
		c.Redundant++
	case Inert:
		c.Inert++
	case Inapplicable:
		c.NotApplicable++
	default:
		c.Unproved++
	}
}

func (c *TrialCounts) add(v Verdict) {
	c.Trials++
	switch v {
	case Contained:
		c.Contained++
	case Leaked:
		c.Leaked++
	default:
		c.Inconclusive++
	}
}

// tallyChannels counts, for each channel, the killed mutants that were to open
// it and did: an opening that nobody foretold proves no probe. A channel that
// this machine could try no such mutant for is not applicable; so is one for
// which the registry has none and says why, which the harness compares.
func tallyChannels(channels []Channel, trials []Trial) []Channel {
	opened, tried, reason := map[string]int{}, map[string]bool{}, map[string]string{}
	for _, t := range trials {
		if t.Kind != Mutant || t.Baseline {
			continue
		}
		for _, id := range distinct(t.Expected.Opens) {
			switch {
			case t.Status == Killed && slices.Contains(t.Openings, id):
				opened[id]++
			case t.Status == NotApplicable && t.Reason != "":
				reason[id] = cmp.Or(reason[id], t.Reason)
				continue
			}
			tried[id] = true
		}
	}
	tallied := slices.Clone(channels)
	for i := range tallied {
		id := tallied[i].ID
		tallied[i].OpenedBy = opened[id]
		if tried[id] {
			tallied[i].NotApplicable = ""
		} else if reason[id] != "" {
			tallied[i].NotApplicable = reason[id]
		}
	}
	return tallied
}

func distinct(ids []string) []string {
	sorted := slices.Sorted(slices.Values(ids))
	return slices.Compact(sorted)
}
