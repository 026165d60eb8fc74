package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"postern/harness"
	"postern/mutants/cedar"
	"postern/mutants/cedar/level1"
	"postern/mutants/cedar/load"
	"postern/mutants/cedar/view"
)

// mutateOptions are the flags of policy mutate.
type mutateOptions struct {
	policies                    []string
	schema, entities, requests  string
	html, stryker, accept, diff string
	shard                       string
	threshold                   float64
	limit                       int
	strict, json                bool
}

func policyCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "policy",
		Short: "Look at your own Cedar policies",
		Args:  noArguments,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(mutateCommand())
	return cmd
}

func mutateCommand() *cobra.Command {
	o := mutateOptions{threshold: -1}
	cmd := &cobra.Command{
		Use:   "mutate --policies DIR --schema FILE",
		Short: "Change your Cedar policies in every place, and see what depends on each",
		Long: `Change each place of each policy (a mutant), and compare what it decides with what
the original decides: over requests derived from schema, policies and mutants, and over
your own. No Docker, no gateway: the policies are evaluated here.

Policies are the .cedar files of a directory, with all below, or files. The schema is in
Cedar's language, or in JSON if its name ends in .json. Entities are in Cedar's JSON.
Requests are a list of objects: principal, action and resource, each 'Type::"id"', and
where they are needed context, entities and decision ("allow" or "deny", which the
policies must then come to).

What becomes of a mutant:
  killed           a decision changes: of your requests, if you gave any
  killed-by-other  no decision changes, but which policies made it or failed does
  survived         a decision changes, and of none of your requests; the request that
                   would notice is printed, and --requests reads it
  equivalent       nothing differs over all combinations of what any policy or mutant
                   compares with; of a large set, over all of what is changed, with as
                   much around it and of what forbids instead as shows it; a record of
                   the comparison is in --json
  stillborn        the schema's validator refuses it, or with --strict the gateway, for an
                   id that stands twice; --json has what it does without
  inconclusive     nothing differs, but there were too many combinations to ask all, and
                   a search made no request that shows it: it is neither killed nor shown
                   to be needless. Divide the policy, or read the mutant and put it into
                   the file for --accept
  not-applicable   --shard or --diff leaves it out
A part whose removal changes no decision is told: redundant where it does together with
another part, implied by the schema where that says the same of whatever it accepts,
which is proved and fails nothing, and dead where nothing depends on it.

With --entities requests are made with your entities too, and each of these that a policy
looks up is changed in every place. That is told, and fails nothing: data are no rules.

Requests that the schema refuses are asked too, because Cedar itself decides them; and
Cedar skips a policy that fails, even where it forbids. --strict compares for a decider
that denies both, as Postern's gateway does, and removes these two checks as well; then the
schema is changed in every place too, which is told and fails nothing.

--accept reads a list of objects with mutant, digest, reason, author (a role) and date:
survivors and dead parts that may stay. One whose mutant is not there, or has another
digest, fails the run.

Exit codes: 0 nothing survived, nothing is dead; 1 otherwise, or a score below
--threshold; 2 wrong usage or files, in one line; 130 interrupted.`,
		Example: `  postern policy mutate --policies policies/ --schema app.cedarschema
  postern policy mutate --policies policies/ --schema app.cedarschema --requests tests.json --html report.html
  postern policy mutate --policies policies/ --schema app.cedarschema --requests tests.json --diff main --threshold 90`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !cmd.Flags().Changed("threshold") {
				o.threshold = -1
			} else if o.threshold < 0 || o.threshold > 100 {
				return errThreshold
			}
			if cmd.Flags().Changed("limit") && o.limit < 1 { // 0 is the default to what follows, and a mistake here
				return errLimit
			}
			return runMutate(cmd, o)
		},
	}
	f := cmd.Flags()
	f.StringArrayVar(&o.policies, "policies", nil, "read policies from this `directory` or file; may be repeated")
	f.StringVar(&o.schema, "schema", "", "read the schema from this `file`")
	f.StringVar(&o.entities, "entities", "", "read your entities from this `file`")
	f.StringVar(&o.requests, "requests", "", "read your own requests from this `file`")
	f.StringVar(&o.accept, "accept", "", "read what may stay from this `file`")
	f.StringVar(&o.accept, "ignore", "", "")
	_ = f.MarkHidden("ignore") // a second name of --accept
	f.StringVar(&o.html, "html", "", "write a page to this `file`")
	f.StringVar(&o.stryker, "stryker", "", "write a mutation testing report (schema version 2) to this `file`")
	f.StringVar(&o.diff, "diff", "", "only mutate policies that differ from this git `revision`")
	f.StringVar(&o.shard, "shard", "", "only run the k-th of n parts of the mutants, as `k/n`")
	f.Float64Var(&o.threshold, "threshold", 0, "be content with this `score`, in percent (default: no survivor)")
	f.IntVar(&o.limit, "limit", 0, "derive at most this `many` requests that the schema accepts (default 20000, or 256 for each policy)")
	f.BoolVar(&o.strict, "strict", false, "deny what the schema refuses and where a policy fails")
	f.BoolVar(&o.json, "json", false, "print the report as one JSON object")
	return cmd
}

