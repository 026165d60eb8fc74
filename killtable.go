package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"golang.org/x/term"

	"postern/reports"
)

// print writes the blocks one below the other: what is shown first, then what
// is not, then what stays open.
func (m matrix) print(to io.Writer) error {
	out, width := bufio.NewWriter(to), widthOf(to)
	printFamilies(out, m.Families, width)
	m.printKills(out, width)
	fmt.Fprintln(out, "\nREDUNDANT: removing it alone opens nothing, but together with some of these it does")
	for _, r := range m.Redundant {
		wrapped(out, "  "+r.Control+": ", 4, r.Partners, width)
	}
	orNone(out, len(m.Redundant))
	printReasons(out, "INERT: removing it opens nothing on this kind of machine, alone or beside others", m.Inert)
	printReasons(out, "CONTROLS NOT APPLICABLE: this machine could run none of their mutants", m.NotApplicable)
	fmt.Fprintln(out, "\n"+warn(to, "CONTROLS UNPROVED: no mutant shows what they are good for", len(m.Unproved)))
	wrapped(out, "  ", 2, m.Unproved, width)
	orNone(out, len(m.Unproved))
	fmt.Fprintln(out, "\n"+warn(to, "CHANNELS UNOPENED: no killed mutant opened them, so probe or observer may be dead", len(m.ChannelsUnopened)))
	wrapped(out, "  ", 2, m.ChannelsUnopened, width)
	orNone(out, len(m.ChannelsUnopened))
	printReasons(out, "CHANNELS NOT APPLICABLE: this machine could run no mutant that opens them", m.ChannelsLacking)
	printResiduals(out, m.Residuals)
	return out.Flush()
}

// widthOf is the terminal's width, or 100 where there is none.
func widthOf(out io.Writer) int {
	if f, ok := out.(*os.File); ok {
		if w, _, err := term.GetSize(int(f.Fd())); err == nil && w > 0 {
			return w
		}
	}
	return 100
}

func warn(out io.Writer, text string, n int) string {
	if n == 0 {
		return text
	}
	return mark(out, text, red)
}

func orNone(out io.Writer, n int) {
	if n == 0 {
		fmt.Fprintln(out, "  none")
	}
}

// printFamilies prints the compact matrix, in as many parts as the width asks
// for.
func printFamilies(out io.Writer, cells []familyKills, width int) {
	fmt.Fprintln(out, "KILLS BY GROUP OF CONTROLS AND FAMILY OF CHANNELS")
	var groups, families []string
	kills := map[[2]string]int{}
	for _, c := range cells {
		groups, families = append(groups, c.Group), append(families, c.Family)
		kills[[2]string{c.Group, c.Family}] = c.Kills
	}
	groups, families = sortedOnce(groups), sortedOnce(families)
	orNone(out, len(cells))
	first := longest(groups)
	for len(families) > 0 {
		n, used := 0, first+2
		for n < len(families) && (n == 0 || used+max(len(families[n]), 3)+2 <= width) {
			used += max(len(families[n]), 3) + 2
			n++
		}
		printPart(out, groups, families[:n], first, kills)
		families = families[n:]
	}
}

func printPart(out io.Writer, groups, families []string, first int, kills map[[2]string]int) {
	fmt.Fprintf(out, "  %-*s", first, "")
	for _, f := range families {
		fmt.Fprintf(out, "  %*s", max(len(f), 3), f)
	}
	fmt.Fprintln(out)
	for _, g := range groups {
		fmt.Fprintf(out, "  %-*s", first, g)
		for _, f := range families {
			cell := "."
			if n := kills[[2]string{g, f}]; n > 0 {
				cell = strconv.Itoa(n)
			}
			fmt.Fprintf(out, "  %*s", max(len(f), 3), cell)
		}
		fmt.Fprintln(out)
	}
}

// printKills prints the whole matrix: each control that has a kill, under its
// group, and the channels that its killed mutants opened.
func (m matrix) printKills(out io.Writer, width int) {
	fmt.Fprintln(out, "\nKILLS BY CONTROL AND CHANNEL")
	orNone(out, len(m.Kills))
	cells := map[string][]string{}
	for _, k := range m.Kills {
		cells[k.Control] = append(cells[k.Control], fmt.Sprintf("%s:%d", k.Channel, k.Kills))
	}
	controls := slices.DeleteFunc(slices.Clone(m.Controls), func(c reports.Control) bool { return len(cells[c.ID]) == 0 })
	slices.SortStableFunc(controls, func(a, b reports.Control) int {
		return strings.Compare(groupOf(a.ID, a.Group), groupOf(b.ID, b.Group))
	})
	group := ""
	for _, c := range controls {
		if g := groupOf(c.ID, c.Group); g != group {
			group = g
			fmt.Fprintln(out, "  "+g)
		}
		fmt.Fprintf(out, "    %s: %s, %d of %s killed\n", c.ID, c.Standing, c.Killed, count(c.Mutants, "mutant"))
		wrapped(out, "      ", 6, cells[c.ID], width)
	}
}

func printReasons(out io.Writer, title string, rows []reasoned) {
	fmt.Fprintln(out, "\n"+title)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, r := range rows {
		fmt.Fprintf(w, "  %s\t%s\n", r.ID, r.Reason)
	}
	w.Flush()
	orNone(out, len(rows))
}

// printResiduals prints what was measured. Bits a second are what is left when
// the errors are paid for.
func printResiduals(out io.Writer, rows []measuredResidual) {
	fmt.Fprintln(out, "\nRESIDUAL CHANNELS: what stays open with all controls in place")
	orNone(out, len(rows))
	if len(rows) == 0 {
		return
	}
	fmt.Fprintln(out, "  net: less what the wrong bits cost; then: with the mitigation in place")
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "  CHANNEL\tPROFILE\tREADER\tBITS SENT\tBITS READ\tOF THEM WRONG\tNET BITS/S\tMITIGATED BY\tNET BITS THEN\tNET BITS/S THEN")
	for _, r := range rows {
		mitigation, then, rate := "-", "-", "-"
		if r.Mitigation != "" {
			mitigation, then, rate = r.Mitigation, strconv.Itoa(r.MitigatedBits), plainNumber(r.MitigatedBitsPerSecond)
		}
		fmt.Fprintf(w, "  %s\t%s\t%s\t%d\t%d\t%d\t%s\t%s\t%s\t%s\n", r.Channel, r.Profile, r.Reader, r.BitsSent, r.BitsRecovered, r.BitErrors,
			plainNumber(r.BitsPerSecond), mitigation, then, rate)
	}
	w.Flush()
}

func plainNumber(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// wrapped prints words after a lead, over as many lines as they need, each
// indented likewise.
func wrapped(out io.Writer, lead string, indent int, words []string, width int) {
	line, fresh := lead, true
	for _, word := range words {
		if !fresh && len(line)+1+len(word) > width {
			fmt.Fprintln(out, line)
			line, fresh = strings.Repeat(" ", indent), true
		}
		if !fresh {
			line += " "
		}
		line, fresh = line+word, false
	}
	if !fresh {
		fmt.Fprintln(out, line)
	}
}

func sortedOnce(words []string) []string {
	return slices.Compact(slices.Sorted(slices.Values(words)))
}

func longest(words []string) int {
	n := 0
	for _, w := range words {
		n = max(n, len(w))
	}
	return n
}
