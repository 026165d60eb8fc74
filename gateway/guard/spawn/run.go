package spawn

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"postern/gateway/guard"
)

// Exit codes of a server that was not started, as of other programs that start
// one, like env(1). Any other is the server's own: 128 and the number of the
// signal that ended it.
const (
	ExitRefused   = 125 // by the table, or it could not be started
	ExitForbidden = 126 // the program is there and cannot be run
	ExitNotFound  = 127
)

// Run decides, starts the server and stands in for it: its signals reach the
// server, and the server's exit code is returned. A server that is not confined
// takes the place of this process. An error comes with the code of a server that
// was not started.
func Run(ctx context.Context, r Request) (int, error) {
	program, code, err := find(r.Wrapped.Command[0])
	if err != nil {
		return code, err
	}
	o, err := decide(ctx, r, program)
	if err != nil {
		return ExitRefused, err
	}
	if err := record(r.State, r.Wrapped.Server, o, time.Now()); err != nil {
		return ExitRefused, err
	}
	// What our own program ignores, the server must not.
	signal.Reset(syscall.SIGPIPE)
	switch o.decision.Action {
	case guard.Confine:
		return o.sandbox.Run()
	case guard.Unconfined:
		fmt.Fprintf(r.Stderr, "postern: WARNING: this tool server runs UNCONFINED: %s\n", o.says)
		err := syscall.Exec(program, r.Wrapped.Command, r.Env)
		return ExitForbidden, fmt.Errorf("starting the tool server: %w", err)
	}
	return ExitRefused, fmt.Errorf("the tool server was not started: %s", o.says)
}

// find looks for a program as a shell does.
func find(name string) (path string, code int, err error) {
	path, err = exec.LookPath(name)
	if err == nil {
		path, err = filepath.Abs(path)
	}
	switch {
	case err == nil:
		return path, 0, nil
	case errors.Is(err, exec.ErrNotFound), errors.Is(err, fs.ErrNotExist):
		return "", ExitNotFound, errors.New("the tool server's program is not there: look at the command, and at PATH")
	}
	return "", ExitForbidden, errors.New("the tool server's program cannot be run: look at its mode, and name it by an absolute path")
}
