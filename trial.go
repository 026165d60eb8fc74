package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"path"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"postern/harness"
	"postern/reports"
)

func trialCommand() *cobra.Command {
	var options harness.Options
	var asJSON, verbose bool
	cmd := &cobra.Command{
		Use:   "trial ID",
		Short: "Run one trial and say in words how it was judged",
		Long: `Run the one trial with this id, as 'postern list' prints it, and say what was
expected of it, what was seen, and how it was judged. Nothing is written. Of a mutant the
'mutant/' in front may be left out.

Exit codes: 0 it came out as required, 1 it did not, 2 there is no such trial, 3 this
machine cannot run it.`,
		Example: `  postern trial mutant/profile/network-host -v
  postern trial protected/1 --json`,
		Args: arguments(1, 1, "one argument, the id of a trial as 'postern list' prints it"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !cmd.Flags().Changed("seed") {
				options.Seed = rand.Int64N(1 << 31)
			}
			options.Parallel, options.Runs = 1, runIn(args[0])
			options.Select = func(s harness.Spec) bool { return s.Kind != "" && called(args[0], s) } // what has no kind is no trial
			options.Progress = func(e harness.Event) {
				if e.Err != nil {
					fmt.Fprintf(cmd.ErrOrStderr(), "postern: %s: %v\n", args[0], e.Err)
				}
			}
			options = chooseBackend(cmd, options)
			evidence, err := harness.Run(cmd.Context(), options)
			if errors.Is(err, harness.ErrNoneSelected) {
				return fmt.Errorf("there is no trial %q: 'postern list' prints the ids of all; those of the other profile take --profile, and rules run together, as 'postern run --only rules'", args[0])
			}
			if err != nil {
				return err
			}
			t := evidence.Trials[0]
			if asJSON {
				err = json.NewEncoder(cmd.OutOrStdout()).Encode(t)
			} else {
				err = printTrial(cmd.OutOrStdout(), t, sandboxOf(evidence), whyOf(t.ID, options.Runs, options.Backend), verbose)
			}
			if err != nil {
				return fmt.Errorf("%w: %w", errOutput, err)
			}
			return judged(evidence)
		},
	}
	f := cmd.Flags()
	f.Int64Var(&options.Seed, "seed", 0, "the `number` that the campaign was ordered by")
	f.BoolVarP(&verbose, "verbose", "v", false, "print what each observer counted and what each attempt came to")
	f.BoolVar(&asJSON, "json", false, "print the trial's row of the evidence as one JSON object")
	profileFlag(cmd, &options.Profile)
	socketFlag(cmd, &options.Socket)
	backendFlag(cmd, &options.Backend)
	return cmd
}

// called reports whether a trial is meant by an id. A mutant may be called by
// its own.
func called(id string, s harness.Spec) bool {
	return s.ID == id || s.ID == string(harness.Mutation)+"/"+id
}

// judged turns the one trial of the evidence into an exit code.
func judged(e reports.Evidence) error {
	t := e.Trials[0]
	switch {
	case t.Outcome == string(reports.NotApplicable):
		return &harness.Cannot{Reason: "the trial is not applicable: " + t.Reason}
	case !harness.AsRequired(e):
		return errFindings
	}
	return nil
}

// runIn is how often faults are to be injected for a plan to have the trial:
// supervision/bridge-killed/3 is the third run.
func runIn(id string) int {
	n, err := strconv.Atoi(path.Base(id))
	if err != nil || !strings.HasPrefix(id, string(harness.Supervision)+"/") {
		return 1
	}
	return max(1, min(n, 1000)) // a larger one is in no plan, and so no trial is found
}

func whyOf(id string, runs int, backend string) string {
	for _, s := range (harness.Plan{Runs: runs, Backend: backend}).Specs() {
		if s.ID == id {
			return s.Why
		}
	}
	return ""
}

// again is what to run to see a trial once more.
func again(id string, run reports.Run) string {
	text := fmt.Sprintf("%s trial %s --seed %d -v", program(), id, run.Seed)
	if run.Profile != reports.Reference {
		text += " --profile " + string(run.Profile)
	}
	return text
}
