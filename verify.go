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
registry. Nothing in the bundle is believed that can be computed.

Exit codes: 0 accepted, 1 not accepted, 2 the bundle could not be read.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			v, err := harness.Verify(args[0])
			if err != nil {
				return err
			}
			for _, p := range v.Problems {
				fmt.Fprintln(cmd.ErrOrStderr(), "postern: "+p)
			}
			if asJSON {
				if err := json.NewEncoder(cmd.OutOrStdout()).Encode(v.Summary); err != nil {
					return err
				}
			} else {
				printVerdict(cmd, v)
			}
			if !v.Summary.Accepted {
				return errFindings
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the summary as one JSON object; without a problem its counts are recomputed ones")
	return cmd
}

func printVerdict(cmd *cobra.Command, v harness.Verdict) {
	out := cmd.OutOrStdout()
	if !v.Summary.Accepted {
		fmt.Fprintf(out, "%s: %s\n", mark(out, "not accepted", red), count(len(v.Problems), "problem"))
		return
	}
	s := v.Summary
	fmt.Fprintf(out, "%s: %d protected contained, %d of %d mutants killed, %d failure modes contained\n",
		mark(out, "accepted", green), s.Protected.Contained, s.Mutants.Killed, s.Mutants.Generated, s.FailureModes.Contained)
}
