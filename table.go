package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"golang.org/x/term"

	"postern/harness"
	"postern/harness/oracle"
	"postern/reports"
)

// printTable prints one row a trial, what the campaign came to, and what is wrong
// with those that did not come out as required.
func printTable(to io.Writer, e reports.Evidence, dir string) error {
	out := bufio.NewWriter(to)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "TRIAL\tRESULT\tMS\tOPENED")
	for _, t := range e.Trials {
		fmt.Fprintf(w, "%s\t%s\t%d\t%s\n", t.ID, result(t), t.DurationMS, opened(t))
	}
	w.Flush()
	for _, r := range e.Rules.Mutants {
		if !r.AsForetold() {
			fmt.Fprintf(out, "rules/%s: %s, not %s\n", r.Mutant, r.Status, r.Foretold)
		}
	}
	printFaults(out, e.Faults)
	fmt.Fprintln(out)
	printSums(out, e)
	printGate(out, e, widthOf(to))
	printAgain(out, e)
	fmt.Fprintln(out, conclusion(to, e))
	if dir != "" {
		fmt.Fprintln(out, whereabouts(e, dir))
	}
	return out.Flush()
}

// printGate says why a whole campaign is not accepted, and which controls and
// channels no trial speaks of: those have no row above.
func printGate(out io.Writer, e reports.Evidence, width int) {
	if e.Run.Selected < e.Run.Planned {
		return
	}
	for _, r := range reports.Gate(e.Summary, e.Channels, e.Controls, e.Trials...) {
		fmt.Fprintln(out, "not accepted: "+string(r))
	}
	m := matrixOf(e)
	if len(m.Unproved) > 0 {
		wrapped(out, "controls unproved: ", 2, m.Unproved, width)
	}
	if len(m.ChannelsUnopened) > 0 {
		wrapped(out, "channels unopened: ", 2, m.ChannelsUnopened, width)
	}
}

// printAgain prints, for each trial that did not come out as required, in what
// it differs, and the one line to copy that shows it again.
func printAgain(out io.Writer, e reports.Evidence) {
	if slices.ContainsFunc(e.Rules.Mutants, func(r reports.Rule) bool { return !r.AsForetold() }) {
		fmt.Fprintf(out, "see it again: %s run --only rules --seed %d\n", program(), e.Run.Seed)
	}
	for _, t := range e.Trials {
		if !harness.Required(t) && (t.Status != reports.NotApplicable || t.Reason == "") {
			for _, says := range harness.Explain(t) {
				fmt.Fprintf(out, "%s: %s\n", t.ID, says)
			}
			fmt.Fprintln(out, "see it again: "+again(t.ID, e.Run))
		}
	}
}

// printSums prints the counts of what ran.
func printSums(out io.Writer, e reports.Evidence) {
	s := e.Summary
	for _, line := range []struct {
		trials int
		text   string
	}{
		{s.Protected.Trials, fmt.Sprintf("protected: %d of %d contained", s.Protected.Contained, s.Protected.Trials)},
		{s.Mutants.Generated, fmt.Sprintf("mutants: %d of %d killed, %d equivalent, %d not applicable", s.Mutants.Killed, s.Mutants.Generated, s.Mutants.Equivalent, s.Mutants.NotApplicable)},
		{s.Rules.Mutants.Generated, rulesLine(e)},
		{s.FailureModes.Trials, fmt.Sprintf("failure modes: %d of %d contained", s.FailureModes.Contained, s.FailureModes.Trials)},
		{s.Supervision.Runs, fmt.Sprintf("supervision: the %s stopped in %d of %d runs of %s", sandboxOf(e), s.Supervision.Stopped, s.Supervision.Runs, count(s.Supervision.Faults, "fault"))},
		{s.Mutants.Generated, fmt.Sprintf("channels that a killed mutant opened: %d of the %d that must stay shut, %d not applicable", s.ChannelsOpened, guarded(e), s.ChannelsNotApplicable)},
		{s.Mutants.Generated, fmt.Sprintf("controls: %d load-bearing, %d redundant, %d inert, %d not applicable, %d unproved, of %d",
			s.Standings.LoadBearing, s.Standings.Redundant, s.Standings.Inert, s.Standings.NotApplicable, s.Standings.Unproved, s.Controls)},
	} {
		if line.trials > 0 {
			fmt.Fprintln(out, line.text)
		}
	}
}

