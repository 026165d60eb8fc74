package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"postern/harness"
)

func sweepCommand() *cobra.Command {
	var options harness.SweepOptions
	cmd := &cobra.Command{
		Use:   "sweep",
		Short: "Remove what a killed run left behind",
		Long: `Remove every container labelled postern whose owner, a process named by its pid,
start time and boot id, no longer runs, or whose session's deadline is over, and with
them the volumes and images that stood beside them. What belongs to a live session is
kept. What a killed run had changed of this host's settings is put back, and what it
left beside an Engine is removed: temporary directories, shared memory, cgroups. Where
there is no Engine only that is done. One that is named with --socket, or whose socket
is there, must answer. Every run sweeps when it starts; between runs a systemd timer
can do it, as the README shows.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			options.Named = cmd.Flags().Changed("socket")
			swept, err := harness.Sweep(cmd.Context(), options)
			if err != nil {
				return err
			}
			printSwept(cmd.OutOrStdout(), swept)
			return nil
		},
	}
	socketFlag(cmd, &options.Socket)
	return cmd
}

func printSwept(out io.Writer, s harness.Swept) {
	if s.Unasked {
		fmt.Fprintln(out, "no Docker Engine is there, so none was asked: what is not an Engine's was swept")
	} else {
		fmt.Fprintf(out, "%d removed, %d kept: of live sessions, or without an owner and new\n", s.Removed, s.Kept)
	}
	if s.Restored > 0 {
		fmt.Fprintf(out, "%d changes of this host's settings put back\n", s.Restored)
	}
}

// socketFlag adds the one way to choose an Engine: DOCKER_HOST is ignored.
func socketFlag(cmd *cobra.Command, socket *string) {
	cmd.Flags().StringVar(socket, "socket", harness.DefaultSocket,
		"the local Unix `socket` of the Docker Engine; DOCKER_HOST is ignored")
}
