package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"postern/gateway/guard"
	"postern/gateway/guard/clients"
	"postern/gateway/guard/enrol"
)

// chosen are the flags by which servers are chosen.
type chosen struct {
	clients []string
	server  string
	dryRun  bool
	asJSON  bool
}

func (c *chosen) flags(cmd *cobra.Command, changes bool) {
	cmd.Flags().StringArrayVar(&c.clients, "client", nil, "only this `client`: "+strings.Join(clientIDs(), ", ")+"; may be repeated")
	cmd.Flags().StringVar(&c.server, "server", "", "only the server of this `name`")
	cmd.Flags().BoolVar(&c.asJSON, "json", false, "print one JSON object")
	if changes {
		cmd.Flags().BoolVar(&c.dryRun, "dry-run", false, "say what would be done, and change nothing")
	}
}

func clientIDs() []string {
	var ids []string
	for _, c := range clients.All() {
		ids = append(ids, c.ID)
	}
	return ids
}

// guard is the user's, with the clients that were chosen.
func (c chosen) guard() (enrol.Guard, error) {
	m, err := thisMachine()
	if err != nil {
		return enrol.Guard{}, err
	}
	program, err := os.Executable()
	if err != nil {
		return enrol.Guard{}, fmt.Errorf("looking for this program's own path: %w", err)
	}
	g := enrol.Guard{Machine: m, Program: program, Server: c.server, DryRun: c.dryRun}
	for _, id := range c.clients {
		if !slices.Contains(clientIDs(), id) {
			return enrol.Guard{}, fmt.Errorf("--client must be one of: %s", strings.Join(clientIDs(), " "))
		}
	}
	for _, known := range clients.All() {
		if len(c.clients) == 0 || slices.Contains(c.clients, known.ID) {
			g.Clients = append(g.Clients, known)
		}
	}
	return g, nil
}

func guardEnableCommand() *cobra.Command {
	var c chosen
	var confine string
	var require bool
	cmd := &cobra.Command{
		Use:   "enable",
		Short: "Have clients start their tool servers through the guard",
		Long: `Change the files in which MCP clients keep their servers, so that each server that a
client starts is started by 'postern guard run', confined by a profile that is stored. Only
the command and its arguments change; comments, order and formatting stay, and so do the
file's mode and links. A copy is kept first. Servers that are wrapped already stay as they
are; servers that a client connects to are named and left alone.

  --confine standard   see 'postern guard profile --help'
  --confine strict     the same
  --confine off        wraps without a profile: starts are logged, nothing is confined

Doing the same again changes nothing, or ends what was interrupted.

Exit codes: 0 done, or nothing to do; 1 a client's file could not be read or changed, or
holds a server that is half wrapped; 2 wrong usage, or the guard's store is damaged:
nothing was changed.`,
		Example: `  postern guard enable --dry-run
  postern guard enable --client cursor --server files --confine strict --require`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			o := enrol.Options{Tier: guard.Tier(confine), Required: require}
			switch confine {
			case string(guard.Standard), string(guard.Strict):
			case "off":
				if o.Tier = ""; require {
					return errors.New("--require with --confine off would keep every server from starting: leave one out")
				}
			default:
				return errors.New("--confine must be standard, strict or off")
			}
			return c.change(cmd, func(ctx context.Context, g enrol.Guard) ([]enrol.Row, error) { return g.Enable(ctx, o) })
		},
	}
	c.flags(cmd, true)
	cmd.Flags().StringVar(&confine, "confine", string(guard.Standard), "standard, strict or off")
	cmd.Flags().BoolVar(&require, "require", false, "refuse to start the servers where they cannot be confined")
	return cmd
}

