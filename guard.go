package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"postern/gateway/guard"
)

func guardCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "guard",
		Short: "Confine the tool servers that a client spawns",
		Args:  noArguments,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(
		guardTableCommand(), guardProfileCommand(), guardRunCommand(),
		guardEnableCommand(), guardDisableCommand(), guardStatusCommand(), guardDoctorCommand(),
	)
	return cmd
}

func guardTableCommand() *cobra.Command {
	var all, asJSON bool
	cmd := &cobra.Command{
		Use:   "table",
		Short: "Print the table by which spawns are decided",
		Long: `Print the table by which it is decided whether a tool server is started, and how: the
first row that fits decides. With --all, or --json, each of the 128 combinations and what
becomes of it.

  original   the client's entry, unwrapped, is the one that was enrolled
  marker     the profile's hash in the wrapped command
  stored     the store has a profile for the server
  required   the marker, or the stored profile, says that it must be confined
  backend    a sandbox is available on this machine`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			out := bufio.NewWriter(cmd.OutOrStdout())
			switch t := guard.Reference(); {
			case asJSON:
				return printed(out, json.NewEncoder(out).Encode(decided(t)))
			case all:
				return printed(out, printDecided(out, decided(t)))
			default:
				return printed(out, printRows(out, t))
			}
		},
	}
	cmd.Flags().BoolVar(&all, "all", false, "print every combination")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print every combination, as one JSON list")
	return cmd
}

func printed(out *bufio.Writer, err error) error {
	if err == nil {
		err = out.Flush()
	}
	if err != nil {
		return fmt.Errorf("%w: %w", errOutput, err)
	}
	return nil
}

// decision is one combination; its JSON keys are permanent.
type decision struct {
	Original          bool   `json:"original"`
	Marker            string `json:"marker"`
	Stored            bool   `json:"stored"`
	RequiredByMarker  bool   `json:"required_by_marker"`
	RequiredByProfile bool   `json:"required_by_profile"`
	Backend           bool   `json:"backend"`
	Action            string `json:"action"`
	Reason            string `json:"reason"`
}

func decided(t guard.Table) []decision {
	var all []decision
	for _, s := range guard.Spawns() {
		d := t.Decide(s)
		all = append(all, decision{s.Original, s.Marker.String(), s.Stored, s.RequiredByMarker, s.RequiredByProfile, s.Backend, d.Action.String(), string(d.Reason)})
	}
	return all
}

func printDecided(out io.Writer, all []decision) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "ORIGINAL\tMARKER\tSTORED\tREQUIRED BY MARKER\tBY PROFILE\tBACKEND\tACTION\tREASON")
	for _, d := range all {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", yes(d.Original), d.Marker, yes(d.Stored), yes(d.RequiredByMarker), yes(d.RequiredByProfile), yes(d.Backend), d.Action, d.Reason)
	}
	return w.Flush()
}

func printRows(out io.Writer, t guard.Table) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "ORIGINAL\tMARKER\tSTORED\tREQUIRED\tBACKEND\tACTION\tREASON")
	for _, r := range t {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", cell(r.Original, yes), cell(r.Marker, guard.Marker.String), cell(r.Stored, yes), cell(r.Required, yes), cell(r.Backend, yes), r.Action, r.Reason)
	}
	return w.Flush()
}

func cell[T any](wanted []T, word func(T) string) string {
	if len(wanted) == 0 {
		return "any"
	}
	var words []string
	for _, v := range wanted {
		words = append(words, word(v))
	}
	return strings.Join(words, ", ")
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

func guardProfileCommand() *cobra.Command {
	var r guard.Request
	var tier string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "profile --server NAME -- COMMAND [ARGUMENT]...",
		Short: "Print the profile that a tool server would be confined by",
		Long: `Print what a tool server would be permitted, derived from its command: which trees it
reads and writes, what of these is not there for it, and what it may connect to. Nothing
is stored and nothing is started.

  standard   reads everything but secret places (keys, credentials, browsers, clients'
             configurations, histories); writes its own scratch, temporary files and the
             caches of launchers; has no network, but for launchers that fetch (npx, uvx,
             docker and the like)
  strict     reads what a program needs to start, and --read; writes its scratch; has no
             network, or the ports of this machine that --port names

The hash stands for everything but the time of capture.`,
		Example: `  postern guard profile --server files -- npx -y @example/files ~/documents
  postern guard profile --server db --tier strict --port 5432 -- /usr/local/bin/db-server`,
		Args: arguments(1, -1, "a command behind '--'"),
		RunE: func(cmd *cobra.Command, args []string) error {
			m, err := thisMachine()
			if err != nil {
				return err
			}
			r.Tier, r.Command = guard.Tier(tier), args
			p, err := guard.Derive(r, m, time.Now())
			if err != nil {
				return err
			}
			out := bufio.NewWriter(cmd.OutOrStdout())
			if asJSON {
				return printed(out, json.NewEncoder(out).Encode(struct {
					Hash    string        `json:"hash"`
					Profile guard.Profile `json:"profile"`
				}{p.Hash(), p}))
			}
			return printed(out, printProfile(out, p))
		},
	}
	cmd.Flags().StringVar(&r.Server, "server", "", "the server's `name`, as the client calls it")
	cmd.Flags().StringVar(&tier, "tier", string(guard.Standard), "standard or strict")
	cmd.Flags().BoolVar(&r.Required, "require", false, "refuse to run the server unconfined")
	cmd.Flags().IntSliceVar(&r.Ports, "port", nil, "a `port` of this machine that a strict profile leaves open; may be repeated")
	cmd.Flags().StringArrayVar(&r.Read, "read", nil, "an absolute `path` that a strict profile may read too; may be repeated")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	cmd.MarkFlagRequired("server")
	return cmd
}

// thisMachine is where the guard's state is kept: below XDG_STATE_HOME, see the
// XDG base directory specification, or Application Support on macOS.
func thisMachine() (guard.Machine, error) {
	home, err := os.UserHomeDir()
	if err != nil {
		return guard.Machine{}, fmt.Errorf("looking for the home directory: %w", err)
	}
	state := filepath.Join(home, ".local", "state")
	if runtime.GOOS == "darwin" {
		state = filepath.Join(home, "Library", "Application Support")
	}
	if dir := os.Getenv("XDG_STATE_HOME"); filepath.IsAbs(dir) {
		state = dir
	}
	return guard.Machine{OS: runtime.GOOS, Home: home, Temp: os.TempDir(), State: filepath.Join(state, "postern"), Config: os.Getenv("XDG_CONFIG_HOME")}, nil
}

func printProfile(out io.Writer, p guard.Profile) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, line := range []struct {
		name   string
		values []string
	}{
		{"hash", []string{p.Hash()}},
		{"tier", []string{string(p.Tier)}},
		{"required", []string{yes(p.Required)}},
		{"network", append([]string{string(p.Network)}, numbers(p.Ports)...)},
		{"reads", p.Read},
		{"but not", p.Mask},
		{"writes", p.Write},
		{"scratch", []string{p.Scratch}},
	} {
		for i, v := range line.values {
			if i > 0 {
				line.name = ""
			}
			fmt.Fprintf(w, "%s\t%s\n", line.name, v)
		}
	}
	return w.Flush()
}

func numbers(all []int) []string {
	var out []string
	for _, n := range slices.Sorted(slices.Values(all)) {
		out = append(out, fmt.Sprintf("port %d", n))
	}
	return out
}
