package main

import (
	"os"

	"github.com/spf13/cobra"

	"postern/gateway/guard"
	"postern/gateway/guard/spawn"
)

// errExit ends a command that stood in for another program, with its exit code.
type errExit struct {
	code int
	err  error // why it was not started, if so
}

func (e *errExit) Error() string {
	if e.err == nil {
		return "the tool server has ended"
	}
	return e.err.Error()
}

func (e *errExit) Unwrap() error { return e.err }

func guardRunCommand() *cobra.Command {
	var w guard.Wrapped
	var inner bool
	cmd := &cobra.Command{
		Use:   "run --server NAME -- COMMAND [ARGUMENT]...",
		Short: "Start a tool server as the table says: confined, unconfined or not at all",
		Long: `Start a tool server by its stored profile and the table that 'postern guard table' prints.
Its stdin, stdout and stderr are ours, signals reach it, and its exit code becomes ours.
It ends when we do. A server that is not confined is announced on stderr.

Each decision is a line of guard-decisions.jsonl in the guard's directory, without
anything of the command.

Exit codes: the server's own, 128 and the signal that ended it; 125 it was refused, or could
not be started; 126 its program cannot be run; 127 its program is not there.`,
		Example: `  postern guard run --server files -- /usr/local/bin/files-server
  postern guard run --server files --required -- npx -y @example/files`,
		Args: arguments(1, -1, "a command behind '--'"),
		RunE: func(cmd *cobra.Command, args []string) error {
			m, err := thisMachine()
			if err != nil {
				return &errExit{spawn.ExitRefused, err}
			}
			if w.Command = args; !inner && !cmd.Flags().Changed("orig-hash") {
				w.Original = guard.OriginalHash(w.Server, args, true) // whoever types a command means it
			}
			code, err := spawn.Run(cmd.Context(), spawn.Request{
				Wrapped: w, State: m.State, Table: guard.Reference(), Means: spawn.Here(),
				Env: os.Environ(), Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
			})
			if code == 0 && err == nil {
				return nil
			}
			return &errExit{code, err}
		},
	}
	cmd.Flags().StringVar(&w.Server, "server", "", "the server's `name`, as the client calls it")
	cmd.Flags().StringVar(&w.Original, "orig-hash", "", "marker: the `hash` of the entry that was enrolled")
	cmd.Flags().StringVar(&w.Profile, "profile-hash", "", "marker: the `hash` of the profile that was enrolled")
	cmd.Flags().BoolVar(&w.Required, "required", false, "marker: refuse to start it unconfined")
	cmd.Flags().BoolVar(&inner, "inner", false, "the command stands in a client's file, where a marker that is missing was taken away")
	cmd.Flags().SetInterspersed(false)
	cmd.MarkFlagRequired("server")
	return cmd
}
