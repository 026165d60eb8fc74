package reports

import (
	"encoding/xml"
	"fmt"
	"strings"
)

type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Skipped  int          `xml:"skipped,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Time     string      `xml:"time,attr"` // seconds
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Class   string     `xml:"classname,attr"`
	Name    string     `xml:"name,attr"`
	Time    string     `xml:"time,attr"`
	Failure *junitNote `xml:"failure"`
	Skipped *junitNote `xml:"skipped"`
}

type junitNote struct {
	Message string `xml:"message,attr"`
}

// junit writes the view of the evidence for CI: one suite for each kind of
// trial, one for the mutants of what decides, and one for the gate, so that a campaign that proves too little is red
// there too. It holds ids, closed words and counts.
func junit(e Evidence) ([]byte, error) {
	all := junitSuites{Name: "postern"}
	for _, kind := range []Kind{Protected, Mutant, FailureMode, Supervision} {
		suite := junitSuite{Name: string(kind)}
		var total int64
		for _, t := range e.Trials {
			if t.Kind == kind {
				suite.Cases = append(suite.Cases, trialCase(t))
				total += t.DurationMS
			}
		}
		suite.Time = seconds(total)
		all.Suites = append(all.Suites, suite.counted())
	}
	all.Suites = append(all.Suites, rulesSuite(e.Rules).counted(), gateSuite(e).counted())
	for _, s := range all.Suites {
		all.Tests += s.Tests
		all.Failures += s.Failures
		all.Skipped += s.Skipped
	}
	text, err := xml.MarshalIndent(all, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("writing the JUnit view: %w", err)
	}
	return append([]byte(xml.Header), append(text, '\n')...), nil
}

// rulesSuite has a case for each mutant of what decides. One that is equivalent,
// or does not open, is skipped for that; one that is not as foretold fails.
func rulesSuite(r Rules) junitSuite {
	suite := junitSuite{Name: "rules", Time: seconds(0)}
	for _, m := range r.Mutants {
		c := junitCase{Class: "rules." + m.Layer, Name: m.Mutant, Time: seconds(0)}
		note := &junitNote{Message: string(m.Status)}
		switch {
		case !m.AsForetold():
			c.Failure = note
		case m.Status != Killed:
			c.Skipped = note
		}
		suite.Cases = append(suite.Cases, c)
	}
	return suite
}

func gateSuite(e Evidence) junitSuite {
	c := junitCase{Class: "gate", Name: "accepted", Time: seconds(0)}
	if reasons := Gate(e.Summary, e.Channels, e.Controls, e.Trials...); len(reasons) > 0 {
		words := make([]string, len(reasons))
		for i, r := range reasons {
			words[i] = string(r)
		}
		c.Failure = &junitNote{Message: strings.Join(words, " ")}
	}
	return junitSuite{Name: "gate", Time: seconds(0), Cases: []junitCase{c}}
}

func (s junitSuite) counted() junitSuite {
	s.Tests = len(s.Cases)
	for _, c := range s.Cases {
		if c.Failure != nil {
			s.Failures++
		}
		if c.Skipped != nil {
			s.Skipped++
		}
	}
	return s
}

func trialCase(t Trial) junitCase {
	c := junitCase{Class: string(t.Kind), Name: t.ID, Time: seconds(t.DurationMS)}
	word, passed := string(t.Verdict), t.Verdict == Contained
	if t.Kind == Supervision && passed && !t.stopped() {
		word, passed = "not-stopped", false // the gate refuses it, too
	}
	if t.Kind == Mutant {
		c.Class += "." + t.Control
		word, passed = string(t.Status), t.Status == Killed
	}
	why := append([]string{word}, t.Reasons...)
	if t.Reason != "" {
		why = append(why, t.Reason)
	}
	note := &junitNote{Message: strings.Join(why, " ")}
	switch {
	case passed:
	case t.Kind == Mutant && (t.Status == Equivalent || t.Status == NotApplicable):
		c.Skipped = note
	default:
		c.Failure = note
	}
	return c
}

func seconds(ms int64) string { return fmt.Sprintf("%d.%03d", ms/1000, ms%1000) }
