// Postern finds the back doors around an AI agent's gateway, and proves that
// the ones it did not find are shut.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"postern/gateway"
	"postern/gateway/guard/spawn"
	"postern/gateway/watchdog"
	"postern/harness"
)

func main() {
	if len(os.Args) > 1 && os.Args[1] == gateway.WatchdogCommand {
		os.Exit(watchdog.Main(os.Args[2:])) // before anything else is set up: it must stay small
	}
	if code, ours := spawn.Inner(os.Args); ours {
		os.Exit(code)
	}
	signal.Ignore(syscall.SIGPIPE) // a reader that leaves must not keep us from cleaning up
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	err := root().ExecuteContext(ctx)
	stop()
	os.Exit(exitCode(err, os.Stderr))
}

func root() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "postern",
		Version: harness.Built().String(),
		Short:   "Find the back doors around an AI agent's gateway, and prove that the rest are shut",
		Long: `Postern runs an adversarial agent that already holds plaintext inside a sandbox
whose only way out is a trusted gateway, and listens at every place the plaintext
could arrive. It removes each restriction in turn and requires the same oracle to
see the leak, and it writes numeric evidence that a stranger can check.

Exit codes: 0 all as required; 1 a leak, a survivor, something inconclusive, a bundle
not accepted, a canary found by scan, or a bad row of an audit log; 2 wrong usage, or
no bundle or audit log there; 3 this machine cannot, or scan could not read everything;
130 interrupted; 141 whoever read the output has left, as 'head' does.`,
		Args:          noArguments,
		SilenceUsage:  true,
		SilenceErrors: true,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.SetFlagErrorFunc(flagError)
	cmd.SetHelpCommand(helpCommand())
	cmd.AddCommand(
		runCommand(), trialCommand(), matrixCommand(), listCommand(), verifyCommand(), auditCommand(), scanCommand(),
		policyCommand(), gatewayCommand(), guardCommand(), sweepCommand(), bridgeCommand(),
	)
	return cmd
}

// bridgeCommand is a session in a process of its own, for the harness to hurt.
func bridgeCommand() *cobra.Command {
	return &cobra.Command{
		Use:    gateway.BridgeCommand,
		Short:  "Lead one session as ordered on stdin",
		Hidden: true,
		Args:   noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return gateway.Serve(cmd.Context(), cmd.InOrStdin(), cmd.OutOrStdout())
		},
	}
}
