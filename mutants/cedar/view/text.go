package view

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"postern/mutants/cedar/level1"
)

// statuses is the order in which they are told.
var statuses = []level1.Status{
	level1.Killed, level1.KilledByOther, level1.Survived, level1.Equivalent, level1.Stillborn, level1.Inconclusive, level1.NotApplicable,
}

// Text prints a report. Warn marks what is not as required.
func (r *Report) Text(to io.Writer, warn func(string) string) error {
	out := bufio.NewWriter(to)
	r.table(out)
	r.survivors(out, warn)
	r.parts(out, warn)
	for _, d := range r.Deciders {
		fmt.Fprintf(out, "\n%s: %s: %s%s\n", d.ID, d.Why, d.Status, partner(d.Partner))
	}
	if len(r.Schema) > 0 {
		counts := map[level1.Status]int{}
		for _, d := range r.Schema {
			counts[d.Status]++
		}
		fmt.Fprintf(out, "\n%d mutants of the schema: %s\n", len(r.Schema), told(counts))
	}
	r.store(out)
	if len(r.Left) > 0 {
		var kinds []string
		for _, l := range r.Left {
			kinds = append(kinds, fmt.Sprintf("%s (%d)", l.Kind, l.Sites))
		}
		fmt.Fprintf(out, "\nNot mutated: %s\n", strings.Join(kinds, ", "))
	}
	for _, id := range r.Stale {
		fmt.Fprintf(out, "\n%s: no mutant has this id and this digest: %s\n", warn("stale acceptance"), id)
	}
	for _, id := range r.Unneeded {
		fmt.Fprintf(out, "\nacceptance that is not needed: %s\n", id)
	}
	r.summary(out, warn)
	return out.Flush()
}

func partner(id string) string {
	if id == "" {
		return ""
	}
	return ", but not together with " + id
}

func (r *Report) table(out io.Writer) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "POLICY\tWHERE\tKILLED\tBY OTHER\tSURVIVED\tEQUIVALENT\tSTILLBORN\tINCONCLUSIVE")
	for _, p := range r.Policies {
		fmt.Fprintf(w, "%s\t%s:%d", plain(p.ID), plain(p.File), p.Line)
		for _, s := range statuses[:6] {
			fmt.Fprintf(w, "\t%d", p.Counts[s])
		}
		fmt.Fprintln(w)
	}
	w.Flush()
}

func (r *Report) survivors(out io.Writer, warn func(string) string) {
	for _, m := range r.Mutants {
		if m.Status != level1.Survived {
			continue
		}
		word := warn("survived")
		if m.Accepted {
			word = "accepted"
		}
		fmt.Fprintf(out, "\n%s  %s\n  no request of yours notices that the policy %s\n", word, plain(m.ID), m.Why)
		change(out, &m)
		m.Witness.print(out)
	}
}

// print says which request would notice.
func (w *WitnessRow) print(out io.Writer) {
	if w == nil {
		return
	}
	about := "this request would"
	if !w.Valid {
		about += ", which the schema refuses"
	}
	if w.Nearest > 0 {
		about += fmt.Sprintf("; it differs in %d values from your request %d", w.Distance, w.Nearest)
	}
	fmt.Fprintf(out, "  %s:\n    %s\n", about, w.Request)
}

// change prints the changed lines of a policy.
func change(out io.Writer, m *Row) {
	for _, line := range Changed(m.Before, m.After) {
		fmt.Fprintf(out, "    %s\n", line)
	}
	fmt.Fprintf(out, "  digest %s\n", m.Digest)
}

// parts tells in plain words what nothing depends on.
func (r *Report) parts(out io.Writer, warn func(string) string) {
	for _, d := range r.Dead {
		m := r.find(d.Mutant)
		switch {
		case d.Partner != "":
			fmt.Fprintf(out, "\nredundant  %s\n  no decision changes when the policy %s, unless together with %s\n", plain(d.Mutant), m.Why, plain(d.Partner))
		case d.Implied != nil:
			fmt.Fprintf(out, "\nimplied by the schema  %s\n  whatever the schema accepts is decided alike when the policy %s, for the schema says the same (requests compared: %d)\n", plain(d.Mutant), m.Why, d.Implied.Requests)
		case d.Accepted:
			fmt.Fprintf(out, "\naccepted  %s\n  no decision changes when the policy %s\n", plain(d.Mutant), m.Why)
		default:
			fmt.Fprintf(out, "\n%s  %s\n  nothing depends on this: no decision changes when the policy %s, alone or with another part gone\n", warn("dead"), plain(d.Mutant), m.Why)
		}
		change(out, m)
	}
}

// store tells of the user's entities.
func (r *Report) store(out io.Writer) {
	if len(r.Store)+r.Unasked == 0 {
		return
	}
	counts := map[level1.Status]int{}
	for _, m := range r.Store {
		counts[m.Status]++
		if m.Status == level1.Survived {
			fmt.Fprintf(out, "\nsurvived  %s\n  no request of yours notices that %s\n", plain(m.ID), m.Why)
			m.Witness.print(out)
		}
	}
	fmt.Fprintf(out, "\n%d mutants of your entities: %s; %d entities that no policy looks up\n", len(r.Store), told(counts), r.Unasked)
}

func told(of map[level1.Status]int) string {
	var out []string
	for _, s := range statuses {
		if n := of[s]; n > 0 {
			out = append(out, fmt.Sprintf("%d %s", n, s))
		}
	}
	if len(out) == 0 {
		return "none"
	}
	return strings.Join(out, ", ")
}

func (r *Report) summary(out io.Writer, warn func(string) string) {
	whole := "all combinations"
	if !r.Complete {
		whole = "a choice of the combinations"
	}
	fmt.Fprintf(out, "\n%d mutants over %d requests (%d that the schema accepts, %s) and %d of your own: %s; score %.1f\n",
		len(r.Mutants), r.Requests, r.Valid, whole, r.Cases, told(r.Counts), r.Score)
	if len(r.Failures) > 0 {
		fmt.Fprintf(out, "%s: %s\n", warn("not as required"), strings.Join(r.Failures, "; "))
	}
}

// plain keeps control characters of names from a terminal.
func plain(s string) string {
	if strings.ContainsFunc(s, func(c rune) bool { return c < ' ' || c == 0x7f || c == 0xfffd || c >= 0x80 && c < 0xa0 }) {
		return fmt.Sprintf("%q", s)
	}
	return s
}
