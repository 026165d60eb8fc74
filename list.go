package main

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"postern/fixtures/channel"
	"postern/gateway"
	"postern/gateway/confine"
	"postern/harness"
	"postern/mutants"
)

// listing is what list prints; its JSON keys are permanent.
type listing struct {
	Channels []listedChannel `json:"channels"`
	Controls []listedControl `json:"controls"`
	Mutants  []listedMutant  `json:"mutants"`
	Trials   []listedTrial   `json:"trials"`
	Rules    []listedRule    `json:"rules"`
}

// listedRule is a mutant of what decides in the gateway.
type listedRule struct {
	ID       string `json:"id"`
	Layer    string `json:"layer"`
	Foretold string `json:"foretold"`
	Why      string `json:"why"`
}

// listedTrial is what 'run --only' selects from.
type listedTrial struct {
	ID   string `json:"id"`
	Kind string `json:"kind"`
	Why  string `json:"why"`

	Control  string            `json:"control"` // "" where none is weakened
	With     []confine.Control `json:"with"`
	Opens    []channel.ID      `json:"opens"`
	Baseline bool              `json:"baseline"`
	Inert    string            `json:"inert"` // why it is declared to change nothing
	Alone    bool              `json:"alone"` // no other trial runs beside it
}

type listedChannel struct {
	ID     string `json:"id"`
	Family string `json:"family"`
	Sink   string `json:"sink"`
	Means  string `json:"means"`
}

type listedControl struct {
	ID    string `json:"id"`
	Title string `json:"title"`

	Group   string   `json:"group"`
	Mutants []string `json:"mutants"` // trials that weaken it alone
	Pairs   []string `json:"pairs"`   // trials that weaken it with others
}

type listedMutant struct {
	ID      string       `json:"id"`
	Weakens string       `json:"weakens"`
	Opens   []channel.ID `json:"opens"`
	Why     string       `json:"why"`

	With  []confine.Control `json:"with"`
	Inert string            `json:"inert"`
	Alone bool              `json:"alone"`
}

func listCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "Print every channel, control, mutant and other trial, one line each",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if asJSON {
				return json.NewEncoder(cmd.OutOrStdout()).Encode(registry())
			}
			return registry().print(cmd.OutOrStdout())
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

func registry() listing {
	var l listing
	specs := harness.PlanHere(1, confine.TierReference).Specs()
	for _, c := range channel.All() {
		l.Channels = append(l.Channels, listedChannel{string(c.ID), string(c.Family), string(c.Sink), c.Means})
	}
	for _, c := range gateway.Controls() {
		alone, pairs := trialsOf(c.ID, specs)
		l.Controls = append(l.Controls, listedControl{string(c.ID), c.Title, c.Group, alone, pairs})
	}
	for _, m := range slices.Concat(mutants.All(), mutants.Cells()) {
		l.Mutants = append(l.Mutants, listedMutant{m.ID, string(m.Weakens), list(m.Opens), m.Why, list(m.With), string(m.Inert), m.Alone})
	}
	for _, s := range specs {
		l.Trials = append(l.Trials, listedTrial{s.ID, string(s.Kind), s.Why, string(s.Control), list(s.With), list(s.Opens), s.Baseline, string(s.Inert), s.Alone})
	}
	rules, _ := harness.Rules(0) // what is wrong with them is for a run to say
	for _, r := range rules {
		l.Rules = append(l.Rules, listedRule{r.Mutant, string(r.Layer), string(r.Status), r.Why})
	}
	return l
}

// list is never null in JSON.
func list[T any](in []T) []T { return append([]T{}, in...) }

// trialsOf lists the trials that can show what a control is good for.
func trialsOf(c confine.Control, specs []harness.Spec) (alone, pairs []string) {
	alone, pairs = []string{}, []string{}
	for _, s := range specs {
		switch {
		case s.Control == c && len(s.With) == 0:
			alone = append(alone, s.ID)
		case s.Control == c || slices.Contains(s.With, c):
			pairs = append(pairs, s.ID)
		}
	}
	return alone, pairs
}

// standing says what is planned to show what a control is good for. What it
// came to is in a bundle, which 'matrix' prints.
func (c listedControl) standing() string {
	text := count(len(c.Mutants), "mutant")
	if n := len(c.Pairs); n > 0 {
		text += fmt.Sprintf(", %d with others", n)
	}
	if c.Group != "" {
		text = c.Group + "; " + text
	}
	return text
}

// effect says what a trial weakens and what that must open.
func (t listedTrial) effect() string {
	text := t.Control
	for _, c := range t.With {
		text += " + " + string(c)
	}
	opens := "nothing"
	if len(t.Opens) > 0 {
		opens = strings.Trim(fmt.Sprint(t.Opens), "[]")
	}
	text += " opens " + opens
	if t.Inert != "" {
		text += ", " + t.Inert
	}
	return text
}

func (l listing) print(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, c := range l.Channels {
		fmt.Fprintf(w, "channel\t%s\t%s\n", c.ID, c.Means)
	}
	for _, c := range l.Controls {
		fmt.Fprintf(w, "control\t%s\t%s (%s)\n", c.ID, c.Title, c.standing())
	}
	for _, t := range l.Trials {
		if t.Kind == string(harness.Mutation) {
			fmt.Fprintf(w, "mutant\t%s\t%s (%s)\n", strings.TrimPrefix(t.ID, "mutant/"), t.Why, t.effect())
		}
	}
	for _, t := range l.Trials {
		if t.Kind != string(harness.Mutation) {
			fmt.Fprintf(w, "%s\t%s\t%s\n", t.Kind, t.ID, t.Why)
		}
	}
	for _, r := range l.Rules {
		fmt.Fprintf(w, "rule\t%s\t%s (%s: %s)\n", r.ID, r.Why, r.Layer, r.Foretold)
	}
	return w.Flush()
}
