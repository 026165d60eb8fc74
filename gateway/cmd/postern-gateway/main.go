// Command postern-gateway is the trusted side as a program of its own: the
// bridge that leads a session, the watchdog beside it, and a gateway without an
// agent. It holds nothing of the harness, and so is small and quick to start. It
// is not for hands: the harness orders the first and the last, the first arms the
// other. Where bubblewrap confines the agent, it is what becomes bwrap as well.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"postern/gateway"
	"postern/gateway/confine/bubblewrap/cell"
	"postern/gateway/guard/spawn"
	"postern/gateway/watchdog"
)

func main() {
	if code, ours := spawn.Inner(os.Args); ours {
		os.Exit(code)
	}
	switch role := append(os.Args, "")[1]; role {
	case gateway.WatchdogCommand:
		os.Exit(watchdog.Main(os.Args[2:]))
	case cell.StageCommand:
		os.Exit(cell.Stage())
	case gateway.BridgeCommand, gateway.CallsCommand:
		serve := gateway.Serve
		if role == gateway.CallsCommand {
			serve = gateway.ServeCalls
		}
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
		err := serve(ctx, os.Stdin, os.Stdout)
		stop()
		if err == nil {
			return
		}
		fmt.Fprintln(os.Stderr, "postern-gateway:", err)
	default:
		fmt.Fprintln(os.Stderr, "postern-gateway: it is started by postern, as a bridge or as a watchdog")
	}
	os.Exit(1)
}
