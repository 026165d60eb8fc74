package main

import (
	"bufio"
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
	"postern/harness/level2"
	"postern/mutants"
	"postern/reports"
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

	Profiles []reports.Profile `json:"profiles"` // of the subject, under which it is planned
}

type listedChannel struct {
	ID     string `json:"id"`
	Family string `json:"family"`
	Sink   string `json:"sink"`
	Means  string `json:"means"`

	NotApplicable string            `json:"not_applicable"` // why no machine that is supported can try it; "" where one can
	Profiles      []reports.Profile `json:"profiles"`       // under which it is judged
}

type listedControl struct {
	ID    string `json:"id"`
	Title string `json:"title"`

	Group   string   `json:"group"`
	Mutants []string `json:"mutants"` // trials that weaken it alone
	Pairs   []string `json:"pairs"`   // trials that weaken it with others

	Rules    []string          `json:"rules"`    // mutants of what decides that weaken it
	Profiles []reports.Profile `json:"profiles"` // in which it has such trials
}

type listedMutant struct {
	ID      string       `json:"id"`
	Weakens string       `json:"weakens"`
	Opens   []channel.ID `json:"opens"`
	Why     string       `json:"why"`

	With  []confine.Control `json:"with"`
	Inert string            `json:"inert"`
	Alone bool              `json:"alone"`

	Profiles []reports.Profile `json:"profiles"`
}

func listCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "Print every channel, control, mutant and other trial, one line each",
		Long: `Print every channel, control, mutant and other trial, one line each: its kind, its id
and what it is. 'postern trial' takes the ids of mutants and other trials as they stand
here, and so does 'postern run --only', which takes patterns as well. The rules, mutants of
what decides in the gateway, run together, as 'postern run --only rules'.

Not applicable, with the reason, is a channel that no supported machine can try. What says
'hardened profile only' is part of a run with --profile hardened alone.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			out := bufio.NewWriter(cmd.OutOrStdout())
			if asJSON {
				return printed(out, json.NewEncoder(out).Encode(registry()))
			}
			return printed(out, registry().print(out))
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

func registry() listing {
	var l listing
	specs, profiles := planned()
	for _, c := range channel.All() {
		l.Channels = append(l.Channels, listedChannel{string(c.ID), string(c.Family), string(c.Sink), c.Means, c.NotApplicable, only(confine.Tier(c.Tier))})
	}
	rules, _ := harness.Rules(0) // what is wrong with them is for a run to say
	for _, c := range gateway.Controls() {
		l.Controls = append(l.Controls, controlIn(c, specs, profiles, rules))
	}
	for _, m := range mutants.All() {
		l.Mutants = append(l.Mutants, listedMutant{harness.MutantID(m), string(m.Weakens), list(m.Opens), m.Why, list(m.With), string(m.Inert), m.Alone, only(m.Tier)})
	}
	for _, s := range specs {
		l.Trials = append(l.Trials, listedTrial{s.ID, string(s.Kind), s.Why, string(s.Control), list(s.With), list(s.Opens), s.Baseline, string(s.Inert), s.Alone, profiles[s.ID]})
	}
	for _, r := range rules {
		l.Rules = append(l.Rules, listedRule{r.Mutant, string(r.Layer), string(r.Status), r.Why})
	}
	return l
}

// tiers are those of the subject's profiles, the reference first.
func tiers() []confine.Tier { return []confine.Tier{confine.TierReference, confine.TierHardened} }

// profileOf is the word for a tier in the evidence.
func profileOf(t confine.Tier) reports.Profile {
	if t == confine.TierHardened {
		return reports.Hardened
	}
	return reports.Reference
}

// only is one tier's profile, or all where no tier is said.
func only(t confine.Tier) []reports.Profile {
	if t == "" {
		return []reports.Profile{reports.Reference, reports.Hardened}
	}
	return []reports.Profile{profileOf(t)}
}

// planned lists the trials of all profiles, each once, and under which it is planned.
func planned() (specs []harness.Spec, profiles map[string][]reports.Profile) {
	profiles = map[string][]reports.Profile{}
	for _, tier := range tiers() {
		for _, s := range harness.PlanHere(1, tier).Specs() {
			if len(profiles[s.ID]) == 0 {
				specs = append(specs, s)
			}
			profiles[s.ID] = append(profiles[s.ID], profileOf(tier))
		}
	}
	return specs, profiles
}

// controlIn says what is planned to show what a control is good for.
func controlIn(c confine.ControlInfo, specs []harness.Spec, profiles map[string][]reports.Profile, rules []level2.Row) listedControl {
	l := listedControl{ID: string(c.ID), Title: c.Title, Group: c.Group, Rules: []string{}, Profiles: []reports.Profile{}}
	l.Mutants, l.Pairs = trialsOf(c.ID, specs)
	for _, r := range rules {
		if harness.ControlOf(r.Layer) == c.ID {
			l.Rules = append(l.Rules, r.Mutant)
		}
	}
	for _, p := range only("") {
		if len(l.Rules) > 0 || slices.ContainsFunc(slices.Concat(l.Mutants, l.Pairs), func(id string) bool { return slices.Contains(profiles[id], p) }) {
			l.Profiles = append(l.Profiles, p)
		}
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
	var parts []string
	if c.Group != "" {
		parts = append(parts, c.Group)
	}
	switch n := len(c.Pairs); {
	case n > 0:
		parts = append(parts, fmt.Sprintf("%s, %d with others", count(len(c.Mutants), "mutant"), n))
	case len(c.Mutants) > 0 || len(c.Rules) == 0:
		parts = append(parts, count(len(c.Mutants), "mutant"))
	}
	if n := len(c.Rules); n > 0 {
		parts = append(parts, count(n, "rule"))
	}
	return strings.Join(append(parts, within(c.Profiles)...), "; ")
}

// within marks what is not part of every profile.
func within(profiles []reports.Profile) []string {
	if len(profiles) != 1 {
		return nil
	}
	return []string{string(profiles[0]) + " profile only"}
}

// marks says in brackets what is peculiar about a row; nothing where nothing is.
func marks(parts ...string) string {
	if len(parts) == 0 {
		return ""
	}
	return " (" + strings.Join(parts, "; ") + ")"
}

// lacking says why a channel is not tried.
func (c listedChannel) lacking() []string {
	if c.NotApplicable == "" {
		return nil
	}
	return []string{"not applicable: " + c.NotApplicable}
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
		fmt.Fprintf(w, "channel\t%s\t%s%s\n", c.ID, c.Means, marks(append(c.lacking(), within(c.Profiles)...)...))
	}
	for _, c := range l.Controls {
		fmt.Fprintf(w, "control\t%s\t%s (%s)\n", c.ID, c.Title, c.standing())
	}
	for _, t := range l.Trials {
		if t.Kind == string(harness.Mutation) {
			fmt.Fprintf(w, "mutant\t%s\t%s%s\n", t.ID, t.Why, marks(append([]string{t.effect()}, within(t.Profiles)...)...))
		}
	}
	for _, t := range l.Trials {
		if t.Kind != string(harness.Mutation) {
			fmt.Fprintf(w, "%s\t%s\t%s%s\n", t.Kind, t.ID, t.Why, marks(within(t.Profiles)...))
		}
	}
	for _, r := range l.Rules {
		fmt.Fprintf(w, "rule\t%s\t%s (%s: %s)\n", r.ID, r.Why, r.Layer, r.Foretold)
	}
	return w.Flush()
}
