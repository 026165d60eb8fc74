package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"postern/gateway/guard"
	"postern/gateway/guard/enrol"
	"postern/gateway/guard/spawn"
)

func guardStatusCommand() *cobra.Command {
	var c chosen
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Say of each tool server whether it is guarded, and what becomes of its next start",
		Long: `Look at the clients' files, the store and the sandbox, and say of each server what the
table ('postern guard table') decides when it is started next, and why. Nothing is changed.

Exit codes: 0 everything that is wrapped is confined as it was enrolled; 1 something is
refused, runs unconfined, is half enabled or could not be read; 2 wrong usage.`,
		Example: `  postern guard status
  postern guard status --client cursor --json`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			g, err := c.guard()
			if err != nil {
				return err
			}
			b, lacking := spawn.Available(cmd.Context(), spawn.Here())
			s, err := statusOf(g, b, lacking)
			if err != nil {
				return err
			}
			if err := c.present(s.Rows); err != nil {
				return err
			}
			out := bufio.NewWriter(cmd.OutOrStdout())
			if c.asJSON {
				err = json.NewEncoder(out).Encode(s)
			} else {
				err = s.print(out)
			}
			return s.verdict(printed(out, err))
		},
	}
	c.flags(cmd, false)
	return cmd
}

// guardStatus is what status prints; its JSON keys are permanent.
type guardStatus struct {
	Backend string       `json:"backend"` // "bubblewrap", "landlock" or "seatbelt", or why there is none
	Store   guard.Damage `json:"store"`   // "whole", or what is wrong
	Rows    []enrol.Row  `json:"servers"`
}

func statusOf(g enrol.Guard, b spawn.Backend, lacking error) (guardStatus, error) {
	s := guardStatus{Backend: b.Name, Store: "whole"}
	if l := (*spawn.Lacking)(nil); errors.As(lacking, &l) {
		s.Backend = l.Why
	} else if lacking != nil {
		return s, lacking
	}
	rows, damage, err := g.Status(guard.Reference(), lacking == nil)
	if damage != nil {
		s.Store = damage.Why
	}
	s.Rows = append([]enrol.Row{}, rows...) // an empty list, not null
	return s, err
}

func (s guardStatus) print(out io.Writer) error {
	if s.Store != "whole" {
		fmt.Fprintln(out, (&guard.Damaged{Why: s.Store}).Error())
	}
	return printServers(out, s.Rows)
}

func (s guardStatus) verdict(err error) error {
	if err == nil && s.Store != "whole" {
		return errFindings
	}
	return verdictOf(s.Rows, err)
}
