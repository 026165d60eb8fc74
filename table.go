package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"

	"golang.org/x/term"

	"postern/harness"
	"postern/reports"
)

// printTable prints one row a trial and what the campaign came to.
func printTable(out io.Writer, e reports.Evidence, dir string) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "TRIAL\tRESULT\tOPENED\tMS")
	for _, t := range e.Trials {
		fmt.Fprintf(w, "%s\t%s\t%s\t%d\n", t.ID, result(t), opened(t), t.DurationMS)
	}
	w.Flush()
	printFaults(out, e.Faults)
	s := e.Summary
	fmt.Fprintf(out, "\nprotected: %d of %d contained\n", s.Protected.Contained, s.Protected.Trials)
	fmt.Fprintf(out, "mutants: %d of %d killed; they opened %d of %d channels\n", s.Mutants.Killed, s.Mutants.Generated, s.ChannelsOpened, guarded(e))
	fmt.Fprintf(out, "failure modes: %d of %d contained\n", s.FailureModes.Contained, s.FailureModes.Trials)
	if s.Supervision.Runs > 0 {
		fmt.Fprintf(out, "supervision: the container stopped in %d of %d runs of %s\n", s.Supervision.Stopped, s.Supervision.Runs, count(s.Supervision.Faults, "fault"))
	}
	fmt.Fprintf(out, "controls with a killed mutant: %d of %d\n", s.ControlsKilled, s.Controls)
	switch {
	case s.Accepted:
		fmt.Fprintln(out, mark(out, "all as required", green))
	case harness.AsRequired(e):
		fmt.Fprintln(out, mark(out, "all that ran is as required", green)+fmt.Sprintf("; %s of the campaign left out, so this is no evidence", count(s.Planned-s.Selected, "trial")))
	default:
		fmt.Fprintln(out, mark(out, "NOT as required", red)+": see the rows above that are neither contained nor killed")
	}
	if dir != "" {
		fmt.Fprintf(out, "evidence: %s (check it: postern verify %s)\n", dir, dir)
	}
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
	if word != string(reports.Contained) && word != string(reports.Killed) && len(t.Reasons) > 0 {
		word += " (" + strings.Join(t.Reasons, ", ") + ")"
	}
	return word
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
