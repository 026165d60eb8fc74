package main

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"postern/harness"
	"postern/reports"
)

// printTrial says in words what a trial was about, what was seen, and what
// that means. The agent's sandbox is called by its name.
func printTrial(to io.Writer, t reports.Trial, sandbox, why string, verbose bool) error {
	out := bufio.NewWriter(to)
	fmt.Fprintf(out, "%s: %s\n", t.ID, why)
	for _, row := range trialRows(t, sandbox) {
		lead := fmt.Sprintf("  %-21s", row[0])
		wrapped(out, lead, len(lead), strings.Fields(row[1]), widthOf(to))
	}
	if verbose {
		printHearings(out, t)
		printObservations(out, t)
		printAttempts(out, t)
	}
	for _, says := range harness.Explain(t) {
		fmt.Fprintln(out, says)
	}
	fmt.Fprintln(out, sentence(to, t))
	return out.Flush()
}

func trialRows(t reports.Trial, sandbox string) [][2]string {
	rows := [][2]string{
		{"weakens", strings.Join(append([]string{t.Control}, t.With...), " ")},
		{"must open", foretold(t)},
		{"opened", nothing(t.Openings)},
		{"must be refused for", strings.Join(t.Expected.Refused, " ")},
		{"was refused for", refusals(t)},
		{"ended as", ended(t, sandbox)},
		{"heard their pilots", nothing(heard(t, true))},
		{"were deaf", strings.Join(heard(t, false), " ")},
	}
	for _, by := range attemptsByErrno(t) {
		rows = append(rows, by)
	}
	return append(rows, [2]string{"calls", fmt.Sprintf("%d allowed, %d denied", t.Allowed, t.Denied)},
		[2]string{"took", fmt.Sprintf("%d ms", t.DurationMS)})
}

func nothing(words []string) string {
	if len(words) == 0 {
		return "nothing"
	}
	return strings.Join(words, " ")
}

// foretold says what the plan demands, and why a removal may open nothing.
func foretold(t reports.Trial) string {
	text := nothing(t.Expected.Opens)
	if t.Baseline {
		text += ", which is what " + strings.Join(t.With, " ") + " opens alone"
	}
	if t.Reason != "" {
		text += " (" + t.Reason + ")"
	}
	return text
}

// refusals lists each control with the stages at which it was found weak.
func refusals(t reports.Trial) string {
	if len(t.Refused) == 0 && len(t.Expected.Refused) == 0 {
		return ""
	}
	var controls []string
	stages := map[string][]string{}
	for _, r := range t.Refused {
		controls = append(controls, r.Control)
		stages[r.Control] = append(stages[r.Control], string(r.Stage))
	}
	var texts []string
	for _, c := range sortedOnce(controls) {
		texts = append(texts, c+" ("+strings.Join(stages[c], ", ")+")")
	}
	return nothing(texts)
}

func ended(t reports.Trial, sandbox string) string {
	text := t.Outcome
	if text != t.Expected.Outcome {
		text += ", and must end as " + t.Expected.Outcome
	}
	text += "; the " + sandbox + ": " + string(t.Container)
	if t.StoppedUS > 0 {
		text += fmt.Sprintf(", %.1f ms after the fault", float64(t.StoppedUS)/1000)
	}
	return text
}

// heard lists the sinks whose observers heard all their pilots and dropped
// nothing, or those that did not.
func heard(t reports.Trial, sound bool) []string {
	deaf := harness.Deaf(t)
	return slices.DeleteFunc(slices.Clone(t.Expected.Sinks), func(s string) bool { return slices.Contains(deaf, s) == sound })
}

// attemptsByErrno groups what the agent says of its probes: its own word, from
// which nothing follows but that it tried.
func attemptsByErrno(t reports.Trial) [][2]string {
	by := map[int][]string{}
	var numbers []int
	for _, a := range t.Attempts {
		numbers = append(numbers, a.Errno)
		by[a.Errno] = append(by[a.Errno], a.Channel)
	}
	slices.Sort(numbers)
	var rows [][2]string
	for _, n := range slices.Compact(numbers) {
		rows = append(rows, [2]string{"attempts, errno " + strconv.Itoa(n), strings.Join(by[n], " ")})
	}
	return rows
}

func printHearings(out io.Writer, t reports.Trial) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "\n  OBSERVER\tPILOTS SENT\tHEARD\tUNITS\tBYTES\tDROPS")
	for _, h := range t.Hearings {
		fmt.Fprintf(w, "  %s\t%d\t%d\t%d\t%d\t%d\n", h.Sink, h.PilotsSent, h.PilotsHeard, h.Units, h.Bytes, h.Drops)
	}
	w.Flush()
}

func printObservations(out io.Writer, t reports.Trial) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "\n  CANARY OF\tSEEN AT\tTIMES")
	for _, o := range t.Observations {
		fmt.Fprintf(w, "  %s\t%s\t%d\n", o.Channel, o.Sink, o.Sightings)
	}
	w.Flush()
}

func printAttempts(out io.Writer, t reports.Trial) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "\n  ATTEMPT\tERRNO\tNAME")
	for _, a := range t.Attempts {
		fmt.Fprintf(w, "  %s\t%d\t%s\n", a.Channel, a.Errno, errnoName(a.Errno))
	}
	w.Flush()
	fmt.Fprintln(out)
}

// sentence is the judgement in one line.
func sentence(to io.Writer, t reports.Trial) string {
	word := result(t)
	switch {
	case t.Outcome == string(reports.NotApplicable):
		return "not applicable: " + t.Reason
	case harness.Required(t):
		return mark(to, "as required", green) + ": " + word
	}
	return mark(to, "NOT as required", red) + ": " + word
}
