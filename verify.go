package main

import (
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"postern/harness"
)

func verifyCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "verify DIR",
		Short: "Check an evidence bundle and judge its observations again",
		Long: `Check the files, digests, schema and counts of a bundle, judge every trial again
from its observations with the same oracle, and hold the plan against this version's
registry. Nothing in the bundle is believed that can be computed. Where the plan or the
format is another version's, the version that made the bundle is named as the bundle has
it. DIR may be a link to the directory.

Exit codes: 0 accepted, 1 not accepted, 2 there is no bundle that could be read.`,
		Args: arguments(1, 1, "one argument, the directory of a bundle"),
		RunE: func(cmd *cobra.Command, args []string) error {
			v, err := harness.Verify(bundleAt(args[0]))
			if err != nil {
				return noBundle(args[0], err)
			}
			for _, p := range v.Problems {
				fmt.Fprintln(cmd.ErrOrStderr(), "postern: "+p)
			}
			if asJSON {
				err = json.NewEncoder(cmd.OutOrStdout()).Encode(v)
			} else {
				err = printVerdict(cmd, v)
			}
			if err != nil {
				return fmt.Errorf("%w: %w", errOutput, err)
			}
			if !v.Summary.Accepted {
				return errFindings
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the recomputed summary, and the problems, as one JSON object")
	return cmd
}

func printVerdict(cmd *cobra.Command, v harness.Verdict) error {
	out := cmd.OutOrStdout()
	if !v.Summary.Accepted {
		_, err := fmt.Fprintf(out, "%s: %s\n", mark(out, "not accepted", red), count(len(v.Problems), "problem"))
		return err
	}
	s := v.Summary
	_, err := fmt.Fprintf(out, "%s: %d protected contained, %d of %d mutants killed, %d equivalent, %d not applicable, %d of %d mutants of rules killed, %d survived, %d failure modes contained, %d of %d faults' runs stopped\n",
		mark(out, "accepted", green), s.Protected.Contained, s.Mutants.Killed, s.Mutants.Generated, s.Mutants.Equivalent, s.Mutants.NotApplicable, s.Rules.Mutants.Killed, s.Rules.Mutants.Generated, s.Rules.Mutants.Survived, s.FailureModes.Contained, s.Supervision.Stopped, s.Supervision.Runs)
	return err
}