func guardDisableCommand() *cobra.Command {
	var c chosen
	var changed bool
	cmd := &cobra.Command{
		Use:   "disable",
		Short: "Have clients start their tool servers as they did before",
		Long: `Put back the commands that 'postern guard enable' wrapped, byte for byte, and remove the
profiles. A server whose command was changed since it was wrapped is left alone: look at it,
then give --changed.

Exit codes: 0 done, or nothing to do; 1 a server or a client's file was left alone; 2 wrong
usage, or the guard's store is damaged: nothing was changed.`,
		Example: `  postern guard disable
  postern guard disable --client cursor --server files`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.change(cmd, func(ctx context.Context, g enrol.Guard) ([]enrol.Row, error) { return g.Disable(ctx, changed) })
		},
	}
	c.flags(cmd, true)
	cmd.Flags().BoolVar(&changed, "changed", false, "unwrap servers whose command was changed, too")
	return cmd
}

// change runs what changes files, and prints what became of each server.
func (c chosen) change(cmd *cobra.Command, do func(context.Context, enrol.Guard) ([]enrol.Row, error)) error {
	g, err := c.guard()
	if err != nil {
		return err
	}
	rows, err := do(cmd.Context(), g)
	if err != nil {
		return err
	}
	if err := c.present(rows); err != nil {
		return err
	}
	out := bufio.NewWriter(cmd.OutOrStdout())
	told := guardReport{DryRun: c.dryRun, Backups: g.Backups(), Rows: append([]enrol.Row{}, rows...)}
	if c.asJSON {
		err = json.NewEncoder(out).Encode(told)
	} else {
		err = told.print(out)
	}
	return verdictOf(rows, printed(out, err))
}

// present demands that a server that was named is there.
func (c chosen) present(rows []enrol.Row) error {
	there := func(r enrol.Row) bool { return r.Server == c.server || r.State == enrol.Failed }
	if c.server != "" && !slices.ContainsFunc(rows, there) {
		return errors.New("--server: no client has a server of this name to which this applies: 'postern guard status' lists them")
	}
	return nil
}

func verdictOf(rows []enrol.Row, err error) error {
	if err == nil && slices.ContainsFunc(rows, enrol.Row.Bad) {
		return errFindings
	}
	return err
}

// guardReport is what the commands print; its JSON keys are permanent.
type guardReport struct {
	DryRun  bool        `json:"dry_run"`
	Backups string      `json:"backups"` // where copies of clients' files are
	Rows    []enrol.Row `json:"servers"`
}

func (r guardReport) print(out io.Writer) error {
	if r.DryRun {
		fmt.Fprintln(out, "nothing was changed; this would be done:")
	}
	if err := printServers(out, r.Rows); err != nil {
		return err
	}
	if !r.DryRun && slices.ContainsFunc(r.Rows, func(r enrol.Row) bool { return r.State == enrol.Wrapped || r.State == enrol.Unwrapped }) {
		fmt.Fprintf(out, "copies of what was changed: %s\n", r.Backups)
	}
	return nil
}

// printServers is a line for each server, and below it what it means.
func printServers(out io.Writer, rows []enrol.Row) error {
	if len(rows) == 0 {
		_, err := fmt.Fprintln(out, "no client has any server here")
		return err
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "CLIENT\tSERVER\tSTATE\tWHY\tMEANS")
	for _, r := range rows {
		server := readable(r.Server)
		if r.Project != "" {
			server += " of " + readable(r.Project)
		}
		if r.File != "" {
			server = readable(r.File)
		}
		why := r.Why
		if r.Line > 0 {
			why += fmt.Sprintf(" (line %d, column %d)", r.Line, r.Column)
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", r.Client, server, r.State, why, r.Says())
	}
	return w.Flush()
}

// readable is a name from a client's file, quoted where it could be taken for
// something else or would move a terminal's cursor.
func readable(name string) string {
	quoted := strconv.QuoteToGraphic(name)
	if strings.ContainsRune(name, ' ') && !filepath.IsAbs(name) || name != "" && quoted != `"`+name+`"` {
		return quoted
	}
	return name
}