// rulesLine counts the mutants of what decides in the gateway.
func rulesLine(e reports.Evidence) string {
	m := e.Summary.Rules.Mutants
	return fmt.Sprintf("mutants of rules: %d of %d killed, %d equivalent, %d changing only who decides, %d not opening, %d not applicable, %d survived; %d sessions, %d of them each in a %s",
		m.Killed, m.Generated, m.Equivalent, m.KilledByOther, m.Stillborn, m.NotApplicable, m.Survived, e.Rules.Sessions, e.Rules.Containers, sandboxOf(e))
}

// sandboxOf is what confined the agents of a run.
func sandboxOf(e reports.Evidence) string {
	if e.Environment.Runtime == harness.BackendBubblewrap {
		return "bubblewrap sandbox"
	}
	return "container"
}

func conclusion(out io.Writer, e reports.Evidence) string {
	switch {
	case e.Summary.Accepted:
		return mark(out, "all as required", green)
	case harness.AsRequired(e):
		return mark(out, "all that ran is as required", green) + "; " + count(e.Summary.Planned-e.Summary.Selected, "trial") + " of the campaign left out"
	default:
		return mark(out, "NOT as required", red) + ": see above"
	}
}

// whereabouts says where the bundle is, and does not promise what verify will
// not keep.
func whereabouts(e reports.Evidence, dir string) string {
	if e.Summary.Planned > e.Summary.Selected {
		return "partial bundle, which verify does not accept: " + dir
	}
	return "evidence: " + dir + " (check it: " + program() + " verify " + dir + ")"
}

// printFaults prints how long a container outlived each fault, in milliseconds.
func printFaults(out io.Writer, faults []reports.Fault) {
	if len(faults) == 0 {
		return
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "\nFAULT\tRUNS\tSTOPPED\tMIN MS\tP50\tP99\tMAX")
	for _, f := range faults {
		fmt.Fprintf(w, "%s\t%d\t%d\t%.1f\t%.1f\t%.1f\t%.1f\n", f.ID, f.Runs, f.Stopped,
			float64(f.MinUS)/1000, float64(f.P50US)/1000, float64(f.P99US)/1000, float64(f.MaxUS)/1000)
	}
	w.Flush()
}

// result is the one word for a trial's row, with the reasons behind a bad one.
func result(t reports.Trial) string {
	word := string(t.Verdict)
	if t.Kind == reports.Mutant {
		word = string(t.Status)
	}
	if t.Status == reports.NotApplicable && t.Reason != "" {
		return word + " (" + t.Reason + ")"
	}
	if word != string(reports.Contained) && !harness.Required(t) && len(t.Reasons) > 0 {
		word += " (" + named(t) + ")"
	}
	return word
}

// named are the reasons, and which other outcome it was.
func named(t reports.Trial) string {
	other := string(oracle.OtherOutcome)
	return strings.Replace(strings.Join(t.Reasons, ", "), other, other+": "+t.Outcome, 1)
}

func opened(t reports.Trial) string {
	if len(t.Openings) == 0 {
		return "-"
	}
	return strings.Join(t.Openings, " ")
}

func guarded(e reports.Evidence) int {
	n := 0
	for _, c := range e.Channels {
		if !c.Release {
			n++
		}
	}
	return n
}

// The colours of a verdict, as SGR parameters (ECMA-48).
const (
	red   = "31"
	green = "32"
)

// mark colours text on a terminal that wants it.
func mark(out io.Writer, text, colour string) string {
	f, ok := out.(*os.File)
	if !ok || plain() || !term.IsTerminal(int(f.Fd())) {
		return text
	}
	return "\x1b[" + colour + "m" + text + "\x1b[0m"
}
