package main

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"postern/reports"
)

// largeMatrix has as many groups, families and channels as a campaign may.
func largeMatrix() matrix {
	e := reports.Evidence{}
	for c := range 100 {
		e.Channels = append(e.Channels, reports.Channel{ID: fmt.Sprintf("fam%d.channel%d", c%17, c), Family: fmt.Sprintf("family-%d", c%17)})
	}
	for c := range 60 {
		id := fmt.Sprintf("profile.control-%d", c)
		e.Controls = append(e.Controls, reports.Control{ID: id, Group: fmt.Sprintf("group-%d", c%9)})
		for n := range 40 {
			at := e.Channels[(c+n)%100].ID
			e.Trials = append(e.Trials, reports.Trial{Kind: reports.Mutant, Control: id, Status: reports.Killed, Openings: []string{at}, Expected: reports.Expected{Opens: []string{at}}})
		}
	}
	return matrixOf(reports.Complete(e))
}

// Whatever the width, no line of the matrix is longer, and no cell is lost.
func TestTheMatrixKeepsToTheWidth(t *testing.T) {
	m := largeMatrix()
	for _, width := range []int{80, 100, 240} {
		var out bytes.Buffer
		printFamilies(&out, m.Families, width)
		compact := len(strings.Fields(out.String()))
		m.printKills(&out, width)
		for line := range strings.Lines(out.String()) {
			if len(line)-1 > width {
				t.Errorf("%d columns of %d: %s", len(line)-1, width, line)
			}
		}
		if n := strings.Count(out.String(), ":1"); n < len(m.Kills) {
			t.Errorf("%d of %d cells at width %d", n, len(m.Kills), width)
		}
		if least := 9 * 17; compact < least {
			t.Errorf("%d words in the compact matrix, want %d cells at least", compact, least)
		}
	}
}

func TestWrapped(t *testing.T) {
	for _, c := range []struct {
		words []string
		width int
		want  string
	}{
		{nil, 10, ""},
		{[]string{"a"}, 10, "- a\n"},
		{[]string{"aa", "bb", "cc"}, 8, "- aa bb\n  cc\n"},
		{[]string{"a-very-long-one", "b"}, 8, "- a-very-long-one\n  b\n"},
	} {
		var out bytes.Buffer
		wrapped(&out, "- ", 2, c.words, c.width)
		if out.String() != c.want {
			t.Errorf("%v in %d: %q, want %q", c.words, c.width, out.String(), c.want)
		}
	}
}