var (
	errNoPolicies    = errors.New("--policies is missing: a directory with .cedar files, or a file")
	errNoSchema      = errors.New("--schema is missing: a file with the Cedar schema")
	errThreshold     = errors.New("--threshold must be from 0 to 100")
	errLimit         = errors.New("--limit must be from 1 to 1000000")
	errMutateStopped = errors.New("interrupted: nothing was compared to the end, and nothing was written")
	errNoMutant      = errors.New("no mutant is selected: --diff and --shard leave none")
)

func runMutate(cmd *cobra.Command, o mutateOptions) error {
	in, err := o.input(cmd.Context())
	if err != nil {
		return err
	}
	var accepted []load.Acceptance
	if o.accept != "" {
		if accepted, err = load.Accepted(o.accept); err != nil {
			return err
		}
	}
	progress := newMutateProgress(cmd.ErrOrStderr())
	in.Tell = progress.tell
	result, err := level1.Run(cmd.Context(), in)
	progress.end()
	if err != nil {
		return errMutateStopped // only the context's end stops it
	}
	if err := o.agreed(result); err != nil {
		return err
	}
	report, err := view.New(in, result, accepted, o.threshold)
	if err != nil {
		return err
	}
	if report.Counts[level1.NotApplicable] == len(report.Mutants) {
		return errNoMutant
	}
	if err := o.write(cmd.OutOrStdout(), report); err != nil {
		return fmt.Errorf("%w: %w", errOutput, err)
	}
	if len(report.Failures) > 0 {
		return errFindings
	}
	return nil
}

// input reads all files.
func (o mutateOptions) input(ctx context.Context) (level1.Input, error) {
	in := level1.Input{Rule: level1.Cedar, Limit: o.limit}
	switch {
	case len(o.policies) == 0:
		return in, errNoPolicies
	case o.schema == "":
		return in, errNoSchema
	case o.limit < 0 || o.limit > 1_000_000:
		return in, errLimit
	}
	if o.strict {
		in.Rule = level1.Strict
	}
	if o.shard != "" {
		k, n, err := harness.ParseShard(o.shard)
		if err != nil {
			return in, err
		}
		in.Select = func(i int) bool { return i%n == k-1 }
	}
	files, err := load.Files(o.policies)
	if err != nil {
		return in, err
	}
	if in.Policies, err = load.Policies(files); err != nil {
		return in, err
	}
	if in.Schema, err = load.Schema(o.schema); err != nil {
		return in, err
	}
	if err := load.Check(in.Schema, in.Policies); err != nil {
		return in, err
	}
	if o.entities != "" {
		if in.Entities, err = load.Entities(o.entities, in.Schema); err != nil {
			return in, err
		}
	}
	if o.requests != "" {
		cases, err := load.Cases(o.requests, in.Schema)
		if err != nil {
			return in, err
		}
		for _, c := range cases {
			in.Cases = append(in.Cases, level1.Case{Request: c.Request, Own: c.Own, Decision: c.Decision})
		}
	}
	if o.diff != "" {
		old, err := policiesAt(ctx, o.diff, files)
		if err != nil {
			return in, err
		}
		in.Only = func(i int) bool { return !old[cedar.Text(in.Policies[i].Tree)] }
	}
	return in, nil
}

// agreed demands that the policies decide the user's requests as foretold.
func (o mutateOptions) agreed(r *level1.Result) error {
	if len(r.Disagreed) == 0 {
		return nil
	}
	return &load.Problem{File: o.requests, What: fmt.Sprintf(
		"the policies decide request %d otherwise than it says (and %d more): mend one or the other first", r.Disagreed[0], len(r.Disagreed)-1)}
}

func (o mutateOptions) write(out io.Writer, report *view.Report) error {
	if o.html != "" {
		if err := writeFile(o.html, report.HTML); err != nil {
			return err
		}
	}
	if o.stryker != "" {
		sources := map[string]string{}
		for _, p := range report.Policies {
			b, err := os.ReadFile(p.File)
			if err != nil {
				return err
			}
			sources[p.File] = string(b)
		}
		if err := writeFile(o.stryker, func(w io.Writer) error { return report.Stryker(w, sources) }); err != nil {
			return err
		}
	}
	if o.json {
		encoder := json.NewEncoder(out)
		encoder.SetEscapeHTML(false)
		return encoder.Encode(report)
	}
	return report.Text(out, func(text string) string { return mark(out, text, red) })
}

// writeFile replaces a file by a whole one.
func writeFile(path string, write func(io.Writer) error) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".postern-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	if err := write(f); err != nil {
		f.Close()
		return err
	}
	if err := errors.Join(f.Chmod(0o644), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
