package reports

import "slices"

// Rules is what became of the mutants of what decides in the gateway: each is
// compared in memory, and driven through the gateway to the sink of a tool.
type Rules struct {
	Policies   Proof  `json:"policies"`   // of those of the policies that are equivalent
	Labels     Proof  `json:"labels"`     // of those of labels and ceilings that are
	Wiring     Proof  `json:"wiring"`     // of those of aliases and catalogue that are
	Sessions   int    `json:"sessions"`   // gateways opened
	Servers    int    `json:"servers"`    // tool servers started for them, those of containers apart
	Containers int    `json:"containers"` // sessions led in a container of their own
	Mutants    []Rule `json:"mutants"`
}

// Proof is what is needed to compare in memory again: over which domain, and what
// the original comes to. So does every mutant that is equivalent.
type Proof struct {
	Generator int    `json:"generator"` // version of what derives the domain
	Size      int    `json:"size"`      // of the domain
	Domain    string `json:"domain"`    // SHA-256; "none" where nothing was compared
	Outcomes  string `json:"outcomes"`  // SHA-256; "none" likewise
}

// Rule is one mutant: its plan, and what was heard.
type Rule struct {
	PlannedRule
	Status Status  `json:"status"`
	Drives []Drive `json:"drives"` // one for each witness
}

// PlannedRule is what is known of a mutant before it is driven.
type PlannedRule struct {
	Mutant    string    `json:"mutant"`
	Layer     string    `json:"layer"` // the part of the gateway that it changes
	Operator  string    `json:"operator"`
	Control   string    `json:"control"`
	Foretold  Status    `json:"foretold"`
	Reason    string    `json:"reason"`  // why it is not applicable; "" otherwise
	Partner   string    `json:"partner"` // of one that is masked: the mutant with which a decision changes that neither changes alone
	Witnesses []Witness `json:"witnesses"`
}

// Witness is one call that shows a mutant.
type Witness struct {
	Direction string `json:"direction"` // "widens" or "narrows"
	Place     string `json:"place"`     // where it arrives
	Stop      string `json:"stop"`      // how it ends where it is stopped
	Opened    bool   `json:"opened"`    // another check stops it too, and is opened on both sides
	Contained bool   `json:"contained"` // its agent is in a container
}

// Drive is a witness's two sessions: that of the original and that of the mutant.
type Drive struct {
	Status   Status  `json:"status"`
	Original Session `json:"original"`
	Mutant   Session `json:"mutant"`
}

// Session is what was heard of one session.
type Session struct {
	Sound     bool    `json:"sound"` // the observer heard its pilots and lost nothing
	Calls     int     `json:"calls"` // that the tool recorded
	Sightings int     `json:"sightings"`
	Sent      int     `json:"sent"` // sightings in what the agent was sent
	Code      string  `json:"code"` // the reply; "" where the tool's answer came
	Told      int     `json:"told"` // calls of which a span was taken by a collector, and a line written
	Exhaust   Exhaust `json:"exhaust"`
}

// Exhaust is what the gateway itself wrote in the course of a session, counts of
// what should not be there.
type Exhaust struct {
	Audit   int `json:"audit"`   // sightings of the canary in the files of the audit log
	Guesses int `json:"guesses"` // calls there that a dictionary opens
	Spans   int `json:"spans"`   // sightings in what a collector of spans was sent
	Log     int `json:"log"`     // sightings in the gateway's log
	Rows    int `json:"rows"`    // rows there that are missing, unlinked or alike, and sessions without a last one
}

// RuleCounts counts the mutants of what decides.
type RuleCounts struct {
	Planned int          `json:"planned"`
	Mutants MutantCounts `json:"mutants"`
}

// AsForetold reports whether a mutant came out as it must.
func (r Rule) AsForetold() bool {
	switch r.Foretold {
	case Killed, KilledByOther, Equivalent, Stillborn, NotApplicable:
		return r.Status == r.Foretold
	}
	return false
}

// none stands where there is no digest.
const none = "none"

func (r Rules) complete() Rules {
	for _, p := range []*Proof{&r.Policies, &r.Labels, &r.Wiring} {
		if p.Domain == "" {
			p.Domain = none
		}
		if p.Outcomes == "" {
			p.Outcomes = none
		}
	}
	return r
}

func (r Rules) count(planned int) RuleCounts {
	c := RuleCounts{Planned: planned}
	for _, m := range r.Mutants {
		c.Mutants.add(m.Status)
	}
	return c
}

// rule adds to a control what the mutants of its rules show.
func (c Control) ruled(rules []Rule) Control {
	for _, r := range rules {
		if r.Control != c.ID {
			continue
		}
		c.Mutants++
		if r.Status == Killed {
			c.Killed++
			c.Standing, c.Reason = LoadBearing, ""
		}
	}
	return c
}

// unplannedRules compares the rules' mutants with the plan: all of them, as
// planned, or none.
func unplannedRules(e Evidence, m Manifest) []Problem {
	var problems []Problem
	if n := len(e.Rules.Mutants); n != 0 && n != len(m.Rules) {
		problems = append(problems, Problem{UnrunTrial, evidenceFile, pointer("rules", "mutants")})
	}
	for i, r := range e.Rules.Mutants {
		at := pointer("rules", "mutants", i)
		switch {
		case i >= len(m.Rules) || r.Mutant != m.Rules[i].Mutant:
			problems = append(problems, Problem{UnplannedTrial, evidenceFile, at})
		case !r.PlannedRule.equal(m.Rules[i]) || len(r.Drives) != len(r.Witnesses):
			problems = append(problems, Problem{PlanMismatch, evidenceFile, at})
		}
	}
	return problems
}

func (p PlannedRule) equal(q PlannedRule) bool {
	same := slices.Equal(p.Witnesses, q.Witnesses)
	p.Witnesses, q.Witnesses = nil, nil
	return same && p.Mutant == q.Mutant && p.Layer == q.Layer && p.Operator == q.Operator && p.Control == q.Control &&
		p.Foretold == q.Foretold && p.Reason == q.Reason && p.Partner == q.Partner
}
