package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"postern/harness"
)

func sweepCommand() *cobra.Command {
	var options harness.SweepOptions
	cmd := &cobra.Command{
		Use:   "sweep",
		Short: "Remove containers that a killed run left behind",
		Long: `Remove every container labelled postern whose owner, a process named by its pid,
start time and boot id, no longer runs, or whose session's deadline is over, and with
them the volumes and images that stood beside them. What belongs to a live session is
kept. What a killed run had changed of this host's settings is put back. Every run
sweeps when it starts; between runs a systemd timer can do it, as the README shows.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			swept, err := harness.Sweep(cmd.Context(), options)
			if err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%d removed, %d kept: of live sessions, or without an owner and new\n", swept.Removed, swept.Kept)
			if swept.Restored > 0 {
				fmt.Fprintf(cmd.OutOrStdout(), "%d changes of this host's settings put back\n", swept.Restored)
			}
			return nil
		},
	}
	socketFlag(cmd, &options.Socket)
	return cmd
}

// socketFlag adds the one way to choose an Engine: DOCKER_HOST is ignored.
func socketFlag(cmd *cobra.Command, socket *string) {
	cmd.Flags().StringVar(socket, "socket", harness.DefaultSocket,
		"the local Unix `socket` of the Docker Engine; DOCKER_HOST is ignored")
}
