package main

import (
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"postern/fixtures/channel"
	"postern/gateway"
	"postern/harness"
	"postern/mutants"
)

// listing is what list prints; its JSON keys are permanent.
type listing struct {
	Channels []listedChannel `json:"channels"`
	Controls []listedControl `json:"controls"`
	Mutants  []listedMutant  `json:"mutants"`
	Trials   []listedTrial   `json:"trials"`
}

// listedTrial is what 'run --only' selects from.
type listedTrial struct {
	ID   string `json:"id"`
	Kind string `json:"kind"`
	Why  string `json:"why"`
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
}

type listedMutant struct {
	ID      string       `json:"id"`
	Weakens string       `json:"weakens"`
	Opens   []channel.ID `json:"opens"`
	Why     string       `json:"why"`
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
	for _, c := range channel.All() {
		l.Channels = append(l.Channels, listedChannel{string(c.ID), string(c.Family), string(c.Sink), c.Means})
	}
	for _, c := range gateway.Controls() {
		l.Controls = append(l.Controls, listedControl{string(c.ID), c.Title})
	}
	for _, m := range mutants.All() {
		l.Mutants = append(l.Mutants, listedMutant{m.ID, string(m.Weakens), m.Opens, m.Why})
	}
	for _, s := range harness.Specs(1) {
		l.Trials = append(l.Trials, listedTrial{s.ID, string(s.Kind), s.Why})
	}
	return l
}

func (l listing) print(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, c := range l.Channels {
		fmt.Fprintf(w, "channel\t%s\t%s\n", c.ID, c.Means)
	}
	for _, c := range l.Controls {
		fmt.Fprintf(w, "control\t%s\t%s\n", c.ID, c.Title)
	}
	for _, m := range l.Mutants {
		fmt.Fprintf(w, "mutant\t%s\t%s\n", m.ID, m.Why)
	}
	for _, t := range l.Trials {
		if t.Kind != string(harness.Mutation) { // those stand there already
			fmt.Fprintf(w, "%s\t%s\t%s\n", t.Kind, t.ID, t.Why)
		}
	}
	return w.Flush()
}
