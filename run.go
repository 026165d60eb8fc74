package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"postern/harness"
	"postern/reports"
)

func runCommand() *cobra.Command {
	var options harness.Options
	var only, shard string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "run",
		Short: "Run the campaign: protected trials, every mutant, every failure mode",
		Long: `Run the campaign against the local Docker Engine, and with --out write its
evidence to a directory that 'postern verify' accepts. Without --only every trial
runs; a part of the campaign is never accepted as evidence, though it ends with 0
when its own trials came out as required.

--only takes an id as 'postern list' prints it, or a pattern: '*' stands for any letters but
a slash, '?' for one of them, '[a-d]' for one of a range, and what names a folder selects
all below it, as 'mutant/profile' or 'supervision'. The kind in front may be left out, as in
'profile/network-*'. 'rules' are the mutants of what decides, all together, and 'residual'
what is measured of the channels that stay open. A pattern that selects nothing is an error.

Where no Engine answers, bubblewrap confines the agent, as root (--backend auto,
which is the default unless a socket is given):
a smaller campaign, with the reference profile alone. The evidence says which it
was, and why what bubblewrap has no means for is not applicable.`,
		Example: `  postern run --out evidence
  postern run --only 'mutant/profile/*'
  postern run --family dns --family log
  postern run --shard 2/4 --out part-2
  postern run --only protected --parallel 1
  postern run --backend bubblewrap --out evidence`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !cmd.Flags().Changed("seed") {
				options.Seed = rand.Int64N(1 << 31)
			}
			if options.Runs < 1 {
				return harness.ErrRuns
			}
			if options.Parallel < 1 { // 0 is the default to the harness, and a mistake here
				return harness.ErrParallel
			}
			if cmd.Flags().Changed("out") && options.Out == "" {
				return fmt.Errorf("%w: --out names no directory", harness.ErrUsage)
			}
			if cmd.Flags().Changed("only") {
				var err error
				if options.Select, err = harness.Only(strings.TrimSuffix(only, "/")); err != nil {
					return err
				}
			}
			if cmd.Flags().Changed("shard") {
				var err error
				if options.Shard, options.Shards, err = harness.ParseShard(shard); err != nil {
					return err
				}
			}
			if notice := harness.Unconfined(); notice != "" {
				fmt.Fprintln(cmd.ErrOrStderr(), "postern:", notice)
			}
			progress := newProgress(cmd.ErrOrStderr())
			options.Progress = progress.show
			options = chooseBackend(cmd, options)
			evidence, err := harness.Run(cmd.Context(), options)
			progress.clear()
			if err != nil {
				return err
			}
			if asJSON {
				printAgain(cmd.ErrOrStderr(), evidence)
				err = json.NewEncoder(cmd.OutOrStdout()).Encode(evidence.Summary)
			} else {
				err = printTable(cmd.OutOrStdout(), evidence, options.Out)
			}
			if err != nil {
				return fmt.Errorf("%w: %w", errOutput, err)
			}
			if !harness.AsRequired(evidence) {
				return errFindings
			}
			return nil
		},
	}
	f := cmd.Flags()
	f.StringVar(&options.Out, "out", "", "write the evidence bundle to this `directory`, replacing an older bundle")
	f.StringVar(&only, "only", "", "run only trials whose id matches this `pattern`, or lies in a folder that does")
	f.StringArrayVar(&options.Families, "family", nil, "run only mutants of this `family`, or that open a channel of it; may be repeated")
	f.StringVar(&shard, "shard", "", "run only the k-th of n parts of the plan, as `k/n`")
	f.IntVar(&options.Parallel, "parallel", harness.DefaultParallel, "trials at once, 1 to 64, and as many again that mostly wait")
	f.Int64Var(&options.Seed, "seed", 0, "order the trials by this `number`, from 0 (default: drawn, and written in the evidence)")
	f.IntVar(&options.Runs, "runs", 1, "inject each fault of the supervision this `often`")
	f.BoolVar(&asJSON, "json", false, "print the summary as one JSON object")
	profileFlag(cmd, &options.Profile)
	socketFlag(cmd, &options.Socket)
	backendFlag(cmd, &options.Backend)
	return cmd
}

// profileFlag adds the choice of what the subject has in place.
func profileFlag(cmd *cobra.Command, profile *string) {
	cmd.Flags().StringVar(profile, "profile", string(reports.Reference), "the subject's `profile`, reference or hardened")
}

// backendFlag adds the choice of what confines the agent.
func backendFlag(cmd *cobra.Command, backend *string) {
	cmd.Flags().StringVar(backend, "backend", harness.BackendAuto,
		"the `backend` that confines the agent, docker or bubblewrap; auto takes bubblewrap where no Engine answers")
}

// chooseBackend says what was taken where that was left open. Who names a socket
// and no backend wants that Engine and no other.
func chooseBackend(cmd *cobra.Command, options harness.Options) harness.Options {
	if cmd.Flags().Changed("socket") && !cmd.Flags().Changed("backend") {
		options.Backend = harness.BackendDocker
	}
	options, took := options.Choose(cmd.Context())
	if took != "" {
		fmt.Fprintln(cmd.ErrOrStderr(), "postern:", took)
	}
	return options
}

// program is what the user called us, for lines to copy.
func program() string { return os.Args[0] }

// plain reports whether output must have no control sequences.
func plain() bool { return os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb" }

// count prints a number with its noun, in the plural where that is due.
func count(n int, noun string) string {
	if n == 1 {
		return fmt.Sprintf("%d %s", n, noun)
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
